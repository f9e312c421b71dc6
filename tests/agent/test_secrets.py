"""Passwords of addresses come out no more than keys do, whatever a server quotes."""

from __future__ import annotations

from base64 import b64encode

import pytest

from agent.errors import LLMError
from agent.events import secrets_of
from agent.llm.client import OpenAILLM
from agent.settings.settings import Settings
from tests.agent.asking import HELLO, Pauses
from tests.fake_openai import FakeOpenAI, failure

PASSWORD = "canary0123456789"
HEADER = b64encode(f"me:{PASSWORD}".encode()).decode()


@pytest.mark.parametrize("status", [401, 404, 500])
async def test_a_password_of_an_address_that_a_server_quotes_is_not_repeated(
    status: int, server: FakeOpenAI, pauses: Pauses
) -> None:
    server.then(*[failure(status, f"me with {PASSWORD} (Basic {HEADER}) may not")] * 2)
    address = server.base_url.replace("//", f"//me:{PASSWORD}@")
    llm = OpenAILLM("small", base_url=address, api_key=None, attempts=2, timeout=5, sleep=pauses)
    with pytest.raises(LLMError) as caught:
        await llm.complete(HELLO)
    await llm.close()
    assert "me with *** (Basic ***) may not" in str(caught.value)
    assert PASSWORD not in repr(caught.value)


def test_the_log_masks_the_passwords_of_addresses() -> None:
    settings = Settings(openai_base_url=f"http://me:{PASSWORD}@127.0.0.1/v1", chroma="http://me:else0123456@127.0.0.1")
    assert {PASSWORD, HEADER, "else0123456"} <= set(secrets_of(settings))
