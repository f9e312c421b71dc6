"""A question looked through once: what each of its words is, what it asks for, and what it goes on from."""
