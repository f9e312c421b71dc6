"""The command line: it turns flags into settings, results into output, and errors into messages."""
