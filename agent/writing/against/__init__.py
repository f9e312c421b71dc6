"""What speaks against a number: another row, label, subject, year or direction of the source is meant."""
