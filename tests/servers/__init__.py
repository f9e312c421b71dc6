"""Real servers that other people wrote, before the client of versus; `make servers` installs and runs them."""
