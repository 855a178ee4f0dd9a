// The wavelengths of a rotary embedding before and after it is stretched for longer texts, over
// the tokens of the texts it was trained on.

import { Decades, Figure, TURN, clamp, frequency, rounded, whole } from "./decades.js";

// Radians per token of each pair, by the published rules, as posenc.scaling has them.
const RULES = {
  linear: (omega, factor) => omega.map((speed) => speed / factor),
  "NTK-aware": (omega, factor, length, base) => {
    const width = 2 * omega.length;
    const raised = base * factor ** (width / (width - 2));
    return omega.map((_, pair) => frequency(pair, width, raised));
  },
  // Pairs with 32 turns or more in a text stay, those with at most 1 are divided by the factor.
  YaRN: (omega, factor, length, base) => {
    const pairOf = (turns) => (omega.length * Math.log(length / (TURN * turns))) / Math.log(base);
    const low = Math.max(Math.floor(pairOf(32)), 0);
    const high = Math.max(low, Math.min(Math.ceil(pairOf(1)), 2 * omega.length - 1));
    return omega.map((speed, pair) => {
      // A ramp that ends where it begins has this width, as in the authors' code of YaRN.
      const ramp = clamp((pair - low) / (high - low || 0.001), 0, 1);
      return (1 - ramp) * speed + (ramp * speed) / factor;
    });
  },
  // Pairs with 4 turns or more in a text stay, those with at most 1 are divided by the factor.
  "Llama 3": (omega, factor, length) =>
    omega.map((speed) => {
      const kept = clamp(((length * speed) / TURN - 1) / 3, 0, 1);
      return kept * speed + ((1 - kept) * speed) / factor;
    }),
};

// The list before and after, and what became of each pair.
export function stretched({ method, factor, length, width, base }) {
  const before = Array.from({ length: width / 2 }, (_, pair) => frequency(pair, width, base));
  const after = RULES[method](before, factor, length, base);
  const slow = before.map((speed) => length * speed < TURN); // no whole turn in a text of training
  const kept = after.map((speed, pair) => Math.abs(speed / before[pair] - 1) <= 1e-5);
  // An angle that no text of training had: further than the slow pair got there.
  const fresh = after.map(
    (speed, pair) => slow[pair] && factor * speed > before[pair] * (1 + 1e-9),
  );
  return { before, after, slow, kept, fresh };
}

const count = (list) => list.filter(Boolean).length;

export function render(context) {
  const view = new Figure(context, "Method, factor and length");
  const TOP = 44;
  const plan = (width) => new Decades(width, TOP, width < 480 ? 240 : 290);
  const now = () => {
    const traits = ["method", "factor", "length", "width", "base"];
    const state = Object.fromEntries(traits.map((trait) => [trait, view.get(trait)]));
    return { ...state, ...stretched(state) };
  };

  view.canvas(plan, (pen, axis, colour) => {
    const { before, after, fresh, factor, length } = now();
    const { width } = axis;
    const at = (tokens) => clamp(axis.at(tokens), axis.left, axis.right);
    axis.draw(pen);

    // A rung for each pair, the first at the top: a ring where it was, a dot where it is, and the
    // way between them.
    const step = (axis.high - 28) / before.length;
    const radius = clamp(step * 0.5, 2, 4.5);
    const y = (pair) => TOP + 14 + (pair + 0.5) * step;
    before.forEach((speed, pair) => {
      const [from, to] = [at(TURN / speed), at(TURN / after[pair])];
      const ink = fresh[pair] ? colour.highlight : colour.ink;
      if (to - from > 1)
        pen.line(fresh[pair] ? ink : colour.line, 1.5, [from, y(pair)], [to, y(pair)]);
      pen.dot(colour.ground, from, y(pair), radius * 0.8, colour.quiet);
      pen.dot(ink, to, y(pair), radius);
    });

    // The longest text of training, and the longest one now.
    const [trained, longer] = [at(length), at(factor * length)];
    const beside = Math.min(longer + 10, width - 130);
    if (longer - trained > 3) {
      const high = beside < longer ? TOP + 36 : TOP - 4; // below words that stand across it
      pen.dashed([3, 4], colour.quiet, 1.5, [longer, high], [longer, axis.bottom]);
      pen.plate(colour.quiet, `now: ${whole(factor * length)}`, beside, TOP + 4);
    }
    pen.plate(colour.quiet, "ring: before, dot: now", beside, TOP + 24);
    axis.post(pen, trained, `trained: ${whole(length)}`, [60, width - 60]);
    if (count(fresh)) {
      const level = Math.max(y(fresh.indexOf(true)), TOP + 46);
      const right = Math.max(at(TURN / after[fresh.indexOf(true)]) + 12, beside);
      pen.bold(13, () => pen.plate(colour.ink, `${count(fresh)} with new angles`, right, level));
    }
  });
  view.point((px, py, axis) => axis.setting(view, py));

  view.say = () => {
    const { before, after, slow, kept, fresh } = now();
    const [pairs, stay, late, news] = [before.length, count(kept), count(slow), count(fresh)];
    const [was, is] = [before, after].map((list) => rounded(TURN / list[pairs - 1]));
    return view.read(
      `{strong|${stay} of ${pairs}} pairs as they were {quiet|·} ` +
        `{strong|${news} of ${late}} slow pairs with new angles`,
      `{quiet|last pair:} ${was} {quiet|tokens a turn, now} ${is}`,
    );
  };

  view.choice("method", "method");
  view.slider("factor", "factor s", {
    step: 0.25,
    to: Math.log2,
    from: (power) => Number((2 ** power).toPrecision(3)),
    show: (factor) => `${factor} times`,
  });
  view.lengthSlider("tokens in training L");
  return view.start(["method", "factor", "length"]);
}
