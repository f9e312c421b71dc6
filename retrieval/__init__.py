"""Retrieval: focused sub-queries in, screened and cited chunks out. This module is the public API.

Names are loaded on first use, so that a process that reads a file or builds an index loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.catalogs.catalog import Catalog
    from retrieval.catalogs.opening import open_catalog
    from retrieval.catalogs.titles import Title
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

_HOMES = {
    "CachingEmbedder": "embedding.batching",
    "Catalog": "catalogs.catalog",
    "CellQuery": "tables.reading",
    "ChromaServer": "collections.chroma",
    "ChromaStore": "collections.chroma",
    "CoalescingEmbedder": "embedding.batching",
    "CrossEncoderReranker": "searching.rerank",
    "Document": "readers.documents.document",
    "Embedder": "embedding.protocol",
    "Indexed": "ingest.index",
    "LexicalIndex": "lexical",
    "MemoryStore": "stores.store",
    "OpenAIEmbedder": "embedding.remote",
    "Paragraph": "readers.documents.document",
    "Place": "collections.places",
    "Placed": "readers.documents.document",
    "Progress": "embedding.protocol",
    "Records": "readers.documents.document",
    "Reranker": "searching.rerank",
    "Retriever": "searching.retriever",
    "Section": "readers.documents.document",
    "SentenceTransformerEmbedder": "embedding.protocol",
    "Sifted": "filters",
    "Stage": "filters",
    "Stamp": "stores.store",
    "Store": "stores.store",
    "Title": "catalogs.titles",
    "Verdict": "filters.rule",
    "Words": "text.normal",
    "delete_collection": "collections.opening",
    "embedder_for": "embedding.models",
    "fuse": "searching.fuse",
    "index": "ingest.index",
    "lint": "filters.lint",
    "list_collections": "collections.opening",
    "normal": "text.normal",
    "open_catalog": "catalogs.opening",
    "open_collection": "collections.opening",
    "open_collections": "collections.multi_store",
    "reciprocal_rank_fusion": "searching.fuse",
    "satisfies": "filters.rule",
    "sift": "filters.protocol",
} | dict.fromkeys(
    (
        "BrokenPlugin",
        "CollectionEmpty",
        "CollectionNotFound",
        "Damaged",
        "EmbeddingError",
        "NewerFormat",
        "PluginError",
        "ProcessTrouble",
        "RetrievalError",
        "RuleError",
        "SourceError",
        "StoreError",
        "UnknownPlugin",
    ),
    "errors",
)
"""The modules of the names; all others are in `types`."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'retrieval' has no attribute {name!r}")
        return getattr(import_module(f"retrieval.{_HOMES.get(name, 'types')}"), name)
