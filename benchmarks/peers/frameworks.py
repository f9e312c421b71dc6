"""The same question by LangChain, LlamaIndex and Haystack, each with its own parts as its documentation shows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from benchmarks.peers.place import INSTRUCTIONS, PASSAGES, WRITING, Ask, Place, chroma_of, sub_queries_in, writing


@asynccontextmanager
async def langchain(place: Place) -> AsyncIterator[Ask]:
    """`Chroma.as_retriever`, `HuggingFaceEmbeddings` and `ChatOpenAI`, by their `ainvoke`."""
    from langchain_chroma import Chroma
    from langchain_huggingface import HuggingFaceEmbeddings
    from langchain_openai import ChatOpenAI

    embeddings = HuggingFaceEmbeddings(model_name=place.model, encode_kwargs={"normalize_embeddings": True})
    store = Chroma(place.collection, embeddings, persist_directory=chroma_of(place))
    retriever = store.as_retriever(search_kwargs={"k": PASSAGES})
    model = ChatOpenAI(model="fake", base_url=place.base_url, api_key="k", max_retries=0)

    async def ask(question: str) -> int:
        plan = await model.ainvoke([("system", INSTRUCTIONS), ("human", question)])
        found = await asyncio.gather(*map(retriever.ainvoke, sub_queries_in(plan.text)))
        passages = [document.page_content for each in found for document in each]
        await model.ainvoke([("system", WRITING), ("human", writing(question, passages))])
        return len(passages)

    yield ask


@asynccontextmanager
async def llama_index(place: Place) -> AsyncIterator[Ask]:
    """`VectorStoreIndex.as_retriever` over `ChromaVectorStore`, `HuggingFaceEmbedding` and `OpenAILike`."""
    import chromadb
    from llama_index.core import VectorStoreIndex
    from llama_index.core.llms import ChatMessage
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.llms.openai_like import OpenAILike
    from llama_index.vector_stores.chroma import ChromaVectorStore

    collection = chromadb.PersistentClient(chroma_of(place)).get_collection(place.collection)
    embedding = HuggingFaceEmbedding(place.model, normalize=True, device="cpu")
    index = VectorStoreIndex.from_vector_store(ChromaVectorStore(chroma_collection=collection), embed_model=embedding)
    retriever = index.as_retriever(similarity_top_k=PASSAGES)
    model = OpenAILike("fake", api_base=place.base_url, api_key="k", is_chat_model=True, max_retries=0)

    async def said(system: str, user: str) -> str:
        reply = await model.achat([ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)])
        return reply.message.content or ""

    async def ask(question: str) -> int:
        found = await asyncio.gather(*map(retriever.aretrieve, sub_queries_in(await said(INSTRUCTIONS, question))))
        passages = [node.get_content() for each in found for node in each]
        await said(WRITING, writing(question, passages))
        return len(passages)

    yield ask


@asynccontextmanager
async def haystack(place: Place) -> AsyncIterator[Ask]:
    """`OpenAIChatGenerator.run_async`; embedder and Chroma's retriever have no async road to a folder, so a thread."""
    from haystack.components.generators.chat import OpenAIChatGenerator
    from haystack.dataclasses import ChatMessage
    from haystack.utils import Secret
    from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersTextEmbedder
    from haystack_integrations.components.retrievers.chroma import ChromaEmbeddingRetriever
    from haystack_integrations.document_stores.chroma import ChromaDocumentStore

    store = ChromaDocumentStore(place.collection, persist_path=chroma_of(place), distance_function="cosine")
    store.count_documents()  # opened once, and now: two threads that open it at once fail
    retriever = ChromaEmbeddingRetriever(store, top_k=PASSAGES)
    embedder = SentenceTransformersTextEmbedder(model=place.model, normalize_embeddings=True, progress_bar=False)
    embedder.warm_up()
    model = OpenAIChatGenerator(
        api_key=Secret.from_token("k"), model="fake", api_base_url=place.base_url, max_retries=0
    )

    def search(text: str) -> list[Any]:
        found: list[Any] = retriever.run(query_embedding=embedder.run(text)["embedding"])["documents"]
        return found

    async def said(system: str, user: str) -> str:
        replies = await model.run_async([ChatMessage.from_system(system), ChatMessage.from_user(user)])
        return replies["replies"][0].text or ""

    async def ask(question: str) -> int:
        plan = sub_queries_in(await said(INSTRUCTIONS, question))
        found = await asyncio.gather(*(asyncio.to_thread(search, text) for text in plan))
        passages = [document.content or "" for each in found for document in each]
        await said(WRITING, writing(question, passages))
        return len(passages)

    yield ask
