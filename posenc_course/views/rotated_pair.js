// A query and a key whose positions add a hand to each, or turn each: the score in both cases.

import { Figure, TURN, arrow, clamp, distance, dot, fixed, node, _ } from "./plane.js";

const ADDS = "adds a hand"; // or else it turns the arrow
const METHODS = { "adds a hand": _("adds a hand"), "turns the arrow": _("turns the arrow") };
const LAST = 12; // the last position
const POSITIONS = ["query_position", "key_position"];
const WORDS = [
  { name: _("query"), point: [2, 1], tone: "sine" },
  { name: _("key"), point: [1, 2], tone: "cosine" },
];
const REACH = 3.3; // whole numbers from the middle of the plane to each edge
const SCORES = [-5, 10]; // the ends of the axis of scores
const GRIP = 0.75; // of a whole number: how far from a tip a finger holds what turns
const DEGREES = 180 / Math.PI;

const sum = ([x, y], [right, up]) => [x + right, y + up];
const hand = (angle) => [Math.sin(angle), Math.cos(angle)];
// Clockwise, as a hand turns.
const turned = ([x, y], angle) => {
  const [sine, cosine] = hand(angle);
  return [cosine * x + sine * y, cosine * y - sine * x];
};

// A number without the decimals that are zeros.
const short = (value) => {
  const nearest = Math.round(value);
  return fixed(value, Math.abs(value - nearest) < 0.005 ? 0 : 2);
};
const pair = (point) => `(${point.map(short).join(", ")})`;
const signed = (value) => (short(value).startsWith("\u2212") ? `(${short(value)})` : short(value));

