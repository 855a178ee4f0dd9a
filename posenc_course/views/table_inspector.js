// Paste a table, and Python says what it is: the kernel where one runs, and in the built book the
// worker of the page (theme/static/python.js), after the reader's consent.

import { Figure, clamp, node } from "./shared.js";

// The numbers as the picture shows them; how they are read and judged is said by Python. No rows
// where they are of different lengths, or single numbers.
function rowsOf(text) {
  // The innermost brackets, as NumPy and PyTorch print rows, or lines.
  const pieces = text.includes("[") ? (text.match(/\[[^[\]]*\]/g) ?? []) : text.split("\n");
  const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g;
  const rows = pieces
    .map((piece) => (piece.match(number) ?? []).map(Number))
    .filter((row) => row.length);
  return rows.every((row) => row.length > 1 && row.length === rows[0].length) ? rows : [];
}

export function render(context) {
  const view = new Figure(context, "Your table");
  const samples = view.get("_samples") ?? window.posencTables ?? []; // none where a still is drawn
  const known = new Map(samples.map(([, text, answer]) => [text, answer]));
  known.set(view.get("table"), view.get("_answer"));
  const plan = (width) => {
    const rows = rowsOf(view.get("table"));
    return { width, rows, tall: rows.length ? clamp(rows.length * 14, 28, 160) + 44 : 60 };
  };
  view.canvas(plan, (pen, { width, rows, tall }, colour) => {
    if (!rows.length) {
      pen.label(colour.quiet, "no table yet", width / 2, 34, "center");
      return;
    }
    const shown = rows.slice(0, 200); // the picture is at most 160 pixels high
    const most = shown.flat().reduce((least, entry) => Math.max(least, Math.abs(entry)), 0) || 1;
    pen.image(shown, most, 0, 0, width, tall - 44);
    const size = `${rows.length} row${rows.length > 1 ? "s" : ""} of ${rows[0].length} columns`;
    pen.label(colour.quiet, size, 0, tall - 12);
    pen.colourBar(width, tall - 20, most);
  });

  view.say = () => {
    const said = known.get(view.get("table")) ?? "";
    const end = said.indexOf(":") + 1;
    view.read(`{strong|${said.slice(0, end)}}${said.slice(end)}`);
    return said;
  };

  const row = view.row("try");
  const told = node("p", { role: "status", class: "try-told" });
  async function ask() {
    const text = view.get("table");
    const read = "from posenc_check.pasted import verdict";
    const code = `${read}\nprint(verdict(${JSON.stringify(text)}))`;
    const printed = await window.bookPython(code, told, input);
    if (printed === null) return;
    known.set(text, printed.trimEnd());
    update();
  }
  const go = view.button(row, "Say what it is", ask);
  go.title = "Python of this page reads it; nothing leaves the page";
  row.append(told);
  function update() {
    const idle = known.has(view.get("table")) || !window.bookPython;
    row.style.display = idle ? "none" : "";
    told.textContent = "";
    view.refresh();
  }
  const area = node("textarea", { rows: 6, spellcheck: "false", autocomplete: "off" });
  const input = view.tied(area, "table", "value");
  view
    .labelled(input, "table", "paste rows of a table", () => "")
    .parentElement.classList.add("posenc-across");
  view.watch("_answer", () => {
    known.set(view.get("table"), view.get("_answer"));
    update();
  });
  const options = samples.map(([name], at) => node("option", { value: at }, name));
  const choices = node("select", {}, node("option", { value: "" }, "a table to try"), ...options);
  choices.addEventListener("change", () => {
    if (choices.value !== "") view.set({ table: samples[choices.value][1] });
  });
  const name = node("span", { class: "posenc-name" }, "or take one of these");
  view.controls.append(node("label", {}, name, choices), row);
  view.follow("table", update);
  return view.start(["table"]);
}
