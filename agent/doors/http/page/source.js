// @ts-check
/** The panel beside an answer: the very table or text that a citation is of. */

import { addressOf, at, isFile, request } from "./api.js";
import { h, problem, quotedCells, sourceTable } from "./draw.js";

/** @typedef {import("./api.js").Known} Known */

const panel = /** @type {HTMLElement} */ (document.getElementById("source"));
/** @type {HTMLElement | null} What the panel was opened from. */
let opener = null;
/** What was asked for last; what comes for an earlier click is not shown. */
let latest = "";

/** @param {any} citation */
const pageOf = ({ page, page_label: label }) => (page === null ? "" : `page ${page}${label ? ` (printed ${label})` : ""}`);

/** @param {any} citation */
export const placeOf = (citation) =>
  [citation.source, pageOf(citation), citation.line === null ? "" : `line ${citation.line}`, citation.address ?? "",
    citation.inferred ? "table structure inferred" : ""].filter(Boolean).join(", ");

/**
 * A link that opens the panel.
 * @param {number} n
 * @param {Known} known
 * @param {string} label
 */
export function citation(n, known, label) {
  const href = `${addressOf(known.run_id)}#c${n}`;
  return h("a", { class: label.startsWith("[") ? "cite" : null, href, click: (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, "", href);
    opener = /** @type {HTMLElement} */ (event.currentTarget);
    openPanel(n, known);
  } }, label);
}

/**
 * Open what a citation is of: the very table with its cell marked, or the text.
 * @param {number} n
 * @param {Known} known
 */
export async function openPanel(n, known) {
  const found = known.answer?.citations.find((/** @type {any} */ each) => each.n === n);
  if (!found) return;
  const cell = found.cell, query = cell ? `?${new URLSearchParams(cell)}` : "";
  const path = `v1/collections/${encodeURIComponent(known.collection)}/chunks/${found.chunk_id.split("/").map(encodeURIComponent).join("/")}${query}`;
  const opening = (latest = path + n);
  const response = await request(path);
  const chunk = await response.json();
  if (latest !== opening) return;
  const close = h("button", { type: "button", click: closePanel, "aria-label": "Close the source (Esc)", title: "Esc closes it too" }, "✕ Close");
  const page = isFile ? [] : [", ", h("a", { href: at(path) }, "on a page of its own")];
  const head = [h("div", { class: "top" }, h("h2", { id: "source-title" }, `[${n}] ${found.title}`), close), h("p", { class: "small" }, placeOf(found), ...page)];
  panel.hidden = false;
  tellOpen(`${addressOf(known.run_id)}#c${n}`);
  document.documentElement.classList.add("reading");
  if (!response.ok) return panel.replaceChildren(...head, problem(chunk));
  const marks = chunk.tables.map((/** @type {any} */ each, /** @type {number} */ place) =>
    cell ? (cell.table === place ? [cell] : []) : quotedCells(each, found.quote, namesIn(known.answer)));
  const tables = chunk.tables.map((/** @type {any} */ each, /** @type {number} */ place) => sourceTable(each, marks[place], found.title));
  const isMarked = marks.some((/** @type {any[]} */ each) => each.length);
  panel.replaceChildren(...head, ...(isMarked ? tables : quoted(chunk.text, found.quote, tables)));
  panel.focus({ preventScroll: true });
  const mark = panel.querySelector("mark"), box = mark?.closest(".scroll");
  if (mark && box) toMiddle(mark.getBoundingClientRect(), box);
  (mark ?? panel).scrollIntoView({ block: "nearest", inline: "nearest" });
}

/**
 * Bring what is marked to the middle of the box that its table can be moved in, so that what is around it is seen.
 * @param {DOMRect} mark
 * @param {Element} box
 */
function toMiddle(mark, box) {
  const seen = box.getBoundingClientRect();
  box.scrollTop += mark.top + mark.height / 2 - seen.top - seen.height / 2;
  box.scrollLeft += mark.left + mark.width / 2 - seen.left - seen.width / 2;
}

/**
 * What the things are called that an answer compares.
 * @param {any} answer
 * @returns {string[]}
 */
function namesIn({ findings }) {
  return findings.flatMap((/** @type {any} */ { values }) => Object.values(values?.values ?? {}).flatMap((/** @type {any} */ each) => Object.keys(each ?? {})));
}

/**
 * A text with what was quoted of it marked.
 * @param {string} text
 * @param {string} quote
 * @param {HTMLElement[]} tables
 */
function quoted(text, quote, tables) {
  const start = text.indexOf(quote);
  if (start < 0) return [h("p", {}, h("mark", {}, quote)), ...tables, h("p", { class: "text" }, text)];
  return [h("p", { class: "text" }, text.slice(0, start), h("mark", {}, quote), text.slice(start + quote.length)), ...tables];
}

/**
 * Tell the marks of a citation that is open from the others.
 * @param {string} href
 */
function tellOpen(href) {
  for (const mark of document.querySelectorAll("a.cite")) {
    if (mark.getAttribute("href") === href) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
  }
}

export function closePanel() {
  latest = "";
  if (panel.hidden) return;
  tellOpen("");
  panel.hidden = true;
  panel.replaceChildren();
  document.documentElement.classList.remove("reading");
  if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
  opener?.focus();
  opener = null;
}
