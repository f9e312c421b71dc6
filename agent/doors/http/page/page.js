// @ts-check
/** Asks, and shows what comes as it comes. Knows the HTTP API and nothing else. */

import { showAnswer, stateOf, statusOf } from "./answer.js";
import { addressOf, events, fold, isFile, request } from "./api.js";
import { counted, h, problem } from "./draw.js";
import { showPlan } from "./plan.js";
import { closePanel, openPanel } from "./source.js";
import { offerUpload } from "./upload.js";

/** @typedef {import("./api.js").Known} Known */
/** @typedef {{known: Known, article: HTMLElement, parts: Record<string, HTMLElement>, lines: Map<string, HTMLElement>}} Shown */

const form = /** @type {HTMLFormElement} */ (document.getElementById("ask"));
const question = /** @type {HTMLTextAreaElement} */ (document.getElementById("question"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const following = /** @type {HTMLInputElement} */ (document.querySelector("#following input"));

/** So many files of a collection are told at once. */
const FILES = 24;
/** @type {Shown | null} The latest question, which the address is about. */
let current = null;
/** @type {Record<string, any> | null} What was asked last, as it was sent. */
let asked = null;
/** @type {AbortController | null} */
let asking = null;

/**
 * Ask, and show it.
 * @param {string} text
 * @param {Record<string, any>} [options]
 */
async function ask(text, options = {}) {
  const goesOn = current?.known.answer && following.checked;
  const after = goesOn && current ? [current.known.run_id] : [];
  const collection = new FormData(form).get("collection") || null;
  await post({ question: text, collection, options, after, debug: true }, Boolean(goesOn));
}

/**
 * @param {Record<string, any>} body
 * @param {boolean} goesOn
 */
async function post(body, goesOn) {
  asked = body;
  await follow(body.question, goesOn, (signal) => request("v1/ask", {
    method: "POST", signal, body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
  }));
}

/**
 * Show a question that was asked before, or is being answered.
 * @param {string} runId
 */
async function recall(runId) {
  asked = null;
  await follow("", false, (signal) => request(`v1/runs/${encodeURIComponent(runId)}/events`, { signal }));
}

/**
 * Show what a stream tells; where there is none, the problem.
 * @param {string} text
 * @param {boolean} goesOn
 * @param {(signal: AbortSignal) => Promise<Response>} send
 */
async function follow(text, goesOn, send) {
  asking?.abort();
  const control = (asking = new AbortController());
  closePanel();
  const shown = begin(text, goesOn);
  const known = shown.known;
  try {
    const response = await send(control.signal);
    if (!response.ok) known.problem = await response.json();
    else for await (const [name, data] of events(response)) {
      fold(known, name, data);
      if (name === "run") settle(known);
      show(shown);
    }
    if (!known.answer) known.problem ??= { title: "The answer broke off", detail: "Ask again." };
  } catch (error) {
    if (control.signal.aborted) return void shown.article.remove();
    known.problem = { title: "The server can't be reached", detail: "See whether it is running, and ask again." };
  }
  if (known.problem) show(shown);
  else fromAddress();
}

/**
 * The address is that of the run, so that it can be shared.
 * @param {Known} known
 */
function settle(known) {
  const path = addressOf(known.run_id);
  if (location.search) history.replaceState(null, "", path);
  else if (location.href.split("#")[0] !== path) history.pushState(null, "", path);
  document.title = `${known.question} – versus`;
  question.value = known.question;
}

/**
 * An empty place for an answer; the answers that it goes on from stay below.
 * @param {string} text
 * @param {boolean} goesOn
 * @returns {Shown}
 */
function begin(text, goesOn) {
  const parts = {
    question: h("h2", {}, text), status: h("p", { role: "status", class: "small" }, "Asking…"), said: h("div", { class: "answer" }),
    missing: h("div"), sources: h("div"), tree: h("ul", { class: "plan" }), foot: h("p", { class: "small" }),
  };
  const work = h("details", { class: "work", open: true },
    h("summary", {}, "How it was looked up"), parts.tree);
  const article = h("article", {}, parts.question, parts.status, parts.said, parts.missing, parts.sources, work, parts.foot);
  if (goesOn) said.prepend(article);
  else said.replaceChildren(article);
  /** @type {Known} */
  const known = { run_id: "", question: text, collection: "", plan: null, retrieved: new Map(), needs: [], text: "", answer: null, problem: null };
  return (current = { known, article, parts: { ...parts, work }, lines: new Map() });
}

/** @param {Shown} shown */
function show(shown) {
  const { known, parts } = shown;
  parts.question.textContent = known.question;
  parts.status.textContent = statusOf(known);
  shown.article.dataset.state = stateOf(known);
  showPlan(shown);
  if (known.problem) parts.said.replaceChildren(problem(known.problem));
  else if (known.answer) showEnd(shown);
  else parts.said.replaceChildren(h("p", { class: "unverified" }, known.text));
}

/** @param {Shown} shown */
function showEnd({ known, parts }) {
  showAnswer(known, parts, () => askMore(known));
  /** @type {HTMLDetailsElement} */ (parts.work).open = false;
  /** @type {HTMLElement} */ (document.getElementById("following")).hidden = isFile;
}

/**
 * Ask the same again, in the same conversation, and look through more.
 * @param {Known} known
 */
function askMore({ question, collection }) {
  const again = asked?.question === question ? asked : { question, collection, after: [], debug: true };
  post({ ...again, options: { max_chunks: 30 } }, again.after.length > 0);
}

/** Open the citation that the address names. */
function fromAddress() {
  const named = /^#c(\d+)$/.exec(location.hash);
  if (named && current?.known.answer) openPanel(Number(named[1]), current.known);
}

/** The collections that can be chosen, where there are several. */
async function offerCollections() {
  const box = /** @type {HTMLElement} */ (document.getElementById("collections"));
  const choice = /** @type {HTMLSelectElement} */ (box.querySelector("select"));
  const response = await request("v1/collections");
  if (!response.ok) return;
  const names = (await response.json()).collections.filter((/** @type {any} */ one) => !one.problem && one.chunks !== 0).map((/** @type {any} */ one) => one.name);
  const usual = document.documentElement.dataset.usual ?? "";
  const chosen = choice.value || usual;
  const all = names.includes(usual) ? names : [usual, ...names];
  choice.replaceChildren(...all.map((/** @type {string} */ name) => h("option", { value: name }, name)));
  choice.value = all.includes(chosen) ? chosen : usual;
  box.hidden = all.length < 2;
  await tellContents(choice.value, names.includes(choice.value));
}

/**
 * What there is to ask, as long as nothing is asked.
 * @param {string} name
 * @param {boolean} [isThere]
 */
async function tellContents(name, isThere = true) {
  const welcome = document.getElementById("welcome");
  if (!welcome || !name || name.includes(",")) return;
  document.getElementById("contents")?.remove();
  if (!isThere) {
    const how = [document.getElementById("upload")?.hidden ? " Say " : " Add files above, or say ", h("code", {}, `versus ingest PATH --collection ${name}`)];
    welcome.append(h("section", { id: "contents" }, h("h3", {}, `In ${name}`), h("p", {}, "Nothing yet.", ...how)));
    return;
  }
  const response = await request(`v1/collections/${encodeURIComponent(name)}`);
  if (!response.ok) return;
  const { chunks, tables, sources } = await response.json();
  const files = sources.map((/** @type {any} */ each) => h("li", { title: counted(each.chunks, "passage") }, each.source, " ", h("small", {}, each.chunks)));
  document.getElementById("contents")?.remove(); // another one may have been told meanwhile
  welcome.append(h("section", { id: "contents" }, h("h3", {}, `In ${name}`),
    h("p", {}, `${counted(chunks, "passage")} and ${counted(tables, "table")} of ${counted(sources.length, "file")}`),
    h("ul", { class: "files" }, files.slice(0, FILES)), files.length > FILES && h("details", {}, h("summary", {}, "all files"), h("ul", { class: "files" }, files.slice(FILES)))));
}

form.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement) tellContents(event.target.value);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (question.value.trim()) ask(question.value.trim());
});
question.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") closePanel(); });
addEventListener("hashchange", fromAddress);
addEventListener("popstate", () => {
  const named = /\/r\/([^/#?]+)$/.exec(location.pathname);
  if (named && named[1] !== current?.known.run_id) recall(decodeURIComponent(named[1]));
  else if (!named) location.reload();
});

/** Some browsers look for the icon again when the address changes, from where that is. */
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
icon?.setAttribute("href", icon.href);

const before = document.documentElement.dataset.run;
if (before) recall(before);
if (!form.hidden) {
  offerCollections();
  offerUpload(offerCollections);
}
