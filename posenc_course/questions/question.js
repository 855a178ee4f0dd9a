// A question: it takes an answer, says what is off and nudges, and keeps what was given in this
// browser. The same module serves a widget in Jupyter and a page that has no kernel.

import { _, joined, plural } from "../words.js";

// --- What is kept --------------------------------------------------------------------------

const STORE = "where-words-stand:answers";

// All that is kept, by key. Where storage is blocked or holds something else, nothing is.
function kept() {
  try {
    return Object(JSON.parse(localStorage.getItem(STORE)));
  } catch {
    return {};
  }
}

// What is kept under a key; without an entry the key is forgotten.
function keep(key, entry) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...kept(), [key]: entry }));
  } catch {
    return; // the answer stands on the page and is gone with it
  }
  document.dispatchEvent(new CustomEvent("posenc-answers"));
}

// --- Elements and text ---------------------------------------------------------------------

let count = 0;
const newId = () => `posenc-question-${(count += 1)}`;

function maker(space) {
  return (tag, attributes = {}, ...children) => {
    const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
}
const [make, draw] = [maker("1999/xhtml"), maker("2000/svg")];

// Text whose parts between backticks are code.
function prose(text) {
  return text.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part));
}

// --- Reading a number ----------------------------------------------------------------------

// Sums, products, powers and roots of numbers and π: 2π/3, √2/2, 3·10^4, (1 + √5)/2, -0.5.
function evaluate(text) {
  const tokens = text.match(/(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+*/^√π()]/gi) || [];
  if (tokens.join("") !== text) return NaN;
  const next = (...names) => (names.includes(tokens[0]) ? tokens.shift() : "");
  const power = () => {
    if (next("√")) return Math.sqrt(power());
    let base = NaN;
    if (next("π")) base = Math.PI;
    else if (next("(")) {
      base = sum();
      if (!next(")")) return NaN;
    } else if (/\d/.test(tokens[0])) base = Number(tokens.shift());
    return next("^") ? base ** signed(power) : base; // 10^-4
  };
  const signed = (part) => (next("+", "-") === "-" ? -1 : 1) * part();
  const product = () => {
    let value = power();
    for (;;) {
      if (next("*")) value *= signed(power);
      else if (next("/")) value /= signed(power);
      else if (["√", "π", "("].includes(tokens[0])) value *= power(); // 2π and 2√3, not 2 3
      else return value;
    }
  };
  const sum = () => {
    let value = signed(product);
    while (["+", "-"].includes(tokens[0])) value += signed(product);
    return value;
  };
  const value = sum();
  return tokens.length ? NaN : value;
}

