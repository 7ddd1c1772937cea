"""What a command does, callable from Python: one function a job."""
