// How far every other position is from the chosen one, and which comes nearest.

import { Figure, clamp, distance, encode, fixed, frequency, whole, _, plural } from "./shared.js";

const MOST_DIALS = 8;

export function render(context) {
  const view = new Figure(context, _("Position, width, base and length"));
  const [LEFT, TOP, TALL] = [40, 30, 200];

  // The distance from the chosen position to each of the L positions, and the nearest other.
  const measure = () => {
    const [k, d, base, length] = view.values("position", "width", "base", "length");
    const here = encode(k, d, base);
    const far = Array.from({ length }, (_, other) => distance(here, encode(other, d, base)));
    const others = far.map((value, other) => (other === k ? Infinity : value));
    const nearest = others.indexOf(Math.min(...others));
    return { k, d, base, length, far, nearest };
  };

  const plan = (width) => {
    const below = clamp(width / MOST_DIALS, 42, 86);
    return { right: width - 12, below, tall: TOP + TALL + 70 + below };
  };

  view.canvas(plan, (pen, { right, below, tall }, colour) => {
    const { k, d, base, length, far, nearest } = measure();
    const most = Math.sqrt(2 * d); // every hand turned half round
    const x = (other) => LEFT + (other / (length - 1)) * (right - LEFT);
    const y = (value) => TOP + TALL * (1 - value / most);
    pen.label(colour.quiet, _("distance from position {k}", { k }), LEFT, 16);
    for (const share of [0, 0.5, 1]) {
      const level = y(share * most);
      pen.line(share ? colour.faint : colour.line, 1, [LEFT, level], [right, level]);
      pen.label(colour.quiet, fixed(share * most, 1), LEFT - 8, level, "right", "middle");
    }
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const at = Math.round(share * (length - 1));
      pen.label(colour.quiet, at, x(at), y(0) + 18, share === 1 ? "right" : "center");
    }
    pen.line(colour.sine, 1.75, ...far.map((value, other) => [x(other), y(value)]));
    if (length <= 160) far.forEach((value, other) => pen.dot(colour.sine, x(other), y(value), 2.2));
    pen.dot(colour.ink, x(k), y(0), 6, colour.ground);
    pen.line(colour.highlight, 2, [x(nearest), y(most)], [x(nearest), y(0)]);
    pen.dot(colour.highlight, x(nearest), y(far[nearest]), 7, colour.ground);

    // The two positions as clocks: where all hands lie together, nothing tells them apart.
    const cell = Math.min(below, (right + 8) / Math.min(d / 2, MOST_DIALS));
    const [cy, radius] = [TOP + TALL + 40 + below / 2, cell * 0.42];
    for (let pair = 0; pair < Math.min(d / 2, MOST_DIALS); pair += 1) {
      const omega = frequency(pair, d, base);
      const cx = (pair + 0.5) * cell;
      pen.dial(cx, cy, radius);
      pen.hand(colour.highlight, cx, cy, radius, nearest * omega, 5);
      pen.hand(colour.ink, cx, cy, radius, k * omega, 2);
    }
    const hands = { some: MOST_DIALS, all: d / 2, k, nearest };
    const words =
      d / 2 > MOST_DIALS
        ? _("the first {some} of {all} clocks: thin hand at {k}, gold at {nearest}", hands)
        : _("clocks: thin hand at {k}, gold at {nearest}", hands);
    pen.label(colour.quiet, words, 2, tall - 2);
  });

  view.point((px, py, { right }) => {
    if (py > TOP + TALL + 24) return null;
    const last = view.get("length") - 1;
    const at = (x) => clamp(Math.round(((x - LEFT) / (right - LEFT)) * last), 0, last);
    return (x) => view.set({ position: at(x) });
  });

  view.say = () => {
    const { k, d, base, length, far, nearest } = measure();
    const near = fixed(far[nearest], 4);
    const step = fixed(distance(encode(0, d, base), encode(1, d, base)), 4);
    const values = { k, nearest, near, step, positions: whole(length) };
    return view.read(
      plural(
        "Nearest to position {k}: {strong|position {nearest}}, {count} step away{quiet|, at a distance of} {strong|{near}}",
        "Nearest to position {k}: {strong|position {nearest}}, {count} steps away{quiet|, at a distance of} {strong|{near}}",
        Math.abs(nearest - k),
        values,
      ),
      _(
        "{quiet|a step of 1 moves} {step}{quiet|; the farthest of {positions} positions is at} {far}",
        { ...values, far: fixed(Math.max(...far), 2) },
      ),
    );
  };

  view.slider("position", _("position k"), {
    most: () => view.get("length") - 1,
    follows: "length",
  });
  const clocks = (d) =>
    plural("{numbers}, {count} clock", "{numbers}, {count} clocks", d / 2, { numbers: d });
  view.slider("width", _("numbers in a row, d"), { step: 2, show: clocks });
  view.baseSlider();
  view.slider("length", _("length L"), {
    step: 16,
    show: (length) => _("{count} tokens", { count: whole(length) }),
  });
  return view.start(["position", "width", "base", "length"]);
}
