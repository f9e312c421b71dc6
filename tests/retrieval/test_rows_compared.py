"""Rows compared with several queries at once are as far from each as when it comes alone."""

from __future__ import annotations

import numpy as np

from retrieval.collections.local.rule_index import Row, RuleIndex


def test_several_queries_find_the_same_distances_as_each_alone() -> None:
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(600, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    directory = RuleIndex.build(Row(f"c{number:03}", "", None, {}, vector) for number, vector in enumerate(vectors))
    for rows in (np.arange(600), np.arange(5, 590, 3), np.arange(0)):
        alone = [directory.rough([query], rows)[0] for query in vectors[:5]]
        assert np.array_equal(np.stack(alone), directory.rough(list(vectors[:5]), rows))
        assert np.allclose(alone[0], 1 - vectors[rows] @ vectors[0], atol=1e-5)
    assert (0, 600) == directory.rough([], np.arange(600)).shape
