// The table as a heat map; one row and one pair of columns chosen, and the formula with their
// numbers put in.

import {
  Figure,
  TURN,
  clamp,
  distance,
  encode,
  fixed,
  frequency,
  rounded,
  whole,
  _,
} from "./shared.js";

const LENGTH = 100;
const GRIP = 30; // pixels from the gold point within which a finger holds it

export function render(context) {
  const view = new Figure(context, _("Position, pair, width and base"));

  const plan = (width) => {
    // One CSS pixel for each of 512 columns where there is room, or two, and whole pixels for each
    // row: other scales make false stripes.
    const narrow = width < 480;
    const room = width - 34 - (narrow ? 76 : 134);
    const wide = room < 1024 ? Math.min(512, room) : 1024;
    const high = narrow ? 200 : wide > 512 ? 400 : 300;
    const [left, top, right] = [34, 24, 34 + wide];
    return { left, top, right, side: width - right - 14, high, tall: high + 64 };
  };

  view.canvas(plan, (pen, { left, top, right, side, high, tall }, colour) => {
    const [k, i, width, base] = view.values("position", "pair", "width", "base");
    const x = (column) => left + (column / width) * (right - left);
    const y = (row) => top + (row / LENGTH) * high;
    const cell = (right - left) / width;
    // Narrow columns that are no whole pixels of the screen wide are blended.
    const uneven = cell < 4 && (cell * window.devicePixelRatio) % 1 !== 0;
    const table = Array.from({ length: LENGTH }, (_, position) => encode(position, width, base));
    pen.image(table, 1, left, top, right - left, high, uneven);
    pen.frame(colour.line, 1, left, top, right - left, high);
    pen.label(colour.quiet, _("column"), left, 14);
    pen.label(colour.quiet, _("hand {pair}", { pair: i }), right + 14 + side / 2, 14, "center");
    pen.marks([0, 25, 50, 75, 99], (row) => [left - 6, y(row + 0.5)], "right", "middle");

    const row = table[k];
    pen.frame(colour.highlight, 2, left, y(k), right - left, high / LENGTH);
    const columns = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.min(share * width, width - 1));
    pen.marks(columns, (column) => [x(column + 0.5), top + high + 18], "center");

    // The chosen columns, and beside the table their values from position to position.
    const centre = right + 14 + side / 2;
    pen.line(colour.line, 1, [centre, top], [centre, top + high]);
    const omega = frequency(i, width, base);
    const beside = (value, position) => [centre + (side / 2 - 3) * value, y(position + 0.5)];
    for (const [wave, ink, column] of [
      [Math.sin, colour.sine, 2 * i],
      [Math.cos, colour.cosine, 2 * i + 1],
    ]) {
      const at = x(column + 0.5);
      if (cell < 6) pen.line(ink, 1.5, [at, top], [at, top + high]);
      else pen.frame(ink, 2, x(column) + 1, top, cell - 2, high);
      pen.curve(ink, 1.5, (at) => beside(wave(at * omega), at), 0, LENGTH - 1, 4 * (LENGTH - 1));
    }
    pen.line(colour.highlight, 1, [right, y(k + 0.5)], [right + 14 + side, y(k + 0.5)]);
    pen.dot(colour.sine, ...beside(row[2 * i], k), 4.5, colour.ground);
    pen.dot(colour.cosine, ...beside(row[2 * i + 1], k), 4.5, colour.ground);

    // Where the hands of the other pairs come to the same angle, as far as the table goes.
    if (view.get("same_angle")) {
      // So many pairs further the same angle comes at the last row. In row 0 all angles are 0, and
      // the line goes on to the last pair.
      const beyond = (width * Math.log((LENGTH - 0.5) / k)) / (2 * Math.log(base));
      const last = Math.min(i + beyond, width / 2 - 1);
      const level = (pair) => y((k * omega) / frequency(pair, width, base) + 0.5);
      const place = (pair) => [x(2 * pair + 0.5), level(pair)];
      pen.curve(colour.ink, 1.25, place, 0, last, 2 * width - 1);
    }
    pen.dot(colour.highlight, x(2 * i + 0.5), y(k + 0.5), 5, colour.ink);
    pen.colourBar(right + 14 + side, tall - 12);
  });

  const grab = (px, py, { left, top, right, high }) => {
    const pairs = view.get("width") / 2;
    if (px < left || px > right || py < top || py > top + high) return null;
    return (x, y) =>
      view.set({
        position: clamp(Math.floor(((y - top) / high) * LENGTH), 0, LENGTH - 1),
        pair: clamp(Math.floor(((x - left) / (right - left)) * pairs), 0, pairs - 1),
      });
  };
  view.point(grab, (px, py, { left, top, right, high }) => {
    const [k, i, width] = view.values("position", "pair", "width");
    const point = [
      left + ((2 * i + 0.5) / width) * (right - left),
      top + ((k + 0.5) / LENGTH) * high,
    ];
    return distance([px, py], point) < GRIP;
  });

  view.say = () => {
    const [k, i, width, base] = view.values("position", "pair", "width", "base");
    const omega = frequency(i, width, base);
    const [speed, angle] = [fixed(omega, 5), fixed(k * omega, 4)];
    const [sine, cosine] = [fixed(Math.sin(k * omega), 4), fixed(Math.cos(k * omega), 4)];
    const wave = (name, column, ink, value) =>
      `P(${k}, ${column}) = ${name}(k ω{sub|${i}}) = ${name}(${k} × ${speed}) = ` +
      `${name}(${angle}) = {${ink}|${value}}`;
    const later = rounded(1 / frequency(1, width, base));
    const thin = _(
      "{quiet|Thin line: every hand at angle {angle}. The next hand gets there at a position {later} times as large.}",
      { angle, later },
    );
    view.read(
      `ω{sub|${i}} = 1 / n{sup|2i/d} = 1 / ${whole(base)}{sup|${2 * i}/${width}} = ` +
        _("{strong|{speed}} {quiet|rad/token, one turn in {count} tokens}", {
          speed,
          count: whole(TURN / omega),
        }),
      wave("sin", 2 * i, "sine", sine),
      wave("cos", 2 * i + 1, "cosine", cosine),
      ...(view.get("same_angle") ? [thin] : []),
    );
    const joined = _(
      "A line joins equal angles: the next hand comes to each at a position {later} times as large.",
      { later },
    );
    const [first, second] = [2 * i, 2 * i + 1];
    const shown = _(
      "Heat map of {positions} positions and {width} columns, base {base}. At position {k}, hand {i}: column {first} is the sine of {angle}, {sine}; column {second} is its cosine, {cosine}.",
      { positions: LENGTH, width, base: whole(base), k, i, first, second, angle, sine, cosine },
    );
    return view.get("same_angle") ? `${shown} ${joined}` : shown;
  };

  view.slider("position", _("position k"), {
    accent: "--highlight",
    show: (k) => _("row {k}", { k }),
  });
  view.slider("pair", _("hand i"), {
    most: () => view.get("width") / 2 - 1,
    follows: "width",
    accent: "--sine",
    show: (i) =>
      _("{pair}, columns {first} and {second}", { pair: i, first: 2 * i, second: 2 * i + 1 }),
  });
  view.slider("width", _("numbers in a row, d"));
  view.choice("base", _("base n"), whole);
  return view.start(["position", "pair", "width", "base"]);
}
