"""Reading the log back: what was asked, what it cost, where it hurts. All of it as streams, in bounded memory."""