// The numbers a text may mean. "10,000" is ten or ten thousand: whoever types it knows which.
export function readings(typed) {
  const text = typed
    .trim()
    .replace(/[\u2010-\u2015\u2212]/g, "-") // dashes and the true minus
    .replace(/(\d)[\s'_\u2019](?=\d{3}(?!\d))/g, "$1") // 10 000, 10'000 and 10_000
    .replace(/(\d)\s+(?=[\d.,])/g, "$1?") // 1 2 is no number
    .replace(/\s+/g, "")
    .replace(/\*\*/g, "^")
    .replace(/[\u00d7\u00b7\u22c5]/g, "*")
    .replace(/\u00f7/g, "/")
    .replace(/pi/gi, "π")
    .replace(/sqrt/gi, "√");
  const [commaIsPoint, commaParts] = [/,/g, /(\d),(?=\d{3}(?!\d))/g];
  const forms = [text.replace(commaIsPoint, "."), text.replace(commaParts, "$1")];
  return [...new Set(forms.map(evaluate).filter(Number.isFinite))];
}

// A number with the unit that may stand after it. `other` is a unit that is not `asked` for.
export function measured(typed, asked, measure = asked) {
  const values = readings(typed);
  const text = typed.trim().replace(/pi/gi, "π"); // or it would be read as a unit
  // What ends in a digit, a point, a bracket or π, and after it letters that do not begin with π.
  const [, number, after] = text.match(/^(.*?[\d.)π])\s*((?!π)[\p{L}°%][\p{L}°%\s/]*)$/iu) || [];
  if (values.length || !after) return { values, other: "" };
  const unit = after.toLowerCase().replace("°", "degrees");
  return {
    values: readings(number),
    other: [asked, measure].some((one) => one.startsWith(unit)) ? "" : unit,
  };
}

// --- What is off ---------------------------------------------------------------------------

// Within the tolerance, and a billionth more: answers are stored to ten digits.
export function near(value, target, tolerance) {
  return Math.abs(value - target) <= tolerance * (1 + 1e-9) + 1e-9 * Math.abs(target);
}

// The hint of a typical wrong answer, if it is that: a wide tolerance, for an answer of which much
// is right, does not make 5 the typical 10 000.
function typical(ask, value) {
  const room = (wrong) => Math.min(ask.tolerance, Math.abs(wrong) / 20);
  const [, hint] = ask.wrong.find(([wrong]) => near(value, wrong, room(wrong))) || [];
  return hint;
}

// So near that it is worth a word, and not right: by a twentieth of the answer or of a slider.
function nearly(ask, value) {
  const range = ask.kind === "predict" ? ask.high - ask.low : 0;
  return Math.abs(value - ask.answer) <= Math.max(Math.abs(ask.answer), range) / 20;
}

// What to say of a wrong number that has no hint: its sign, its unit, or where the answer is.
export function direction(ask, value) {
  const { answer, tolerance } = ask;
  const unit = ask.measure ?? ask.unit; // in English
  const slack = Math.max(tolerance, Math.abs(answer) * 0.01); // two digits show a wrong unit
  const degreesPerRadian = 180 / Math.PI;
  if (answer && near(-value, answer, tolerance)) return _("The size fits. Look at the sign.");
  if (/radian/.test(unit) && answer && near(value / degreesPerRadian, answer, slack))
    return _("That looks like degrees. The answer is asked for in radians.");
  if (/degree/.test(unit) && answer && near(value * degreesPerRadian, answer, slack))
    return _("That looks like radians. The answer is asked for in degrees.");
  const close = nearly(ask, value);
  if (!close && value * answer < 0) return _("Look at the sign.");
  const larger = value > answer;
  if (answer < 0) {
    if (larger && close) return _("Nearly. The answer is further below 0.");
    if (larger) return _("The answer is further below 0.");
    return close ? _("Nearly. The answer is nearer to 0.") : _("The answer is nearer to 0.");
  }
  if (larger) return close ? _("Nearly. That is a little too large.") : _("That is too large.");
  return close ? _("Nearly. That is a little too small.") : _("That is too small.");
}

// --- The verdict ---------------------------------------------------------------------------
// What a question says to what is given, as data: `right`, or the words for what is off
// (`wrong`), for what is still to come (`partly`), for what cannot be read (`unread`), or, after
// a prediction, for how it is (`seen`).

const UNREAD = _(
  "That does not read as a number. Type it like 0.25, 1/4, \u22123, 2π, √2/2, 10^-4 or 3e5.",
);

function judgeNumber(ask, given) {
  if (!given.trim()) return { unread: _("Type a number first.") };
  const { values, other } = measured(given, ask.unit, ask.measure);
  if (!values.length) return { unread: UNREAD };
  if (other) {
    const unit = ask.unit
      ? _("The answer is asked for in {unit}. Type the number alone.", { unit: ask.unit })
      : _("The answer has no unit. Type the number alone.");
    return { unread: unit };
  }
  if (values.some((value) => near(value, ask.answer, ask.tolerance))) return { right: true };
  const hint = values.map((value) => typical(ask, value)).find(Boolean);
  return { wrong: hint || `${direction(ask, values[0])} ${ask.nudge}` };
}

function judgeChoice(ask, given) {
  const none = ask.several ? _("Tick at least one.") : _("Choose one first.");
  if (!given.length) return { unread: none };
  const extra = given.filter((place) => !ask.answer.includes(place));
  const missing = ask.answer.filter((place) => !given.includes(place));
  if (!extra.length && !missing.length) return { right: true };
  const same = ([places]) => String(places) === String(given);
  const among = ([places]) => places.length === 1 && extra.includes(places[0]);
  const found = ask.wrong.find(same) || ask.wrong.find(among);
  if (found) return { wrong: found[1] };
  if (!ask.several) return { wrong: ask.nudge };
  const what = extra.length
    ? _("At least one that you ticked does not hold.")
    : _("All that you ticked hold, but there is more.");
  return { wrong: `${what} ${ask.nudge}` };
}

// `marks` says of each cell whether it is right; null where nothing is filled in.
function judgeBlanks(ask, given) {
  const cells = given.map((text, at) => ({
    at,
    filled: Boolean(text.trim()),
    values: readings(text),
  }));
  const fits = ({ at, values }, table) =>
    values.some((value) => near(value, table.flat()[at], ask.tolerance));
  for (const cell of cells) cell.right = fits(cell, ask.answer);
  const filled = cells.filter((cell) => cell.filled);
  if (!filled.length) return { unread: _("Fill in a cell first.") };
  const marks = cells.map((cell) => (cell.filled ? cell.right : null));
  if (filled.some(({ values }) => !values.length))
    return { marks, unread: `${UNREAD} ${_("Look at the cells marked \u2717.")}` };
  const empty = cells.length - filled.length;
  const rest = plural("{count} cell is still empty.", "{count} cells are still empty.", empty);
  const off = filled.filter((cell) => !cell.right);
  if (!off.length)
    return empty ? { marks, partly: `${_("So far all fit.")} ${rest}` } : { marks, right: true };
  // A typical wrong table speaks only where the whole answer is that table.
  const whole = ([table]) => cells.every((cell) => fits(cell, table));
  const [, hint] = ask.wrong.find(whole) || [];
  const marked = plural(
    "One cell is off, marked \u2717.",
    "{count} cells are off, marked \u2717.",
    off.length,
  );
  if (hint) return { marks, wrong: `${marked} ${hint}` };
  const count = filled.length - off.length;
  const fitting = plural("{count} of {all} fits.", "{count} of {all} fit.", count, {
    all: cells.length,
  });
  const part = count ? `${fitting} ` : "";
  return { marks, wrong: `${part}${marked} ${empty ? `${rest} ` : ""}${ask.nudge}` };
}

// A number of the slider, with the digits of its step.
function setting(ask, value) {
  const digits = (String(ask.step).split(".")[1] || "").length;
  return `${value.toFixed(digits).replace("-", "\u2212")} ${ask.unit}`.trim();
}

function judgePrediction(ask, given) {
  if (near(given, ask.answer, ask.tolerance)) return { right: true };
  const values = { set: setting(ask, given), answer: ask.shown };
  const answer = nearly(ask, given)
    ? _("Nearly: you set {set}; it is {answer}.", values)
    : _("You set {set}; it is {answer}.", values);
  const words = [answer, typical(ask, given) || ask.nudge, ask.because];
  return { seen: words.filter(Boolean).join(" ") };
}

const JUDGES = {
  number: judgeNumber,
  choice: judgeChoice,
  blanks: judgeBlanks,
  predict: judgePrediction,
};

export const judge = (ask, given) => JUDGES[ask.kind](ask, given);

// --- The kinds -----------------------------------------------------------------------------
// Each gives its elements, its inputs among them, what is given by their values (`read`), their
// `values` by what is given, and how the right answer is `shown`.

function field(attributes) {
  return make("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
}

function number(ask) {
  const input = field({ inputmode: ask.keypad });
  const unit = ask.unit ? [" ", make("span", { class: "posenc-unit" }, ask.unit)] : [];
  const name = make("span", { class: "posenc-lead" }, _("Your answer"));
  return {
    body: [make("label", {}, name, input, ...unit)],
    inputs: [input],
    read: ([text]) => text,
    values: (given) => [given],
    shown: () => _("{answer}.", { answer: ask.shown }),
  };
}

// Radio buttons or checkboxes, and which of them are ticked.
function choice(ask) {
  const [name, type] = [newId(), ask.several ? "checkbox" : "radio"];
  const inputs = ask.options.map((option, place) => make("input", { type, name, value: place }));
  const labels = ask.options.map((option, place) =>
    make("label", { class: "posenc-option" }, inputs[place], make("span", {}, ...prose(option))),
  );
  return {
    body: [make("div", { class: "posenc-options" }, ...labels)],
    inputs,
    read: (ticks) => ticks.flatMap((tick, place) => (tick ? [place] : [])),
    values: (given) => inputs.map((input, place) => given.includes(place)),
    shown: () => {
      const right = ask.answer.map((place) => `\u201c${ask.options[place]}\u201d`);
      const and = _(" and ");
      return _("{answer}.", { answer: right.join(and) });
    },
  };
}

// What has no name is no heading: a screen reader would announce an empty one.
function heading(text, scope) {
  return text ? make("th", { scope }, ...prose(text)) : make("td");
}

function blanks(ask) {
  const cells = [];
  const rows = ask.rows.map((row) => {
    const boxes = ask.columns.map((column) => {
      const name = [row, column].filter(Boolean).join(", ");
      const input = field({ inputmode: ask.keypad, "aria-label": name });
      const mark = make("span", { class: "posenc-mark", "aria-hidden": "true" });
      cells.push({ input, mark });
      return make("td", {}, make("span", { class: "posenc-cell" }, input, mark));
    });
    return make("tr", {}, heading(row, "row"), ...boxes);
  });
  const heads = ["", ...ask.columns].map((text) => heading(text, "col"));
  const table = make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...rows),
  );
  const mark = (cell, sign) => {
    cell.mark.textContent = sign;
    cell.input.setAttribute("aria-invalid", String(sign === "\u2717"));
  };
  for (const cell of cells) cell.input.addEventListener("input", () => mark(cell, ""));
  return {
    body: [make("div", { class: "posenc-across" }, table)],
    inputs: cells.map(({ input }) => input),
    read: (texts) => texts,
    values: (given) => given,
    mark(marks) {
      cells.forEach((cell, place) => {
        const right = marks[place];
        mark(cell, right === null ? "" : right ? "\u2713" : "\u2717");
      });
    },
    shown() {
      cells.forEach((cell, place) => {
        cell.input.value = ask.shown.flat()[place];
        mark(cell, "\u2713");
      });
      return _("it stands in the table.");
    },
  };
}

