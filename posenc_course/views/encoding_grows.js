// The encoding in one picture: one hand, the two waves it draws down the page, and the
// table whose rows grow beside them.

import {
  Figure,
  TURN,
  clamp,
  distance,
  encode,
  fixed,
  frequency,
  rounded,
  tip,
  _,
} from "./shared.js";

const LENGTH = 48;
const WIDTH = 32;
const BASE = 100; // every hand moves within the rows of this table
const PAIRS = WIDTH / 2;
const GRIP = 30; // pixels from the gold point within which a finger holds it

export function render(context) {
  const view = new Figure(context, _("Position and hand"));
  const omega = (pair) => frequency(pair, WIDTH, BASE);

  // Two strips for the waves stand left of the table and share its rows. The clock stands over the
  // sine: x falls straight into it.
  const plan = (width) => {
    const narrow = width < 480;
    const [left, between, gap, row] = narrow ? [26, 8, 12, 5] : [30, 14, 26, 6];
    const ratio = window.devicePixelRatio;
    const least = narrow ? 46 : clamp(width * 0.155, 70, 110);
    const room = width - left - 2 * least - between - gap - 1;
    // A cell is whole pixels of the screen wide, or some columns would be wider than others. What
    // is left over goes to the waves.
    const cell = Math.floor((room / WIDTH) * ratio) / ratio;
    const side = (width - left - between - gap - 1 - cell * WIDTH) / 2;
    const top = side + (narrow ? 24 : 30);
    return {
      narrow,
      radius: side / 2 - 1,
      level: side / 2 + 1,
      sine: left + side / 2,
      cosine: left + side + between + side / 2,
      left,
      start: width - 1 - cell * WIDTH,
      right: width - 1,
      cell,
      row,
      top,
      bottom: top + LENGTH * row,
      tall: top + LENGTH * row + 26,
      small: cell - (narrow ? 0.75 : 1.5),
      above: top - cell - (narrow ? 6 : 10),
    };
  };

  view.canvas(plan, (pen, p, colour) => {
    const { narrow, radius, level, start, right, cell, row, top, bottom } = p;
    const i = view.get("pair");
    const k = view.get("position");
    const x = (column) => start + column * cell;
    const y = (position) => top + (position + 0.5) * row;
    const sine = (position) => [p.sine + radius * Math.sin(position * omega(i)), y(position)];
    const cosine = (position) => [p.cosine + radius * Math.cos(position * omega(i)), y(position)];
    const now = k * omega(i);
    const end = tip(p.sine, level, radius, now);

    // The ground: the table to be filled, and the line 0 of each wave.
    pen.frame(colour.line, 1, start, top, right - start, bottom - top);
    for (const centre of [p.sine, p.cosine]) {
      pen.line(colour.line, 1, [centre, top], [centre, bottom]);
    }

    // The rows so far.
    const rows = k + 1;
    const table = Array.from({ length: rows }, (_, position) => encode(position, WIDTH, BASE));
    pen.image(table, 1, start, top, right - start, rows * row);

    // What is marked: the row of k, through the waves to the table, and the columns of the pair.
    pen.line(colour.highlight, 1.5, [p.left, y(k)], [start, y(k)]);
    pen.frame(colour.highlight, 2, start - 1, y(k) - row / 2 - 1, right - start + 2, row + 2);
    pen.frame(colour.highlight, 2, x(2 * i) - 1, top - 1, 2 * cell + 2, rows * row + 2);
    pen.line(colour.sine, 3, [x(2 * i) + 2, top - 3.5], [x(2 * i + 1) - 1, top - 3.5]);
    pen.line(colour.cosine, 3, [x(2 * i + 1) + 1, top - 3.5], [x(2 * i + 2) - 2, top - 3.5]);

    // A hand over each two columns; the marked one again, large.
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const [at, own] = [x(2 * pair + 1), pair === i];
      pen.dial(at, p.above, p.small, own ? colour.highlight : colour.line);
      const ink = own ? colour.ink : colour.quiet;
      pen.hand(ink, at, p.above, p.small - 1.5, k * omega(pair), narrow ? 1.25 : 1.75);
    }
    pen.dial(p.sine, level, radius, colour.highlight);
    const words = narrow
      ? [_("A hand for each pair")]
      : [_("each slower than the one before"), _("One hand for each pair of columns,")];
    for (const [n, text] of words.entries()) {
      pen.label(colour.quiet, text, start, p.above - cell - (narrow ? 8 : 18) - 19 * n);
    }

    // The waves up to k, a dot for each position.
    for (const [name, wave] of Object.entries({ sine, cosine })) {
      const ink = colour[name];
      pen.curve(ink, 2, wave, 0, k, Math.max(1, 8 * k));
      for (let n = 0; n <= k; n += 1) pen.dot(ink, ...wave(n), narrow ? 1.6 : 2.1);
    }

    // From the tip of the hand straight down into its column.
    pen.dashed([2, 4], colour.sine, 1.25, end, sine(k));
    pen.legs(narrow ? 2.5 : 3.5, p.sine, level, end);
    pen.hand(colour.ink, p.sine, level, radius, now, narrow ? 2 : 2.5);
    pen.dot(colour.ink, p.sine, level, 3);
    pen.dot(colour.ink, ...end, narrow ? 4.5 : 6, colour.ground);
    pen.dot(colour.sine, ...sine(k), narrow ? 4 : 5, colour.ground);
    pen.dot(colour.cosine, ...cosine(k), narrow ? 4 : 5, colour.ground);

    // The gold point, which a finger can hold.
    pen.dot(colour.highlight, x(2 * i + 1), y(k), narrow ? 6 : 7, colour.ink);

    // Words and numbers.
    const marks = [0, 12, 24, 36, LENGTH - 1].filter((mark) => Math.abs(mark - k) * row >= 15);
    pen.marks(marks, (mark) => [p.left - 6, y(mark)], "right", "middle");
    pen.bold(13, () => {
      pen.label(colour.ink, k, p.left - 6, y(k), "right", "middle");
      pen.label(colour.sine, "x", p.sine, bottom + 19, "center");
      pen.label(colour.cosine, "y", p.cosine, bottom + 19, "center");
      pen.label(colour.quiet, "k", p.left - 6, top - 9, "right");
    });
    pen.colourBar(right + 20, bottom + 11);
  });

  // On the table the pointer chooses position and pair, over it the pair, beside it the position;
  // it turns the large hand.
  const overDial = (px, py, p) => Math.hypot(px - p.sine, py - p.level) < p.radius + 10;
  const pairAt = (p, px) => clamp(Math.floor((px - p.start) / (2 * p.cell)), 0, PAIRS - 1);
  const grab = (px, py, p) => {
    const positionAt = (level) => clamp(Math.floor((level - p.top) / p.row), 0, LENGTH - 1);
    if (overDial(px, py, p)) {
      const speed = omega(view.get("pair"));
      return view.winding("position", p.sine, p.level, view.get("position") * speed, speed);
    }
    if (py > p.above - p.cell - 8 && py < p.top && px > p.start) {
      return (x) => view.set({ pair: pairAt(p, x) });
    }
    if (py < p.top || py > p.bottom) return null;
    if (px > p.start) return (x, y) => view.set({ position: positionAt(y), pair: pairAt(p, x) });
    return (x, y) => view.set({ position: positionAt(y) });
  };
  const onPoint = (px, py, p) => {
    const [k, i] = view.values("position", "pair");
    const point = [p.start + (2 * i + 1) * p.cell, p.top + (k + 0.5) * p.row];
    return distance([px, py], point) < GRIP;
  };
  view.point(grab, (...at) => overDial(...at) || onPoint(...at));

  view.say = () => {
    const [k, i] = [view.get("position"), view.get("pair")];
    const angle = k * omega(i);
    const [sine, cosine] = [fixed(Math.sin(angle)), fixed(Math.cos(angle))];
    const turn = rounded(TURN / omega(i));
    const said = view.read(
      _(
        "The hand is at {strong|{angle} radians}: {sine|x\u00a0=\u00a0{sine}, the sine}, {cosine|y\u00a0=\u00a0{cosine}, the cosine}. {quiet|One turn takes {turn} positions.}",
        { angle: fixed(angle), sine, cosine, turn },
      ),
    );
    const where = _(
      "A clock hand draws a sine and a cosine beside a table of {columns} columns that has {rows} of its {length} rows, at position {k} in columns {first} and {second}.",
      { columns: WIDTH, rows: k + 1, length: LENGTH, k, first: 2 * i, second: 2 * i + 1 },
    );
    return `${where} ${said}`;
  };

  const columns = (i) =>
    _("{pair}, columns {first} and {second}", { pair: i, first: 2 * i, second: 2 * i + 1 });
  view.slider("position", _("position k"), { show: (k) => _("row {k}", { k }) });
  view.slider("pair", _("hand i"), { show: columns });
  view.player(view.row(), "position", 8);
  return view.start(["position", "pair"]);
}
