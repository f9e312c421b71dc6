// @ts-check
/** The plan as a tree, each sub-query with its state and its candidates. */

import { candidateTable, h, strip } from "./draw.js";

/** @typedef {import("./page.js").Shown} Shown */

/**
 * The plan as a tree, each sub-query with its state; what was opened stays open.
 * @param {Shown} shown
 */
export function showPlan(shown) {
  const { known, parts, lines } = shown;
  const planned = known.plan?.sub_queries ?? [];
  const unplanned = [...known.retrieved.keys()].filter((id) => !planned.some((/** @type {any} */ each) => each.id === id));
  for (const each of [...planned, ...unplanned.map((id) => ({ id, text: id, purpose: "looked for again", depends_on: [] }))]) {
    const result = known.retrieved.get(each.id);
    const state = result ? (result.error ? "failed" : "done") : known.answer || known.problem ? "unsearched" : "searching";
    const key = JSON.stringify([state, each.text]);
    const old = lines.get(each.id);
    if (old?.dataset.key === key) continue;
    const line = lineOf(each, state, result);
    line.dataset.key = key;
    lines.set(each.id, line);
    if (old) { line.append(...old.querySelectorAll(":scope > ul")); old.replaceWith(line); continue; }
    const parent = lines.get(each.depends_on[0]);
    if (!parent) { parts.tree.append(line); continue; }
    let list = parent.querySelector(":scope > ul");
    if (!list) parent.append((list = h("ul", { class: "plan" })));
    list.append(line);
  }
}

const STATES = { done: "✓", failed: "✗", searching: "…", unsearched: "–" };

/**
 * @param {any} subQuery
 * @param {"done" | "failed" | "searching" | "unsearched"} state
 * @param {any} result
 */
function lineOf(subQuery, state, result) {
  const told = { done: result && `${Math.round(result.ms)} ms`,
    failed: `failed: ${result?.error}`, searching: "searching…", unsearched: "not searched" }[state];
  const line = h("li", { class: state }, h("span", { class: "state", "aria-hidden": "true" }, STATES[state]),
    " ", subQuery.text, " ", h("span", { class: "small" }, [subQuery.purpose, told].filter(Boolean).join(": ")));
  if (result && result.fetched) line.append(candidatesOf(result));
  return line;
}

/**
 * The candidates of a sub-query, drawn when they are asked for.
 * @param {any} result
 */
function candidatesOf(result) {
  const named = new Set(result.pinned ?? []);
  const kept = result.hits.map((/** @type {any} */ hit) => ({ ...hit, state: "kept", isNamed: named.has(hit.chunk_id),
    reason: `${named.has(hit.chunk_id) ? "asked for by name, which counts whatever the relevance; " : ""}confidence ${hit.confidence ?? "not told"}` }));
  const dropped = (result.drops ?? []).map((/** @type {any} */ drop) =>
    ({ ...drop, relevance: drop.relevance ?? null, state: "dropped", reason: `${drop.rule}: ${drop.reason}` }));
  const all = [...kept, ...dropped];
  const box = h("details", { class: "candidates", toggle: () => {
    if (box.childElementCount > 1) return;
    box.append(strip(result, all), h("details", {}, h("summary", {}, "As a table"), candidateTable(all)));
  } }, h("summary", {}, `kept ${result.kept} of ${result.fetched}`, h("span", { class: "small" }, result.drops ? "" : "; what was dropped is not in the record")));
  return box;
}
