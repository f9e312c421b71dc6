"""Reading the log back: the questions, their cost, and their problems. All of it streams, in bounded memory."""
