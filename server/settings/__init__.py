"""What administrators can change while the service runs."""
