"""What a collection holds: its names, kinds and shapes."""
