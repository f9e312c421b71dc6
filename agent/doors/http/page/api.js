// @ts-check
/** The HTTP API: requests, events of a stream, and what they come to. */

/** Where the server is; told once, since the address of the page changes. */
const BASE = new URL(document.documentElement.dataset.base ?? "./", location.href);
/** What a server told, by its addresses, in a page that is one file and asks none. */
const recorded = JSON.parse(document.getElementById("recorded")?.textContent ?? "null");
export const isFile = recorded !== null;

const NOT_IN_FILE = { title: "Not in this file", detail: "What is cited was changed or deleted before the file was written." };

/** @typedef {{run_id: string, question: string, collection: string, plan: any, retrieved: Map<string, any>, needs: string[], text: string, answer: any, problem: any}} Known */

/** @param {string} path */
export const at = (path) => new URL(path, BASE).href;

/**
 * The address of an answer.
 * @param {string} runId
 */
export const addressOf = (runId) => isFile ? location.href.split("#")[0] : at(`r/${runId}`);

/**
 * A request. Where a key is missing, the form for one is shown, which loads the page again; until then nothing comes.
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
export async function request(path, init = {}) {
  if (isFile) return path in recorded ? new Response(recorded[path]) : new Response(JSON.stringify(NOT_IN_FILE), { status: 404 });
  const response = await fetch(at(path), init);
  if (response.status !== 401) return response;
  /** @type {HTMLElement} */ (document.getElementById("key")).hidden = false;
  document.getElementById("key-value")?.focus();
  return new Promise(() => {});
}

/**
 * The events of a stream; lines may end as they like.
 * @param {Response} response
 * @returns {AsyncGenerator<[string, any]>}
 */
export async function* events(response) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest = (rest + decoder.decode(value, { stream: true })).replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1).trim()]));
      const name = fields.get("event"), data = fields.get("data");
      if (name && data) yield [name, JSON.parse(data)];
    }
  }
}

/**
 * What is known after one more event.
 * @param {Known} known
 * @param {string} name
 * @param {any} data
 */
export function fold(known, name, data) {
  if (name === "run") Object.assign(known, data);
  else if (name === "plan") known.plan = data;
  else if (name === "retrieved") known.retrieved.set(data.sub_query, data);
  else if (name === "followup") {
    for (const { need, sub_query } of data.needs) {
      known.needs.push(need);
      known.plan.sub_queries.push(sub_query);
    }
  }
  else if (name === "text") known.text = (data.replace ?? known.text) + (data.delta ?? "");
  else if (name === "error") known.problem = data;
  else if (name === "answer") {
    known.answer = data;
    known.plan = data.plan;
    for (const each of data.retrieved) known.retrieved.set(each.sub_query, each);
  }
}
