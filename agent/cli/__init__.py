"""The command line: what turns flags into settings, results into output, and errors into messages."""
