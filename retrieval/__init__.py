"""Finding: focused sub-queries in, screened and cited chunks out. This is the menu.

Importing it loads neither chromadb nor torch; they come in when a collection is opened or a text embedded.
"""

from __future__ import annotations

from retrieval.catalog import Catalog, Title, read_catalog
from retrieval.chroma import ChromaStore, delete_collection, list_collections, open_collection
from retrieval.coalesce import CachingEmbedder, CoalescingEmbedder
from retrieval.embed import Embedder, Progress, SentenceTransformerEmbedder
from retrieval.errors import CollectionNotFound, EmbeddingError, RetrievalError, RuleError, SourceError, StoreError
from retrieval.filters.query_must import Verdict, satisfies
from retrieval.fuse import fuse, reciprocal_rank_fusion
from retrieval.ingest.index import Indexed, index
from retrieval.retriever import Retriever
from retrieval.store import MemoryStore, Store
from retrieval.types import (
    Chunk,
    Drop,
    Hit,
    IngestReport,
    Passage,
    Policy,
    QueryMust,
    RangeRule,
    Retrieved,
    SubQuery,
    Table,
)

__all__ = [
    "CachingEmbedder",
    "Catalog",
    "ChromaStore",
    "Chunk",
    "CoalescingEmbedder",
    "CollectionNotFound",
    "Drop",
    "Embedder",
    "EmbeddingError",
    "Hit",
    "Indexed",
    "IngestReport",
    "MemoryStore",
    "Passage",
    "Policy",
    "Progress",
    "QueryMust",
    "RangeRule",
    "RetrievalError",
    "Retrieved",
    "Retriever",
    "RuleError",
    "SentenceTransformerEmbedder",
    "SourceError",
    "Store",
    "StoreError",
    "SubQuery",
    "Table",
    "Title",
    "Verdict",
    "delete_collection",
    "fuse",
    "index",
    "list_collections",
    "open_collection",
    "read_catalog",
    "reciprocal_rank_fusion",
    "satisfies",
]
