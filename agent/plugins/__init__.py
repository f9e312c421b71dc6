"""The plug-ins of other distributions: each kind has its protocol and its entry point group."""
