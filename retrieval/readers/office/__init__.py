"""Office files: Word, Excel and PowerPoint, from archives that are checked before they are unpacked."""
