// @ts-check
/** An answer: its text with citations, its pictures, what was not found, and its sources. */

import { addressOf, at, isFile } from "./api.js";
import { comparison, h, odds } from "./draw.js";
import { citation, placeOf } from "./source.js";

/** @typedef {import("./api.js").Known} Known */

/** So many letters of a quote are told among the sources; from so many on it is a sentence that the text may have as it is. */
const QUOTED = 240, SENTENCE = 20;
/** @type {Record<string, string>} */
const STOPS = { complete: "Answered", deadline: "Cut off by the deadline", budget: "Cut off by the budget" };

/**
 * What came of a question that is not answered in full: a part, passages near it, or nothing.
 * @param {any} answer
 * @returns {"part" | "near" | "nothing"}
 */
function foundOf({ findings, unanswered, citations }) {
  if (!citations.length) return "nothing";
  const needs = unanswered.map((/** @type {any} */ each) => each.need);
  const isNear = (/** @type {any} */ { values }) => needs.includes(values?.attribute) && values.values?.length === 0;
  return findings.length && findings.every(isNear) ? "near" : "part";
}

/**
 * The state of a question, for its colour.
 * @param {Known} known
 */
export function stateOf(known) {
  if (known.problem) return "failed";
  if (!known.answer) return "under-way";
  return known.answer.stop_reason === "complete" ? "complete" : foundOf(known.answer);
}

/** @param {Known} known */
export function statusOf(known) {
  if (known.problem) return "";
  if (known.answer) {
    const { timings_ms: ms, usage, stop_reason: stop } = known.answer;
    const how = STOPS[stop] ?? { part: "Answered in part", near: "Nothing found but the nearest passages", nothing: "Nothing found" }[foundOf(known.answer)];
    const cost = usage.llm_calls ? `, ${usage.llm_calls} calls of a model, $${usage.cost_usd.toFixed(4)}` : "";
    return `${how} in ${(ms.total / 1000).toFixed(2)} s${cost}`;
  }
  if (known.text) return "Writing; not yet checked…";
  if (!known.plan) return "Planning…";
  const searches = Math.max(known.plan.sub_queries.length, known.retrieved.size);
  if (known.retrieved.size === searches) return "Putting together what was found…";
  const again = known.needs.length ? `; looking again for ${known.needs.join(", ")}` : "";
  return `Searching: ${known.retrieved.size} of ${searches} done${again}…`;
}

/**
 * Fill the parts of an article.
 * @param {Known} known
 * @param {Record<string, HTMLElement>} parts
 * @param {() => void} askMore asks again, for more passages
 */
export function showAnswer(known, parts, askMore) {
  const answer = known.answer;
  const tabled = new Set();
  const pictures = answer.findings.map((/** @type {any} */ finding) => pictureOf(finding, known, tabled)).filter(Boolean);
  const lines = paragraphs(withoutMissing(answer), known, tabled);
  const lead = lines.findIndex((line) => line.tagName === "UL");
  lines.splice(lead < 0 ? lines.length : lead, 0, ...pictures);
  parts.said.replaceChildren(...lines);
  if (stateOf(known) === "near") parts.said.before(parts.missing);
  parts.missing.replaceChildren(...answer.unanswered.map((/** @type {any} */ each) => missingOf(each, known.collection, askMore)));
  const sources = answer.citations.map((/** @type {any} */ each) => h("li", { value: each.n },
    citation(each.n, known, each.title), " ", isRepeated(each.quote, answer.text) ? "" : h("q", {}, brief(each.quote)), " ", h("span", { class: "small" }, placeOf(each))));
  parts.sources.replaceChildren(...(sources.length ? [h("h3", {}, "Sources"), h("ol", { class: "sources" }, sources)] : []));
  parts.foot.replaceChildren(h("a", { href: addressOf(known.run_id) }, "This answer"));
  if (!isFile) parts.foot.append(", ", h("a", { href: at(`v1/runs/${known.run_id}`), type: "application/json" }, "as JSON"));
  for (const note of answer.notes) parts.foot.append(h("br"), note);
}

