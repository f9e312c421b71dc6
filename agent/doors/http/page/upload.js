// @ts-check
/** Files that are sent to be read, one after the other, each with how far it is. */

import { events, request } from "./api.js";
import { counted, h } from "./draw.js";

const uploadBox = /** @type {HTMLElement} */ (document.getElementById("upload"));
const uploadForm = /** @type {HTMLFormElement} */ (uploadBox.querySelector("form"));
const list = /** @type {HTMLElement} */ (document.getElementById("uploads"));

/** @param {() => void} onDone called when there is more to ask than before */
export function offerUpload(onDone) {
  uploadForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(uploadForm);
    const files = /** @type {File[]} */ (data.getAll("files"));
    const lines = files.map((file) => h("li", {}, `${file.name}: waiting`));
    list.replaceChildren(...lines);
    for (const [place, file] of files.entries()) await send(file, String(data.get("collection")), lines[place]);
    onDone();
  });
}

/**
 * @param {File} file
 * @param {string} collection
 * @param {HTMLElement} line tells how far it is
 */
async function send(file, collection, line) {
  const bar = /** @type {HTMLProgressElement} */ (h("progress", { "aria-label": `Reading ${file.name}` }));
  line.replaceChildren(`${file.name}: sending and reading `, bar);
  const path = `v1/collections/${encodeURIComponent(collection)}/files/${encodeURIComponent(file.name)}`;
  try {
    const response = await request(path, { method: "PUT", body: file, headers: { Accept: "text/event-stream" } });
    if (!response.ok) return tellProblem(line, file, await response.json());
    for await (const [name, data] of events(response)) {
      if (name === "progress") {
        line.replaceChildren(`${file.name}: ${data.stage} ${data.done} of ${data.total} `, bar);
        bar.max = data.total;
        bar.value = data.done;
      } else if (name === "ingested") tellReport(line, file, data);
      else if (name === "error") tellProblem(line, file, data);
    }
  } catch {
    tellProblem(line, file, { title: "The server can't be reached", detail: "See whether it is running." });
  }
}

/**
 * @param {HTMLElement} line
 * @param {File} file
 * @param {any} report
 */
function tellReport(line, file, report) {
  const before = report.unchanged ? `, ${report.unchanged} as before` : "";
  const done = `${counted(report.chunks, "chunk")} and ${counted(report.tables, "table")}${before}`;
  const wrong = [...report.failed.map((/** @type {any} */ each) => `${each.file}: ${each.reason}`), ...report.warnings];
  line.replaceChildren(`${file.name}: ✓ ${done}, in ${report.collection}`, wrong.length ? h("ul", {}, wrong.map((each) => h("li", {}, each))) : "");
}

/**
 * @param {HTMLElement} line
 * @param {File} file
 * @param {any} problem
 */
function tellProblem(line, file, problem) {
  line.replaceChildren(`${file.name}: ✗ ${problem.title}: ${problem.detail}`);
}
