// An axis of tokens, decade after decade, for the views that lay wavelengths along it.

import { clamp, dot, label, line } from "./shared.js";

export * from "./shared.js";

const POWERS = ["1", "10", "100", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"];

// The axis of a drawing that is so wide, and `tall` below the line at `top`.
export class Decades {
  constructor(width, top, tall) {
    Object.assign(this, { left: 14, right: width - 16, top, bottom: top + tall });
    this.decade = (this.right - this.left) / (POWERS.length - 1);
  }

  at(tokens) {
    return this.left + Math.log10(tokens) * this.decade;
  }

  tokens(x) {
    return 10 ** ((x - this.left) / this.decade);
  }

  draw(pen, colour) {
    const { left, right, bottom } = this;
    POWERS.forEach((name, power) => {
      const x = this.at(10 ** power);
      line(pen, colour.line, 1, [x, bottom], [x, bottom + 5]);
      label(pen, colour.quiet, name, x, bottom + 20, "center");
    });
    line(pen, colour.line, 1, [left, bottom], [right, bottom]);
    label(pen, colour.quiet, "wavelength, tokens", (left + right) / 2, bottom + 42, "center");
  }

  // What stands upright at a length of text, with its name above.
  post(pen, colour, x, name, [least, most]) {
    line(pen, colour.ink, 2, [x, this.top - 6], [x, this.bottom]);
    dot(pen, colour.ink, x, this.top - 8, 9, colour.ground);
    pen.font = `600 14px ${colour.font}`;
    label(pen, colour.ink, name, clamp(x, least, most), 18, "center");
    pen.font = `13px ${colour.font}`;
  }
}
