// What every view shares: the encoding, colours, a sharp canvas, native controls, and `mount`,
// which gives a view a stand-in for the widget model on a page that has no kernel.

import { _, plural } from "../words.js";

export * from "../words.js";

export const TURN = 2 * Math.PI;

// --- The encoding: pair i of width d turns by base^(-2i/d) radians per token ---------------

export function frequency(pair, width, base) {
  return base ** ((-2 * pair) / width);
}

// One row of the table: column 2i holds the sine of pair i, column 2i + 1 its cosine.
export function encode(position, width, base) {
  const row = new Float64Array(width);
  for (let pair = 0; pair < width / 2; pair += 1) {
    const angle = position * frequency(pair, width, base);
    row[2 * pair] = Math.sin(angle);
    row[2 * pair + 1] = Math.cos(angle);
  }
  return row;
}

// The dot product of two rows.
export function dot(one, other) {
  return one.reduce((sum, entry, column) => sum + entry * other[column], 0);
}

// The length of the difference of two rows.
export function distance(one, other) {
  return Math.sqrt(one.reduce((sum, entry, column) => sum + (entry - other[column]) ** 2, 0));
}

// --- Numbers that look random and are always the same -------------------------------------

// Numbers between −1 and 1 that depend on the name alone (FNV-1a, then mulberry32).
export function scattered(name, count) {
  let seed = 2166136261;
  for (const letter of name) seed = Math.imul(seed ^ letter.codePointAt(0), 16777619);
  return Float64Array.from({ length: count }, () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2147483648 - 1;
  });
}

// --- Numbers as text -----------------------------------------------------------------------

