"""Importing the package is quick and loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import retrieval


def test_importing_loads_neither_chromadb_nor_torch() -> None:
    heavy = ("chromadb", "torch", "sentence_transformers", "openai")
    code = f"import sys, retrieval; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()


def test_importing_one_part_loads_no_other() -> None:
    code = (
        "import sys, retrieval.tables.index; print([name for name in sys.modules if 'retrieval.collections' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()


def test_the_menu_is_sorted_and_complete() -> None:
    assert sorted(retrieval.__all__) == retrieval.__all__
    assert all(hasattr(retrieval, name) for name in retrieval.__all__)
