"""versus beside its peers: one book, one set of vectors, one fake model, the same number of calls.

`measure` runs one of them in a process of its own and knows nothing of versus, for it runs in the environment of the
peers too; `__main__` prepares the book, starts the model's server and prints what each of them did.
"""