export function render(context) {
  const view = new Figure(context, _("Query and key"));
  for (const trait of POSITIONS) view.turning(trait);
  const angle = (position) => position * view.get("frequency");
  // The arrow of a word at a position.
  const arrowAt = ({ point }, position) =>
    view.get("method") === ADDS
      ? sum(point, hand(angle(position)))
      : turned(point, angle(position));
  const arrows = () => WORDS.map((word, n) => arrowAt(word, view.get(POSITIONS[n])));
  const scoreAt = (k, m) => dot(arrowAt(WORDS[0], k), arrowAt(WORDS[1], m));

  const plan = (width) => {
    const narrow = width < 520;
    const radius = narrow ? Math.min(width / 2 - 8, 150) : clamp(width * 0.22, 115, 165);
    const below = { x: width / 2, left: 40, top: 2 * radius + 70, high: 130 };
    const beside = { x: radius + 4, left: 2 * radius + 64, top: 40, high: 2 * radius - 76 };
    const place = narrow ? below : beside;
    const tall = place.top + place.high + 52;
    return { radius, unit: radius / REACH, y: radius + 6, right: width - 16, tall, ...place };
  };
  const place =
    ({ unit, x, y }) =>
    ([right, up]) => [x + unit * right, y - unit * up];

  const drawPlane = (pen, size, colour) => {
    const at = place(size);
    for (let n = -3; n <= 3; n += 1) {
      const ink = n ? colour.faint : colour.line;
      pen.line(ink, 1, at([n, -REACH]), at([n, REACH]));
      pen.line(ink, 1, at([-REACH, n]), at([REACH, n]));
    }
  };

  const drawArrows = (pen, size, colour) => {
    const at = place(size);
    const origin = at([0, 0]);
    const ends = arrows();
    const angles = ends.map(([x, y]) => Math.atan2(x, y));
    const between = angles[1] - angles[0];
    const opening = between - TURN * Math.round(between / TURN);
    pen.wedge(colour.shift, 0.3, ...origin, 0.9 * size.unit, angles[0], opening);
    WORDS.forEach(({ name, point, tone }, n) => {
      const ink = colour[tone];
      const end = ends[n];
      pen.pale(0.4, () => arrow(pen, ink, 2, origin, at(point)));
      if (view.get("method") === ADDS) {
        pen.context.beginPath();
        pen.context.arc(...at(point), size.unit, 0, TURN);
        pen.stroke(colour.line, 1.25);
        arrow(pen, colour.highlight, 3, at(point), at(end));
      }
      arrow(pen, ink, 4, origin, at(end));
      const length = Math.hypot(...end) || 1;
      const beyond = at(end.map((side) => side * (1 + 0.3 / length)));
      const [left, right] = [size.x - size.radius + 20, size.x + size.radius - 20];
      pen.bold(13, () => pen.plate(ink, name, clamp(beyond[0], left, right), beyond[1], "center"));
    });
    pen.dot(colour.ink, ...origin, 3.5);
  };

  // The score of the two words wherever they stand, if both move together: a dot for each
  // position of the query, and a gold one for where it is now.
  const drawScores = (pen, { left, right, top, high }, colour) => {
    const [k, m] = view.values(...POSITIONS);
    const shift = m - k;
    const across = (position) => left + (position / LAST) * (right - left);
    const up = (score) => top + (high * (SCORES[1] - score)) / (SCORES[1] - SCORES[0]);
    pen.label(
      colour.quiet,
      _("score, as both words move on"),
      (left + right) / 2,
      top - 18,
      "center",
    );
    for (const score of [-5, 0, 5, 10]) {
      pen.line(score ? colour.faint : colour.line, 1, [left, up(score)], [right, up(score)]);
    }
    pen.marks([-5, 0, 5, 10], (score) => [left - 8, up(score)], "right", "middle");
    pen.marks([0, 4, 8, LAST], (position) => [across(position), top + high + 20], "center");
    pen.label(
      colour.quiet,
      _("position of the query"),
      (left + right) / 2,
      top + high + 40,
      "center",
    );
    const [first, last] = [Math.max(0, -shift), Math.min(LAST, LAST - shift)];
    const point = (position) => [across(position), up(scoreAt(position, position + shift))];
    pen.pale(0.5, () => pen.curve(colour.quiet, 1.25, point, first, last, 120));
    for (let at = Math.ceil(first); at <= last; at += 1) pen.dot(colour.quiet, ...point(at), 3);
    pen.dot(colour.highlight, ...point(k), 8, colour.ground);
  };

  view.canvas(plan, (pen, size, colour) => {
    drawPlane(pen, size, colour);
    drawArrows(pen, size, colour);
    drawScores(pen, size, colour);
  });

  // What turns when a word moves on: the hand at the tip of the word, or the word's own arrow.
  const turning = (n, size) => {
    const at = place(size);
    const { point } = WORDS[n];
    const own = angle(view.get(POSITIONS[n]));
    if (view.get("method") === ADDS) {
      return { middle: at(point), tip: at(sum(point, hand(own))), angle: own };
    }
    return { middle: at([0, 0]), tip: at(turned(point, own)), angle: Math.atan2(...point) + own };
  };
  view.drag((px, py, size) => {
    const held = WORDS.map((_, n) => turning(n, size));
    const away = held.map(({ tip }) => distance([px, py], tip));
    const nearest = away[1] < away[0] ? 1 : 0;
    if (away[nearest] > GRIP * size.unit) return null;
    const { middle, angle: now } = held[nearest];
    return view.winding(POSITIONS[nearest], ...middle, now, view.get("frequency"));
  });

  view.say = () => {
    const ends = arrows();
    const [query, key] = ends;
    const [asks, answers] = ends.map((end) => Math.atan2(...end) * DEGREES);
    const between = Math.abs(((answers - asks + 540) % 360) - 180);
    const words = WORDS.map(({ name, tone }, n) =>
      _("{word}, length {length}", {
        word: `{${tone}|${name} ${pair(ends[n])}}`,
        length: fixed(Math.hypot(...ends[n])),
      }),
    );
    const both = words.join(_("; "));
    const places = POSITIONS.map((trait) => view.count(view.get(trait), trait));
    const products = [0, 1].map((axis) => `${signed(query[axis])}·${signed(key[axis])}`);
    return view.read(
      _("{words}; {quiet|angle between them} {angle}°", {
        words: both,
        angle: fixed(between, 0),
      }),
      _("{quiet|score at positions} {k} and {m}{quiet|:} {sum} = {strong|{score}}", {
        k: places[0],
        m: places[1],
        sum: products.join(" + "),
        score: short(dot(query, key)),
      }),
    );
  };

  view.choice("method", _("what a position does"), (method) => METHODS[method]);
  view.slider("query_position", _("position of the query"), { accent: "--sine" });
  view.slider("key_position", _("position of the key"), { accent: "--cosine" });
  view.slider("frequency", _("turn per token"), {
    show: (speed) => `${Math.round(speed * DEGREES)}°`,
    to: (speed) => Math.round(speed * DEGREES),
    from: (degrees) => degrees / DEGREES,
  });
  const shift = (by) => {
    const [k, m] = view.values(...POSITIONS).map((position) => position + by);
    if (Math.min(k, m) < 0 || Math.max(k, m) > LAST) return;
    view.set({ query_position: k, key_position: m });
  };
  const row = view.row();
  row.append(node("span", {}, _("Move both words")));
  const back = view.button(row, "\u2212 1", () => shift(-1));
  back.setAttribute("aria-label", _("Move both back by one token"));
  view
    .button(row, "+ 1", () => shift(1))
    .setAttribute("aria-label", _("Move both on by one token"));
  return view.start(["method", ...POSITIONS, "frequency"]);
}
