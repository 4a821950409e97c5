"""A turn of conversation: what kind it is, what was found, what is said, and on what grounds."""
