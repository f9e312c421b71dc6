"""Finding: focused sub-queries in, screened and cited chunks out. This is the menu.

Importing it loads neither chromadb nor torch; they come in when a collection is opened or a text embedded.
"""

from __future__ import annotations

from retrieval.catalogs.catalog import Catalog, Title
from retrieval.catalogs.opening import open_catalog
from retrieval.collections.chroma import ChromaServer, ChromaStore
from retrieval.collections.multi_store import open_collections
from retrieval.collections.opening import delete_collection, list_collections, open_collection
from retrieval.collections.places import Place
from retrieval.embedding.batching import CachingEmbedder, CoalescingEmbedder
from retrieval.embedding.models import embedder_for
from retrieval.embedding.protocol import Embedder, Progress, SentenceTransformerEmbedder
from retrieval.embedding.remote import OpenAIEmbedder
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
from retrieval.filters.rule import Verdict, satisfies
from retrieval.ingest.index import Indexed, index
from retrieval.lexical import LexicalIndex
from retrieval.readers.documents.document import Document, Paragraph, Placed, Records, Section
from retrieval.searching.fuse import fuse, reciprocal_rank_fusion
from retrieval.searching.rerank import CrossEncoderReranker, Reranker
from retrieval.searching.retriever import Retriever
from retrieval.stores.store import MemoryStore, Stamp, Store
from retrieval.tables.reading import CellQuery
from retrieval.text.normal import Words, normal
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
    "BrokenPlugin",
    "CachingEmbedder",
    "Catalog",
    "CellQuery",
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
    "Place",
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
    "Words",
    "delete_collection",
    "embedder_for",
    "fuse",
    "index",
    "lint",
    "list_collections",
    "normal",
    "open_catalog",
    "open_collection",
    "open_collections",
    "reciprocal_rank_fusion",
    "satisfies",
    "sift",
]