/**
 * The odds or the comparison of a finding; the lines that its table tells as well are added to `tabled`.
 * @param {any} finding
 * @param {Known} known
 * @param {Set<string>} tabled
 */
function pictureOf(finding, known, tabled) {
  if (finding.values?.combatants?.length > 1) return odds(finding.values);
  return comparison(finding.values, (label) => {
    const step = finding.steps.find((/** @type {any} */ each) => each.text.startsWith(`${label}: `));
    const marks = (step?.cites ?? []).map((/** @type {number} */ n) => `[${n}]`).join("");
    if (step) tabled.add(`- ${step.text} ${marks}`.trim());
    return cited(marks, known);
  });
}

/**
 * Whether a text has a sentence as it was quoted.
 * @param {string} quote
 * @param {string} text
 */
const isRepeated = (quote, text) => quote.length >= SENTENCE && text.includes(quote);

/**
 * A quote that is not so long that nobody reads it; the panel has all of it.
 * @param {string} quote
 */
const brief = (quote) => quote.length <= QUOTED ? quote : `${quote.slice(0, quote.lastIndexOf(" ", QUOTED))} …`;

/**
 * The text without the lines that a box of what was not found tells as well.
 * @param {any} answer
 */
function withoutMissing({ text, unanswered }) {
  const isTold = (/** @type {string} */ line) => unanswered.some((/** @type {any} */ { need, tried }) =>
    tried.length && [need, ...tried].every((each) => line.includes(each)) && !/^- |\[\d+\]$/.test(line));
  return text.split("\n").filter((/** @type {string} */ line) => !isTold(line)).join("\n");
}

/**
 * The lines of a text; those that begin with a dash are a list, and `[n]` leads to its source.
 * @param {string} text
 * @param {Known} known
 * @param {Set<string>} tabled lines that a table tells
 */
function paragraphs(text, known, tabled) {
  const made = [];
  for (const line of text.split("\n")) {
    if (tabled.has(line)) continue;
    if (line.startsWith("- ")) {
      if (made.at(-1)?.tagName !== "UL") made.push(h("ul", { class: "working" }));
      made.at(-1)?.append(h("li", { class: line.startsWith("- assumed: ") ? "assumed" : null }, cited(line.slice(2), known)));
    } else if (line) made.push(h("p", {}, cited(line, known)));
  }
  return made;
}

/**
 * @param {string} line
 * @param {Known} known
 */
function cited(line, known) {
  const numbers = new Set(known.answer.citations.map((/** @type {any} */ each) => each.n));
  return line.split(/(\[\d+\])/).map((part) => {
    const n = /^\[\d+\]$/.test(part) ? Number(part.slice(1, -1)) : NaN;
    return numbers.has(n) ? citation(n, known, part) : part.replace(/ $/, "\u00a0");
  });
}

/**
 * What was needed and not found, never folded.
 * @param {any} missing
 * @param {string} where
 * @param {() => void} askMore
 */
function missingOf(missing, where, askMore) {
  return h("section", { class: "missing" },
    h("h3", {}, missing.error ? "Not looked up" : `Not found in ${where}`),
    h("p", {}, h("strong", {}, missing.need), missing.error && `: ${missing.error}`),
    missing.absent.length > 0 && h("p", {}, "Nowhere in it: ", missing.absent.flatMap((/** @type {string} */ each, /** @type {number} */ place) => [place ? ", " : "", h("em", {}, each)]), "."),
    h("p", {}, "Looked for: ", missing.tried.length === 1 && h("q", {}, missing.tried[0])),
    missing.tried.length > 1 && h("ul", {}, missing.tried.map((/** @type {string} */ each) => h("li", {}, each))),
    !isFile && h("button", { type: "button", click: askMore }, "Look through more (30 passages)"));
}
