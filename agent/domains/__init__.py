"""Domains: plug-ins for the subject of a family of books; the core knows only their protocol."""
