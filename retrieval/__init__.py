"""Finding: focused sub-queries in, screened and cited chunks out. This is the menu.

Importing it loads neither chromadb nor torch; they come in when a collection is opened or a text embedded.
"""

from __future__ import annotations

from retrieval.catalog import Catalog, Title
from retrieval.catalogs import open_catalog
from retrieval.chroma import ChromaServer, ChromaStore
from retrieval.coalesce import CachingEmbedder, CoalescingEmbedder
from retrieval.collections import delete_collection, list_collections, open_collection
from retrieval.embed import Embedder, Progress, SentenceTransformerEmbedder
from retrieval.errors import (
    BrokenPlugin,
    CollectionEmpty,
    CollectionNotFound,
    Damaged,
    EmbeddingError,
    NewerFormat,
    PluginError,
    ProcessTrouble,
    RetrievalError,
    RuleError,
    SourceError,
    StoreError,
    UnknownPlugin,
)
from retrieval.filters import Sifted, Stage
from retrieval.filters.lint import lint
from retrieval.filters.protocol import sift
from retrieval.filters.query_must import Verdict, satisfies
from retrieval.fuse import fuse, reciprocal_rank_fusion
from retrieval.ingest.document import Document, Paragraph, Placed, Records, Section
from retrieval.ingest.index import Indexed, index
from retrieval.lexical import LexicalIndex
from retrieval.models import embedder_for
from retrieval.remote_embed import OpenAIEmbedder
from retrieval.rerank import CrossEncoderReranker, Reranker
from retrieval.retriever import Retriever
from retrieval.store import MemoryStore, Stamp, Store
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
from retrieval.union import open_collections

__all__ = [
    "BrokenPlugin",
    "CachingEmbedder",
    "Catalog",
    "ChromaServer",
    "ChromaStore",
    "Chunk",
    "CoalescingEmbedder",
    "CollectionEmpty",
    "CollectionNotFound",
    "CrossEncoderReranker",
    "Damaged",
    "Document",
    "Drop",
    "Embedder",
    "EmbeddingError",
    "Hit",
    "Indexed",
    "IngestReport",
    "LexicalIndex",
    "MemoryStore",
    "NewerFormat",
    "OpenAIEmbedder",
    "Paragraph",
    "Passage",
    "Placed",
    "PluginError",
    "Policy",
    "ProcessTrouble",
    "Progress",
    "QueryMust",
    "RangeRule",
    "Records",
    "Reranker",
    "RetrievalError",
    "Retrieved",
    "Retriever",
    "RuleError",
    "Section",
    "SentenceTransformerEmbedder",
    "Sifted",
    "SourceError",
    "Stage",
    "Stamp",
    "Store",
    "StoreError",
    "SubQuery",
    "Table",
    "Title",
    "UnknownPlugin",
    "Verdict",
    "delete_collection",
    "embedder_for",
    "fuse",
    "index",
    "lint",
    "list_collections",
    "open_catalog",
    "open_collection",
    "open_collections",
    "reciprocal_rank_fusion",
    "satisfies",
    "sift",
]
