"""Domains: what a family of books needs beyond what every book has."""
