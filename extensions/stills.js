// A browser that draws on paper: as much of one as a view needs to be drawn once, as it starts.
// Its canvas writes down as SVG what is drawn on it.

const WIDTH = 640;

// What a drawing does not depend on: it takes any call and gives itself.
const nothing = new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing),
  apply: () => nothing,
  construct: () => nothing,
  set: () => true,
});
const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const short = (number) => String(Math.round(number * 100) / 100);

class Pen {
  constructor() {
    Object.assign(this, { fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1 });
    Object.assign(this, { font: "13px", textAlign: "left", textBaseline: "alphabetic" });
    Object.assign(this, { dash: [], path: "", parts: [] });
  }

  put(tag, attributes, inside = "") {
    const pale = this.globalAlpha < 1 ? { opacity: this.globalAlpha } : {};
    const text = (value) => (typeof value === "number" ? short(value) : escaped(value));
    const given = Object.entries({ ...attributes, ...pale }).map(
      ([name, value]) => ` ${name}="${text(value)}"`,
    );
    this.parts.push(`<${tag}${given.join("")}>${inside}</${tag}>`);
  }

  scale() {}

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = "";
  }

  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${short(x)} ${short(y)}`;
  }

  arc(x, y, radius, from, to, back = false) {
    const whole = 2 * Math.PI;
    let turn = back ? from - to : to - from;
    turn = turn >= whole - 1e-9 ? whole : ((turn % whole) + whole) % whole;
    this.lineTo(x + radius * Math.cos(from), y + radius * Math.sin(from));
    // In two parts: an arc of SVG that ends where it begins is none.
    for (const part of [0.5, 1]) {
      const angle = from + (back ? -1 : 1) * turn * part;
      const end = `${short(x + radius * Math.cos(angle))} ${short(y + radius * Math.sin(angle))}`;
      this.path += `A${short(radius)} ${short(radius)} 0 0 ${back ? 0 : 1} ${end}`;
    }
  }

  roundRect(x, y, width, height) {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }

  get line() {
    const dash = this.dash.length ? { "stroke-dasharray": this.dash.join(" ") } : {};
    return { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, ...dash };
  }

  stroke() {
    this.put("path", { d: this.path, ...this.line });
  }

  fill() {
    this.put("path", { d: this.path, fill: this.fillStyle });
  }

  strokeRect(x, y, width, height) {
    this.put("rect", { x, y, width, height, ...this.line });
  }

  fillRect(x, y, width, height) {
    this.put("rect", { x, y, width, height, fill: this.fillStyle });
  }

  text(text, x, y, paint) {
    const [, weight, size] = this.font.match(/^(\d+ )?([\d.]+)px/);
    const anchor = { center: "middle", right: "end" }[this.textAlign] || "start";
    const drop = { middle: 0.35, top: 0.8 }[this.textBaseline] || 0;
    const font = { "font-size": size, ...(weight ? { "font-weight": weight.trim() } : {}) };
    const at = { x, y: y + drop * size, "text-anchor": anchor };
    this.put("text", { ...at, ...font, ...paint }, escaped(text));
  }

  fillText(text, x, y) {
    this.text(text, x, y, { fill: this.fillStyle });
  }

  strokeText(text, x, y) {
    this.text(text, x, y, this.line);
  }

  measureText(text) {
    return { width: 0.52 * parseFloat(this.font.match(/([\d.]+)px/)[1]) * String(text).length };
  }

  createImageData(width, height) {
    return { width, height, data: new Uint8ClampedArray(4 * width * height) };
  }

  putImageData(image) {
    this.image = image;
  }

  // The pixels in hexadecimal: what makes a PNG of them is in Python.
  drawImage(canvas, x, y, width, height) {
    const { data, width: columns } = canvas.pen.image;
    let pixels = "";
    data.forEach((channel, at) => {
      if (at % 4 < 3) pixels += channel.toString(16).padStart(2, "0");
    });
    const href = `pixels:${columns}:${pixels}`;
    const sharp = { preserveAspectRatio: "none", style: "image-rendering:pixelated" };
    this.put("image", { x, y, width, height, href, ...sharp });
  }
}

const canvases = [];
const stages = [];

class Element {
  constructor(tag) {
    const style = { setProperty() {} };
    Object.assign(this, { attributes: {}, style, dataset: {}, clientWidth: WIDTH });
    Object.assign(this, { pen: new Pen(), children: [] });
    const self = new Proxy(this, {
      get: (own, name) => (name in own ? own[name] : nothing),
    });
    if (tag === "canvas") canvases.push(self);
    return self;
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === "width" || name === "height") this[name] = Number(value);
    if (value === "posenc-stage") stages.push(this);
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  get childNodes() {
    return this.children;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? child).join("");
  }

  set textContent(text) {
    this.children = [text];
  }

  getContext() {
    return this.pen;
  }
}

function paper(colours) {
  const element = new Element("html");
  Object.assign(globalThis, {
    document: { createElement: (tag) => new Element(tag), documentElement: element, body: element },
    window: { devicePixelRatio: 1 },
    matchMedia: () => ({ matches: true }),
    getComputedStyle: () => ({
      fontFamily: "sans-serif",
      getPropertyValue: (name) => colours[name.slice(2)],
    }),
    ResizeObserver: nothing,
    IntersectionObserver: nothing,
    MutationObserver: nothing,
    requestAnimationFrame: nothing,
    clearTimeout: nothing,
  });
}

// The first drawing of a view: its size, its SVG, and what a screen reader hears; words that are
// buttons on the page stand in their rows. Null where there is nothing to see before a move.
function drawn(render, model) {
  render({ model, el: new Element("div") });
  const canvas = canvases.find(({ attributes }) => attributes.role === "img");
  const { width, height, pen } = canvas;
  const words = stages.flatMap(({ children }) => children.flatMap((one) => one.children));
  for (const { attributes, children, style } of words) {
    if (attributes.class !== "posenc-word") continue;
    pen.font = "600 14px sans-serif";
    Object.assign(pen, { textAlign: "left", textBaseline: "middle" });
    pen.fillText(children[0], 8, parseFloat(style.top) + 22);
  }
  if (pen.parts.length < 3) return null;
  return { width, height, svg: pen.parts.join(""), label: canvas.attributes["aria-label"] };
}
