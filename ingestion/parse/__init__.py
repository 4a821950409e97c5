"""From a file's bytes to a neutral stream of blocks, in a child process that may be killed at any time."""
