"""Makes a random model of a few thousand weights that knows letters and nothing else."""

from __future__ import annotations

import sys

ROOM = 65_536
"""Tokens of a prompt and its answer; each is a byte."""
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant: "


def make(folder: str) -> None:
    """Save the model and its tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = {"<|end|>": 0, **{letter: i for i, letter in enumerate(letters, start=1)}}
    by_bytes = Tokenizer(models.BPE(vocab=tokens, merges=[]))
    by_bytes.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    by_bytes.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=by_bytes, eos_token="<|end|>", pad_token="<|end|>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    shape = GPT2Config(vocab_size=len(tokens), n_positions=ROOM, n_embd=8, n_layer=1, n_head=1, eos_token_id=0)
    GPT2LMHeadModel(shape).save_pretrained(folder)


if __name__ == "__main__":
    make(sys.argv[1])
