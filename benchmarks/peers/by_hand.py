"""What somebody writes in an afternoon: the calls gathered, and a loop that puts what waits into one call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import chromadb
from openai import AsyncOpenAI

from benchmarks.peers.place import INSTRUCTIONS, PASSAGES, WRITING, Ask, Place, chroma_of, sub_queries_in, writing


class Search:
    """Texts to passages: one call of the model and one of Chroma for as many texts as there are."""

    def __init__(self, place: Place) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(place.model, device="cpu")
        self._chroma = chromadb.PersistentClient(chroma_of(place)).get_collection(place.collection)

    def __call__(self, texts: list[str]) -> list[list[str]]:
        vectors = self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
        found = self._chroma.query(query_embeddings=vectors, n_results=PASSAGES, include=["documents"])
        return found["documents"] or []


class Coalescing:
    """Searches in one thread; what comes while it works is the next call."""

    def __init__(self, search: Search) -> None:
        self._search, self._waiting = search, list[tuple[str, asyncio.Future[list[str]]]]()
        self._thread = ThreadPoolExecutor(1)
        self._working: asyncio.Task[None] | None = None

    async def __call__(self, text: str) -> list[str]:
        future: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._waiting.append((text, future))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        return await future

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            texts = [text for text, _ in batch]
            found = await asyncio.get_running_loop().run_in_executor(self._thread, self._search, texts)
            for (_, future), passages in zip(batch, found, strict=True):
                future.set_result(passages)


async def _said(client: AsyncOpenAI, system: str, user: str) -> str:
    messages: Any = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    reply = await client.chat.completions.create(model="fake", messages=messages)
    return reply.choices[0].message.content or ""


@asynccontextmanager
async def gather(place: Place) -> AsyncIterator[Ask]:
    """Each search in a thread, all of a question gathered."""
    search = Search(place)

    async def one(text: str) -> list[str]:
        return (await asyncio.to_thread(search, [text]))[0]

    async with AsyncOpenAI(base_url=place.base_url, api_key="k", max_retries=0) as client:
        yield _asking(client, one)


@asynccontextmanager
async def coalescing(place: Place) -> AsyncIterator[Ask]:
    """The same, with searches that wait put into one."""
    search = Coalescing(Search(place))
    async with AsyncOpenAI(base_url=place.base_url, api_key="k", max_retries=0) as client:
        yield _asking(client, search)


def _asking(client: AsyncOpenAI, search: Any) -> Ask:
    async def ask(question: str) -> int:
        plan = sub_queries_in(await _said(client, INSTRUCTIONS, question))
        found = await asyncio.gather(*map(search, plan))
        passages = [text for each in found for text in each]
        await _said(client, WRITING, writing(question, passages))
        return len(passages)

    return ask