// Set, commit, and only then see: the answer, and with it a curve, beside the guess.
function predict(ask) {
  const stage = make("div", { class: "posenc-stage" });
  const ends = { min: ask.low, max: ask.high, step: ask.step, value: ask.start };
  const input = make("input", { type: "range", ...ends });
  const value = make("b", { "aria-hidden": "true" });
  const name = make("span", { class: "posenc-name" }, make("span", {}, _("Your guess")), value);
  let seen = false;
  const picture = () => {
    const width = stage.clientWidth;
    if (width) stage.replaceChildren(plot(ask, Number(input.value), seen, width));
  };
  input.addEventListener("input", () => {
    value.textContent = setting(ask, Number(input.value));
    input.setAttribute("aria-valuetext", value.textContent);
    picture();
  });
  new ResizeObserver(picture).observe(stage);
  return {
    body: [stage, make("label", {}, name, input)],
    inputs: [input],
    read: ([text]) => Number(text),
    values: (given) => [given],
    verb: _("This is my guess"),
    commit(done) {
      seen = done;
      input.disabled = done;
      picture();
    },
  };
}

const KINDS = { number, choice, blanks, predict };

// --- Drawing a prediction ------------------------------------------------------------------

const label = (x, y, text, attributes = {}) => draw("text", { x, y, ...attributes }, text);
const line = (x1, x2, y1, y2, kind) => draw("line", { x1, x2, y1, y2, class: kind });
const shortly = (value) => String(Number(value.toPrecision(6))).replace("-", "\u2212");

