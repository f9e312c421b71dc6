"""A small collection in memory, and agents on it with a scripted language model."""

from __future__ import annotations

from pathlib import Path

from agent.ask import Agent
from agent.llm.protocol import LLM
from agent.settings.settings import Settings
from agent.understanding.words.lexicon import Lexicon
from retrieval.catalogs.catalog import Catalog
from retrieval.embedding.models import embedder_for
from retrieval.embedding.protocol import Embedder
from retrieval.ingest.index import index
from retrieval.ingest.read import read_sources
from retrieval.stores.store import MemoryStore
from retrieval.tables.index import CellIndex
from tests.retrieval.doubles import BagOfWords

ATTACK_TABLES = """# Reaver

**Reaver Attack Table**

| Level | AC 9 | AC 3 |
|---|---|---|
| 1-3 | 11 | 17 |
| 4-6 | 8 | 14 |

# Hexer

**Hexer Attack Table**

| Level | AC 9 | AC 3 |
|---|---|---|
| 1-3 | 12 | 18 |
| 4-6 | 11 | 17 |
"""
LOWER_ROLL = "Does a reaver or a hexer of 5th level need the lower roll to hit AC 3?"
"""What the attack tables answer."""

BOOK = """# Reaver

Reavers roll a d10 for hit points. They came from the north and burn what they can't carry.

**Reaver Attack Table**

| Level | AC 9 | AC 5 | AC 3 |
|---|---|---|---|
| 1-3 | 11 | 15 | 17 |
| 4-6 | 8 | 12 | 14 |

# Hexer

Hexers roll a d6 for hit points. A hexer must rest for 8 hours before casting again.

**Hexer Attack Table**

| Level | AC 9 | AC 5 | AC 3 |
|---|---|---|---|
| 1-3 | 12 | 16 | 18 |
| 4-6 | 11 | 15 | 17 |

# Bog Ogre

|||
|---|---|
| Armor Class | 5 |
| Hit Dice | 4+1 |
| Attacks | 1 |
| Damage | 1d10 |

A bog ogre lives in swamps and fears fire.
"""


async def agent_on(
    tmp_path: Path,
    llm: LLM | None = None,
    settings: Settings | None = None,
    book: str = BOOK,
    store: MemoryStore | None = None,
) -> Agent:
    """An agent on a book, which is put into the store, with a language model if one is given."""
    path, store = tmp_path / "book.md", store or MemoryStore()
    path.write_text(book, encoding="utf-8")
    read = read_sources([path])
    await index(read.chunks, store, BagOfWords(), sources=read.sources)
    catalog = Catalog.from_chunks(read.chunks)
    # By its words in common a chunk is far from most questions; no distance of these vectors says that it is not meant.
    settings = settings or Settings(collection="small", planner="llm" if llm else "rules", absolute_min=0.0)
    cells = CellIndex.build(read.chunks)
    return Agent(settings, store, BagOfWords(), Lexicon.from_catalog(catalog), catalog, llm=llm, cells=cells)


async def reading(text: str, folder: Path, llm: LLM | None = None) -> Agent:
    """An agent on one book, with the real embedding model, and a language model that plans if one is given."""
    path = folder / "book.md"
    path.write_text(text, encoding="utf-8")
    embedder: Embedder = embedder_for("all-MiniLM-L6-v2")
    read, store = read_sources([path]), MemoryStore()
    await index(read.chunks, store, embedder, sources=read.sources)
    catalog, cells = Catalog.from_chunks(read.chunks), CellIndex.build(read.chunks)
    settings = Settings(collection="book", planner="llm" if llm else "rules")
    return Agent(settings, store, embedder, Lexicon.from_catalog(catalog), catalog, llm=llm, cells=cells)
