"""Files of an office: Word, Excel and PowerPoint, out of archives that are looked at before they are unpacked."""