// Round numbers from low to high, about as many as asked for.
function ticksFrom(low, high, most) {
  const least = (high - low) / most; // the smallest step that gives so few
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((times) => times * power >= least) * power;
  // An end that is a multiple of the step has a tick, though the division may be a little off.
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (none, place) => (first + place) * step);
}

const anchor = (x, width) => (x < 60 ? "start" : x > width - 60 ? "end" : "middle");

// The guess on a number line, or in axes whose curve comes with the answer.
function plot(ask, guess, seen, width) {
  const curve = ask.x.length > 0;
  const upright = ask.at !== null;
  const height = curve ? 256 : 92;
  const [left, right, top] = [curve ? 48 : 14, width - (curve ? 10 : 14), 42];
  const bottom = curve ? height - 44 : top;
  const values = { guess: setting(ask, guess), answer: ask.shown };
  const name = seen
    ? _("Your guess: {guess}. The answer: {answer}.", values)
    : _("Your guess: {guess}.", values);
  const svg = draw("svg", { width, height, role: "img", "aria-label": name });
  const span = (values, guessed) => {
    const all = guessed ? [...values, ask.low, ask.high] : values;
    return [Math.min(...all), Math.max(...all)];
  };
  const [x0, x1] = span(ask.x, !upright);
  const [y0, y1] = span(ask.y, upright);
  const to = (x) => left + ((x - x0) / (x1 - x0)) * (right - left);
  const up = (y) => bottom - ((y - y0) / (y1 - y0 || 1)) * (bottom - top);
  if (curve) {
    for (const value of ticksFrom(y0, y1, 4)) {
      svg.append(line(left, right, up(value), up(value), "grid"));
      const middle = { "text-anchor": "end", "dominant-baseline": "middle" };
      svg.append(label(left - 6, up(value), shortly(value), middle));
    }
    svg.append(label(right, height - 8, ask.x_label, { "text-anchor": "end" }));
    svg.append(label(2, 13, ask.y_label));
  }
  svg.append(line(left, right, bottom, bottom, "axis"));
  // The answer has its number on the axis, and the axis none beside it.
  const beside = (x) => Math.abs(x - to(ask.answer)) <= 18 + 4 * ask.shown.length;
  for (const value of ticksFrom(x0, x1, width / 90)) {
    const x = to(value);
    svg.append(line(x, x, bottom, bottom + 5, "axis"));
    if (upright || !seen || !beside(x))
      svg.append(label(x, bottom + 20, shortly(value), { "text-anchor": "middle" }));
  }
  if (curve && seen) {
    const points = ask.x.map((x, place) => [to(x), up(ask.y[place])]);
    svg.append(draw("polyline", { points: points.join(" "), class: "curve" }));
  }
  // A number is a line across the axes, and a ring or a dot where one point of it is asked for.
  const mark = (value, kind, text, level) => {
    const [x, y] = upright ? [to(ask.at), up(value)] : [to(value), bottom];
    if (curve)
      svg.append(line(...(upright ? [left, right, y, y] : [x, x, top, y]), `${kind}-line`));
    const r = kind === "guess" ? 8 : 5;
    if (upright || !curve) svg.append(draw("circle", { cx: x, cy: y, r, class: kind }));
    const place = upright ? [right, y - 8] : [x, level];
    const side = upright ? "end" : anchor(x, width);
    svg.append(label(...place, text, { "text-anchor": side, class: `${kind}-name` }));
  };
  if (seen) {
    const crowded = upright && Math.abs(up(guess) - up(ask.answer)) <= 18;
    mark(ask.answer, "answer", crowded ? "" : ask.shown, bottom + 20);
  }
  mark(guess, "guess", _("your guess"), top - (curve ? 6 : 18));
  return svg;
}

