"""Chroma behind the `Store` protocol: in a folder, on a server, in the cloud; the only importer of chromadb.

All calls run in threads, a few at a time: chromadb's asynchronous client offers less than the synchronous one. Errors
of chromadb become `StoreError` here, at the border. Opening for reading never creates anything on disk.
"""

from __future__ import annotations

from retrieval.collections.chroma.collections import delete_collection, list_collections, open_collection
from retrieval.collections.chroma.location import ChromaServer, Location
from retrieval.collections.chroma.store import ChromaStore

__all__ = ["ChromaServer", "ChromaStore", "Location", "delete_collection", "list_collections", "open_collection"]
