"""What other distributions may bring: each kind has its protocol and its entry point group."""