// --- A question on the page ----------------------------------------------------------------

export function render({ model, el }) {
  const ask = model.get("question");
  const part = KINDS[ask.kind](ask);
  let entry; // what is kept: the answer given, wrong tries, whether it is shown or done

  const reply = make("p", { class: "posenc-reply", role: "status", id: newId() });
  const check = make("button", { type: "submit" }, part.verb || _("Check"));
  const show = make("button", { type: "button", hidden: "" }, _("Show the answer"));
  const again = make(
    "button",
    { type: "button", hidden: "", class: "posenc-again" },
    _("Start over"),
  );
  const title = make("legend", {}, ...prose(ask.text));
  const row = make("div", { class: "posenc-row" }, check, show, again);
  const inside = make("div", { class: `posenc-fields posenc-${ask.kind}` }, ...part.body, row);
  const box = make("fieldset", {}, title, inside);
  const form = make("form", { novalidate: "" }, box, reply);
  for (const input of part.inputs) input.setAttribute("aria-describedby", reply.id);
  el.classList.add("posenc", "posenc-question");
  el.replaceChildren(form);

  const say = (lead, words) => {
    // `joined` puts a space between the two in English, and none in Chinese.
    const afterLead = joined(lead, words).slice(lead.length);
    reply.replaceChildren(make("b", {}, lead), ...prose(afterLead));
  };

  const property = ask.kind === "choice" ? "checked" : "value";
  const given = () => part.read(part.inputs.map((input) => input[property]));
  const tell = () => part.inputs.forEach((input) => input.dispatchEvent(new Event("input")));

  const settle = () => {
    el.dataset.answer = entry ? (entry.done ? "done" : "open") : "";
    show.hidden = !entry || entry.done || entry.tries < 2;
    again.hidden = !entry;
    check.hidden = Boolean(part.commit && entry);
    if (part.commit) part.commit(Boolean(entry));
  };

  // Put what is given to the test, and say what comes of it.
  const answer = (tried) => {
    const { right, wrong, partly, unread, seen, marks } = judge(ask, given());
    if (marks) part.mark(marks);
    if (ask.kind === "number") part.inputs[0].setAttribute("aria-invalid", String(!right && !seen));
    if (unread) {
      say("", unread);
      return false;
    }
    const before = entry || { tries: 0, done: false };
    const done = Boolean(right || seen || before.done);
    entry = { given: given(), tries: before.tries + Number(tried && Boolean(wrong)), done };
    if (right) say(_("Yes."), ask.because);
    else if (wrong) say(_("Not yet."), wrong);
    else say("", seen || partly);
    settle();
    return true;
  };

  const reveal = () => {
    say(_("The answer:"), `${part.shown()} ${ask.because}`);
    entry = { ...entry, done: true, shown: true };
    settle();
  };

  const forget = () => {
    entry = undefined;
    form.reset();
    tell();
    reply.replaceChildren();
    for (const input of part.inputs) input.removeAttribute("aria-invalid");
    settle();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!answer(true)) return;
    keep(ask.key, entry);
    if (part.commit) again.focus({ preventScroll: true });
  });
  show.addEventListener("click", () => {
    reveal();
    keep(ask.key, entry);
    part.inputs[0].focus({ preventScroll: true });
  });
  again.addEventListener("click", () => {
    forget();
    keep(ask.key);
    part.inputs[0].focus({ preventScroll: true });
  });
  // JupyterLab would take the keys for its own before an input sees them. Those with Ctrl, Cmd or
  // Shift stay its own: Shift and Enter run the cell.
  el.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.stopPropagation();
  });
  // All answers forgotten, on this page or in another tab.
  document.addEventListener("posenc-forgotten", () => {
    if (entry && !kept()[ask.key]) forget();
  });

  forget();
  entry = kept()[ask.key];
  try {
    if (!entry) return;
    part.values(entry.given).forEach((value, place) => {
      part.inputs[place][property] = value;
    });
    tell();
    if (entry.shown) reveal();
    else if (!answer(false)) forget();
  } catch {
    forget(); // what is kept was given when the question was of another kind
  }
}

// Ask every question that is on the page and not yet asked.
export function mount() {
  for (const el of document.querySelectorAll("[data-question][data-state]")) {
    const question = JSON.parse(el.dataset.state);
    el.removeAttribute("data-state");
    render({ model: { get: () => question }, el });
  }
}