// A number with so many decimals and a true minus; what rounds to 0 has none.
export function fixed(value, digits = 2) {
  const text = value.toFixed(digits); // "-0.00" for -0.001
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

// Thousands set apart by thin spaces.
export function whole(value) {
  return fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// As many decimals as a length of that size needs.
export function rounded(value) {
  return value < 100 ? fixed(value, value < 10 ? 2 : 1) : whole(value);
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

// --- Elements ------------------------------------------------------------------------------

export function node(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// An element with a text that has marks: "{sine|0.84}" becomes a span of that colour. A mark that
// names no colour, as "{strong|2}", leaves it as it is.
export function written(tag, text) {
  const parts = text.split(/(\{.*?\})/).map((part) => {
    const [, tone, words] = part.match(/^\{(\w+)\|(.*)\}$/) ?? [];
    const look = { class: `posenc-${tone}`, style: `color: var(--${tone})` };
    return tone ? node("span", look, words) : part;
  });
  return node(tag, {}, ...parts);
}

// --- A view --------------------------------------------------------------------------------

// Milliseconds after which a finger that rests holds what is under it, and does not scroll.
const PRESSED = 250;
// A hand on its way goes two thirds of what is left in each such time, in milliseconds.
const LAG = 120;
// Where a hand on its way is drawn, and what is said of it: in tenths of a token.
const PARTS = 10;

const COLOURS = "sine cosine shift highlight ink quiet edge line faint ground".split(" ");

export class Figure {
  constructor({ model, el }, name) {
    this.model = model;
    this.stage = node("div", { class: "posenc-stage" });
    this.reading = node("div", { class: "posenc-reading" });
    this.controls = node("div", { class: "posenc-controls", role: "group", "aria-label": name });
    this.spoken = node("p", { class: "posenc-spoken", role: "status" });
    el.classList.add("posenc");
    // "Try this: " is bold, in each language what stands before the first colon, which Chinese
    // writes full-width.
    const [lead] = model.get("_suggestion").match(/^.*?[:\uff1a] ?/) ?? [""];
    const rest = model.get("_suggestion").slice(lead.length);
    const tries = node("p", { class: "posenc-try" }, node("b", {}, lead), rest);
    el.replaceChildren(this.stage, this.reading, tries, this.controls, this.spoken);
    this.el = el;
    // JupyterLab would take the arrow keys for its own before a slider sees them. Keys with Ctrl or
    // Cmd, such as those that save the notebook, stay its own.
    el.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    // Words of the page that can be pressed.
    el.addEventListener("posenc:set", (event) => this.set(event.detail));
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.at = {}; // where each trait is that turns to what is set
    this.labels = []; // what writes the value beside each control
  }

  // What the figure shows of a trait, in its drawing and in all numbers beside it: what is set, or
  // the place where a hand is on its way there.
  get(name) {
    const set = this.model.get(name);
    const at = this.at[name] ?? set;
    return at === set ? set : Math.round(at * PARTS) / PARTS;
  }

  values(...names) {
    return names.map((name) => this.get(name));
  }

  // The least and the most that a trait takes, or all that it takes.
  limits(trait) {
    return this.model.get("_limits")[trait];
  }

  set(changes) {
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.model.save_changes();
  }

  watch(trait, listener) {
    this.model.on(`change:${trait}`, listener);
  }

  // Show a trait now, and again when it changes.
  follow(trait, update) {
    this.watch(trait, update);
    update();
  }

  // What stands below a drawing, a paragraph for each text. Returns it in words: plain sentences,
  // for a screen reader. Many paragraphs have no full stop at their end, and a sentence has one.
  read(...texts) {
    this.reading.replaceChildren(...texts.map((text) => written("p", text)));
    const paragraphs = [...this.reading.childNodes].map(({ textContent }) => textContent);
    return paragraphs.map((words) => words.replace(/\.?$/, ".")).join(" ");
  }

  // Buttons that stand side by side.
  row(also = "") {
    const row = node("div", { class: `posenc-row ${also}` });
    this.controls.append(row);
    return row;
  }

  // A native control, its label and the value beside it, tied to one trait.
  labelled(input, trait, label, show) {
    const value = node("b", { "aria-hidden": "true" }); // a screen reader says that of the control
    const name = node("span", { class: "posenc-name" }, node("span", {}, label), value);
    this.controls.append(node("label", {}, name, input));
    const write = () => {
      value.textContent = show(this.get(trait));
    };
    write();
    this.labels.push(write); // with the drawing, so that both change in the same frame
    this.watch(trait, () => this.refresh());
    return input;
  }

  // A native control that has the value of a trait as one of its properties.
  tied(input, trait, property, read = () => input[property]) {
    input.addEventListener("input", () => this.set({ [trait]: read() }));
    this.follow(trait, () => {
      input[property] = this.get(trait);
    });
    return input;
  }

  // `to` and `from` turn the trait into the slider's own scale and back, for logarithms. `most`
  // is for an end that depends on the trait that `follows` names. Of a trait that takes a few
  // numbers alone, the slider has a step for each: its own scale is their places in the list.
  slider(trait, label, options = {}) {
    const limits = this.limits(trait);
    const few = limits.length > 2; // all that it takes, and not the least and the most
    const count = trait in this.at ? (value) => this.count(value, trait) : String;
    const { step = 1, show = count, accent = "--ink", follows = trait } = options;
    const { most = () => limits.at(-1) } = options;
    const { to = (value) => (few ? limits.indexOf(value) : value) } = options;
    const { from = (value) => (few ? limits[value] : value) } = options;
    const style = `--accent: var(${accent})`;
    const ends = { min: to(limits[0]), max: to(most()) };
    const input = node("input", { type: "range", ...ends, step, style });
    const update = () => {
      // The end may have come down, as the last position does with the length of a text.
      if (this.model.get(trait) > most()) this.set({ [trait]: most() });
      input.max = to(most());
      input.value = to(this.model.get(trait));
      input.setAttribute("aria-valuetext", show(this.model.get(trait)));
    };
    input.addEventListener("input", () => {
      // On a scale with steps `from` may round to a value beyond the ends.
      this.set({ [trait]: clamp(from(Number(input.value)), limits[0], most()) });
    });
    // A set, since most sliders follow their own trait.
    for (const name of new Set([trait, follows])) this.watch(name, update);
    update();
    return this.labelled(input, trait, label, show);
  }

  // The base n on a logarithmic scale: two digits of it are as fine as a reader can use.
  baseSlider() {
    const from = (power) => Number((10 ** power).toPrecision(2));
    return this.slider("base", _("base n"), { step: 0.05, show: whole, to: Math.log10, from });
  }

  // The length of a text on a logarithmic scale.
  lengthSlider(label) {
    const from = (power) => Math.round(2 ** power);
    const show = (length) => _("{count} tokens", { count: whole(length) });
    return this.slider("length", label, { step: 0.25, show, to: Math.log2, from });
  }

  // The position k, and the shift Δ to either side.
  positionAndShift() {
    const tokens = (trait) => (count) =>
      plural("{count} token", "{count} tokens", Math.abs(count), {
        count: this.count(count, trait),
      });
    this.slider("position", _("position k"), { show: tokens("position") });
    this.slider("shift", _("shift Δ"), { accent: "--shift", show: tokens("shift") });
  }

  choice(trait, label, show = String) {
    const values = this.limits(trait);
    const input = node("select", {}, ...values.map((v) => node("option", { value: v }, show(v))));
    this.tied(input, trait, "value", () => values[input.selectedIndex]);
    return this.labelled(input, trait, label, () => ""); // the menu itself shows the value
  }

  toggle(trait, label) {
    const input = this.tied(node("input", { type: "checkbox" }), trait, "checked");
    this.controls.append(node("label", { class: "posenc-switch" }, input, label));
  }

  button(row, label, action) {
    const button = node("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      this.arrive(); // what is pressed counts from where a hand goes, not from where it is
      action();
    });
    row.append(button);
    return button;
  }

  // Call `step` in each frame with the milliseconds since now, until it returns true. Returns what
  // ends it.
  frames(step) {
    const begun = performance.now();
    let frame = 0;
    const tick = (now) => {
      // A frame may have begun before now.
      if (!step(Math.max(0, now - begun))) frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }

  // A button that moves a trait to its end by itself, or until a hand moves it. Nothing moves
  // before it is pressed; with reduced motion asked for it goes in whole steps. Of a trait that
  // takes whole numbers, the hand goes through what lies between, and stops at the nearest.
  player(row, trait, rate, whole = true) {
    const max = this.limits(trait)[1];
    let [stop, next] = [null, 0];
    const put = (value) => {
      next = value;
      this.set({ [trait]: value });
    };
    const end = () => {
      stop();
      stop = null;
      this.played = null;
      this.travel();
      button.textContent = _("Play");
    };
    const pause = () => {
      if (whole) put(Math.round(this.at[trait] ?? next));
      end();
      this.arrive();
    };
    const play = () => {
      const from = this.model.get(trait) >= max ? 0 : this.model.get(trait);
      const steps = whole || this.still.matches ? 1 : PARTS; // from one whole number to the next
      this.played = trait;
      stop = this.frames((gone) => {
        // Where less motion is asked for there are at most two steps a second.
        const pace = this.still.matches ? Math.min(rate, 2) : rate;
        const value = Math.min(max, from + (pace * gone) / 1000);
        put(Math.floor(value * steps) / steps);
        // What turns goes on between the steps of a whole trait, unless less motion is asked for.
        if (trait in this.at) this.at[trait] = this.still.matches || !whole ? next : value;
        this.refresh();
        if (value >= max) pause();
        return value >= max;
      });
      button.textContent = _("Pause");
    };
    const button = this.button(row, _("Play"), () => (stop ? pause() : play()));
    this.watch(trait, () => {
      if (stop && this.model.get(trait) !== next) end(); // not set by `put`: a hand moved it
    });
  }

  // Call `step` with shares from 0 to 1, or with 1 alone where less motion is asked for. Returns
  // what ends it.
  animate(length, step) {
    const reach = (share) => {
      step(share);
      return share === 1;
    };
    if (!this.still.matches) return this.frames((gone) => reach(gone < length ? gone / length : 1));
    reach(1);
    return () => {};
  }

  // Let the figure follow a trait: a hand does not jump to where it is set, it turns there, and the
  // numbers go with it. Returns what gives the place where it is.
  turning(trait) {
    this.at[trait] = this.model.get(trait);
    this.watch(trait, () => this.travel());
    return () => this.get(trait);
  }

  // Bring what turns to where it is set, frame by frame, but for what is played.
  travel() {
    if (this.still.matches) {
      this.arrive();
      return;
    }
    if (this.travelling) return; // the frames under way go to the new place
    this.travelling = true;
    let before = 0;
    this.frames((gone) => {
      const share = 1 - Math.exp((before - gone) / LAG);
      before = gone;
      const left = Object.keys(this.at).filter((trait) => {
        if (trait === this.played) return false;
        const goal = this.model.get(trait);
        this.at[trait] += share * (goal - this.at[trait]);
        if (Math.abs(goal - this.at[trait]) * PARTS > 0.5) return true;
        this.at[trait] = goal; // nearer, it is drawn there: see `get`
        return false;
      });
      this.refresh();
      this.travelling = left.length > 0;
      return !this.travelling;
    });
  }

  // End all ways but that of what is played.
  arrive() {
    for (const trait of Object.keys(this.at)) {
      if (trait !== this.played) this.at[trait] = this.model.get(trait);
    }
    this.refresh();
  }

  // A count of tokens as text, which comes of some traits. While one of them is on its way the
  // count has a decimal all the time, or the words behind it would go to and fro.
  count(value, ...traits) {
    const moves = (trait) => trait === this.played || this.at[trait] !== this.model.get(trait);
    const part = Math.round(value * PARTS) / PARTS;
    return fixed(part, traits.some(moves) || part % 1 ? 1 : 0);
  }

  // A canvas as sharp as the screen. `plan` says for a width in CSS pixels where things stand, and
  // how `tall` the drawing is; `draw` gets the pen, this plan and the colours of the moment.
  canvas(plan, draw) {
    this.element = node("canvas", { role: "img" });
    this.stage.append(this.element);
    this.plan = () => plan(this.across);
    this.draw = draw;
  }

  // Direct manipulation: `grab(x, y, plan)` returns the function that follows the pointer, or
  // nothing where there is nothing to hold. A finger that goes up or down from there scrolls the
  // page, and sets nothing, unless it rests first, or `held(x, y, plan)` says that it is on a handle.
  point(grab, held = () => false) {
    const { element } = this;
    element.style.touchAction = "pan-y pinch-zoom";
    const place = (event) => {
      const box = element.getBoundingClientRect();
      // A drawing is enlarged for large text, and slides are enlarged as a whole.
      const scale = (this.scale * box.width) / element.offsetWidth;
      const at = [event.clientX - box.left, event.clientY - box.top];
      return [...at.map((side) => side / scale), this.plan()];
    };
    let follow = null;
    let start = null; // where a finger came down that may still want to scroll
    let timer = 0; // of a finger that rests
    const hold = (at) => {
      start = null;
      follow(...at);
    };
    const over = (at) => {
      if (!grab(...at)) return "";
      return held(...at) ? "grab" : "pointer";
    };
    element.addEventListener("pointerdown", (event) => {
      const at = place(event);
      follow = grab(...at);
      start = event.pointerType === "touch" && !held(...at) ? at : null;
      if (follow && start) timer = setTimeout(hold, PRESSED, at);
      if (!follow || start) return;
      element.setPointerCapture(event.pointerId); // to be followed beyond the edges of the drawing
      if (held(...at)) element.style.cursor = "grabbing";
      follow(...at);
    });
    element.addEventListener("pointermove", (event) => {
      const [x, y, plan] = place(event);
      if (!follow) element.style.cursor = over([x, y, plan]);
      // A finger that goes more sideways than up or down does not scroll.
      else if (!start || Math.abs(x - start[0]) > Math.abs(y - start[1])) hold([x, y]);
    });
    element.addEventListener("pointerup", (event) => {
      if (follow && start) follow(...place(event)); // a tap
    });
    for (const end of ["pointerup", "pointercancel"]) {
      element.addEventListener(end, (event) => {
        clearTimeout(timer);
        follow = null;
        element.style.cursor = over(place(event));
      });
    }
    const stay = (event) => {
      if (follow && !start) event.preventDefault(); // what is held does not scroll
    };
    element.addEventListener("touchmove", stay, { passive: false });
  }

  // The same where all that can be grabbed is a handle: it follows a finger wherever it goes.
  drag(grab) {
    this.point(grab, () => true);
  }

  // What follows a pointer round (x, y) that holds a hand of this speed, now at an angle: it sets
  // the trait, whole turns counted, in steps of one or of its `parts`.
  winding(trait, x, y, angle, speed, parts = 1) {
    let [k, before] = [this.get(trait), angle];
    return (toX, toY) => {
      const pointed = Math.atan2(toX - x, y - toY); // from twelve, clockwise
      const turned = pointed - before;
      before = pointed;
      const shorter = turned - TURN * Math.round(turned / TURN); // the shorter way round
      k = clamp(k + shorter / speed, ...this.limits(trait));
      this.set({ [trait]: Math.round(k * parts) / parts });
    };
  }

  colours() {
    const style = getComputedStyle(this.el);
    const value = (name) => style.getPropertyValue(`--${name}`).trim();
    const named = Object.fromEntries(COLOURS.map((name) => [name, value(name)]));
    return { ...named, font: style.fontFamily, map: colourMap(value("map")) };
  }

  // Redraw at the next frame, however many traits changed before it.
  refresh() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  paint() {
    // Not on the page yet, so without a size and without colours: the ResizeObserver calls again.
    const room = this.stage.clientWidth;
    if (!room) return;
    const colours = this.colours();
    const ratio = window.devicePixelRatio;
    // The drawing grows with the text that the reader wants larger than 16 pixels, as far as it
    // keeps the width of a small phone to be laid out in. A still is drawn where no text has a size.
    const text = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    this.scale = clamp(text / 16, 1, Math.max(1, room / 300));
    this.across = room / this.scale;
    const plan = this.plan();
    const size = [room, Math.round(plan.tall * this.scale)].map((side) => Math.round(side * ratio));
    const { element } = this;
    [element.width, element.height] = size; // which clears it
    // The size in whole pixels of the screen, or the browser would stretch the drawing.
    element.style.width = `${size[0] / ratio}px`;
    element.style.height = `${size[1] / ratio}px`;
    this.el.style.setProperty("--tall", element.style.height);
    const pen = element.getContext("2d");
    pen.scale(ratio * this.scale, ratio * this.scale);
    this.draw(new Pen(pen, colours), plan, colours);
    this.describe(this.say());
    for (const write of this.labels) write();
    this.keepRoom(room);
  }

  // The words below a drawing keep the lines they once needed, or each number that is a digit
  // longer would push the slider up and down under the finger.
  keepRoom(room) {
    const { style } = this.reading;
    if (this.room !== room) style.minHeight = ""; // at another width they need other lines
    this.room = room;
    style.minHeight = `${this.reading.offsetHeight}px`;
  }

  // The drawing in words. The label follows at once; a screen reader hears the sentence only
  // when the state has been at rest for a second.
  describe(sentence) {
    if (sentence === this.sentence) return;
    const first = this.sentence === undefined;
    this.sentence = sentence;
    this.element.setAttribute("aria-label", sentence);
    clearTimeout(this.timer);
    if (first) return; // nobody has moved anything yet
    this.timer = setTimeout(() => {
      this.spoken.textContent = sentence;
    }, 1000);
  }

  // Draw now, and again when a trait, the size or the theme changes. Returns the clean-up.
  start(traits) {
    const refresh = () => this.refresh();
    for (const trait of traits) this.watch(trait, refresh);
    const size = new ResizeObserver(refresh);
    size.observe(this.stage);
    const theme = new MutationObserver(refresh);
    for (const host of [document.documentElement, document.body]) {
      theme.observe(host, { attributes: true });
    }
    // The first labels may be in another font. A still has no fonts to wait for.
    document.fonts?.ready.then(refresh);
    this.el.addEventListener("posenc:paint", () => this.paint()); // paper does not wait for a frame
    this.paint();
    return () => theme.disconnect(); // the page would keep it; the rest goes with the element
  }
}

// --- Drawing -------------------------------------------------------------------------------

// A hand starts at twelve and turns with the clock: x is its sine, y its cosine.
export function tip(x, y, radius, angle) {
  return [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
}

// The pen of a canvas, with the colours of the moment; its `context` draws what is drawn once.
export class Pen {
  constructor(context, colour) {
    Object.assign(this, { context, colour });
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    this.plain();
  }

  plain() {
    this.context.font = `13px ${this.colour.font}`;
  }

  // Write what a function writes in bold.
  bold(size, write) {
    this.context.font = `600 ${size}px ${this.colour.font}`;
    write();
    this.plain();
  }

  path(points) {
    this.context.beginPath();
    for (const [x, y] of points) this.context.lineTo(x, y);
  }

  fill(ink) {
    this.context.fillStyle = ink;
    this.context.fill();
  }

  stroke(ink, thickness) {
    Object.assign(this.context, { strokeStyle: ink, lineWidth: thickness });
    this.context.stroke();
  }

  line(ink, thickness, ...points) {
    this.path(points);
    this.stroke(ink, thickness);
  }

  dashed(dashes, ...line) {
    this.context.setLineDash(dashes);
    this.line(...line);
    this.context.setLineDash([]);
  }

  // A line through `place(at)` for so many steps of `at`, from one number to another.
  curve(ink, thickness, place, from, to, steps) {
    const at = (step) => from + ((to - from) * step) / steps;
    this.line(ink, thickness, ...Array.from({ length: steps + 1 }, (_, n) => place(at(n))));
  }

  shape(ink, ...points) {
    this.path(points);
    this.fill(ink);
  }

  frame(ink, thickness, ...box) {
    Object.assign(this.context, { strokeStyle: ink, lineWidth: thickness });
    this.context.strokeRect(...box);
  }

  block(ink, ...box) {
    this.context.fillStyle = ink;
    this.context.fillRect(...box);
  }

  // Let what a function draws be seen through.
  pale(share, draw) {
    this.context.globalAlpha = share;
    draw();
    this.context.globalAlpha = 1;
  }

  dot(ink, x, y, radius, edge = null) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, TURN);
    this.fill(ink);
    if (edge) this.stroke(edge, 1.5);
  }

  label(ink, text, x, y, align = "left", baseline = "alphabetic") {
    Object.assign(this.context, { fillStyle: ink, textAlign: align, textBaseline: baseline });
    this.context.fillText(text, x, y);
  }

  // The whole numbers along an axis, each at its `place`.
  marks(numbers, place, align, baseline) {
    for (const one of numbers) {
      this.label(this.colour.quiet, fixed(one, 0), ...place(one), align, baseline);
    }
  }

  // A label in the middle of a place.
  centred(ink, text, x, y) {
    this.label(ink, text, x, y, "center", "middle");
  }

  // A label on a ground of its own, where it may lie across a line.
  plate(ink, text, x, y, align = "left") {
    Object.assign(this.context, { strokeStyle: this.colour.ground, lineWidth: 5 });
    Object.assign(this.context, { textAlign: align, textBaseline: "middle" });
    this.context.strokeText(text, x, y);
    this.label(ink, text, x, y, align, "middle");
  }

  hand(ink, x, y, radius, angle, thickness = 2.5) {
    this.line(ink, thickness, [x, y], tip(x, y, radius, angle));
  }

  // A clock with a mark at twelve. An edge in a colour of its own is thicker.
  dial(x, y, radius, edge = this.colour.line) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, TURN);
    this.stroke(edge, edge === this.colour.line ? 1.25 : 2.5);
    this.line(this.colour.line, 1.25, [x, y - radius + 4], [x, y - radius]);
  }

  // The x of a tip, flat from the middle, and its y, upright from there.
  legs(thickness, x, y, [right, up]) {
    this.line(this.colour.sine, thickness, [x, y], [right, y]);
    this.line(this.colour.cosine, thickness, [right, y], [right, up]);
  }

  // The opening from one hand to another, at most one turn, tinted: `share` is how opaque.
  wedge(ink, share, x, y, radius, from, opening) {
    // A canvas counts angles from three o'clock, hands count from twelve.
    const [start, turned] = [from - TURN / 4, clamp(opening, -TURN, TURN)];
    this.context.beginPath();
    this.context.lineTo(x, y);
    this.context.arc(x, y, radius, start, start + turned, turned < 0);
    this.pale(share, () => this.fill(ink));
  }

  // Rows of values as a picture of any size, each a sharp cell unless it is `smooth`.
  image(rows, most, x, y, width, height, smooth = false) {
    const canvas = node("canvas", { width: rows[0].length, height: rows.length });
    const context = canvas.getContext("2d");
    const image = context.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer); // the four bytes of a pixel as one number
    rows.forEach((row, down) => {
      row.forEach((value, right) => {
        pixels[down * row.length + right] = this.colour.map(value / most);
      });
    });
    context.putImageData(image, 0, 0);
    this.context.imageSmoothingEnabled = smooth;
    this.context.drawImage(canvas, x, y, width, height);
  }

  // One row of values in a frame, blended where cells are narrower than a pixel.
  band(values, most, x, y, width, height) {
    this.image([values], most, x, y, width, height, values.length > width);
    this.frame(this.colour.line, 1, x, y, width, height);
  }

  // What the colours mean, from −most to most.
  colourBar(right, y, most = 1) {
    const values = Array.from({ length: 41 }, (_, n) => (n - 20) / 20);
    this.band(values, 1, right - 124, y, 90, 9);
    const digits = most % 1 ? 1 : 0;
    this.label(this.colour.quiet, fixed(-most, digits), right - 130, y + 9, "right");
    this.label(this.colour.quiet, fixed(most, digits), right - 28, y + 9);
  }
}

