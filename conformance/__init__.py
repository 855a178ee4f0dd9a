"""posenc beside the positional code of the libraries people run: a file for each library."""
