"""Domains: what a family of books is about, as plug-ins that the core knows only by their protocol."""