// 256 colours from −1 to 1, as the packed pixels of an ImageData.
export function colourMap(anchors) {
  const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const stops = anchors.split(" ").map(channels);
  const packed = new Uint32Array(256);
  for (let level = 0; level < 256; level += 1) {
    const place = (level / 255) * (stops.length - 1);
    const below = Math.min(Math.floor(place), stops.length - 2); // the last level has a stop below
    const [red, green, blue] = stops[below].map((from, channel) =>
      Math.round(from + (place - below) * (stops[below + 1][channel] - from)),
    );
    // Red is the first byte of a pixel, which is the lowest one of the number; the last is opaque.
    packed[level] = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  return (value) => packed[clamp(Math.round((value + 1) * 127.5), 0, 255)];
}

// --- A page without a kernel ---------------------------------------------------------------

// The part of a widget model that views use, holding its values by itself.
export function standIn(state) {
  const listeners = {};
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    save_changes() {},
    on(type, listener) {
      (listeners[type] ??= []).push(listener);
    },
  };
}

// Draw every view of this kind that is on the page and not yet drawn.
export function mount(kind, render, limits) {
  for (const el of document.querySelectorAll(`[data-view="${kind}"][data-state]`)) {
    const model = standIn({ ...JSON.parse(el.dataset.state), _limits: limits });
    el.removeAttribute("data-state");
    render({ model, el });
  }
}
