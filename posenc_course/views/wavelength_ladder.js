// Every hand's wavelength on a logarithmic axis, and the hands that finish a turn in L tokens.
// From the first of L tokens to the last there are L − 1 steps.

import { Decades, Figure, TURN, clamp, fixed, frequency, plural, whole, _ } from "./decades.js";

// The lengths that the slider stops at: those that people give to texts and to models.
const LENGTH_STOPS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
  .map((power) => 2 ** power)
  .concat(
    [1, 2, 3, 4].flatMap((power) => [1, 2, 5].map((first) => first * 10 ** power)),
    100_000,
  )
  .sort((one, other) => one - other);

// The place of the stop that is nearest to a length, on a scale of factors.
function nearestStop(length) {
  const factors = LENGTH_STOPS.map((stop) => Math.abs(Math.log(stop / length)));
  return factors.indexOf(Math.min(...factors));
}

// A wavelength to three digits, as the chapter computes it.
const short = (tokens) => {
  const digits = Number(tokens.toPrecision(3));
  if (digits >= 10_000) return whole(digits);
  return fixed(digits, digits < 10 ? 2 : digits < 100 ? 1 : 0);
};

export function render(context) {
  const view = new Figure(context, _("Base and length"));
  const TOP = 40;
  const plan = (width) => new Decades(width, TOP, width < 480 ? 190 : 240);
  const wavelengths = () => {
    const [width, base] = view.values("width", "base");
    return Array.from({ length: width / 2 }, (_, pair) => TURN / frequency(pair, width, base));
  };

  view.canvas(plan, (pen, axis, colour) => {
    const { width } = axis;
    const length = view.get("length");
    const waves = wavelengths();
    const edge = axis.at(length - 1);
    axis.draw(pen);

    // Words beside what they name, inside the drawing, on a ground of their own.
    const aside = (ink, text, at, level) => {
      const end = width - 4 - pen.context.measureText(text).width;
      pen.plate(ink, text, Math.min(at, end), level);
    };

    // The ladder: a dot for each hand, the first at the top, and as many rungs as there is
    // room for.
    const step = (axis.high - 32) / waves.length;
    const y = (pair) => TOP + 16 + (pair + 0.5) * step;
    const every = Math.ceil(5 / step); // rungs are at least 5 pixels apart
    const radius = clamp(step * 0.42, 1.6, 5);
    const few = step >= 16; // each rung has room for its number
    waves.forEach((wave, pair) => {
      const ink = wave <= length - 1 ? colour.highlight : colour.quiet;
      const tip = Math.min(axis.at(wave), axis.right);
      const rung = () => pen.line(ink, 1.25, [axis.left, y(pair)], [tip, y(pair)]);
      if (pair % every === 0) pen.pale(0.45, rung);
      pen.dot(ink, tip, y(pair), radius);
      if (few) aside(colour.ink, short(wave), tip + 10, y(pair));
      if (step >= 26) pen.label(colour.quiet, _("hand {pair}", { pair }), axis.left, y(pair) - 5);
    });

    // How many stand on either side of L, each number beside its part of the ladder.
    const done = waves.filter((wave) => wave <= length - 1).length;
    const left = waves.length - done;
    const counts = () => {
      const beside = Math.max(edge, axis.at(waves[0])) + 14;
      const finish =
        width < 480
          ? plural("{count} finishes", "{count} finish", done)
          : plural("{count} finishes a turn", "{count} finish a turn", done);
      if (done) aside(colour.ink, finish, beside, y((done - 1) / 2));
      if (left) {
        const middle = Math.floor((done + waves.length - 1) / 2);
        const level = clamp(y(middle), TOP + 16, axis.bottom - 34);
        aside(
          colour.quiet,
          plural("{count} does not", "{count} do not", left),
          axis.at(waves[middle]) + 14,
          level,
        );
      }
    };
    if (!few) pen.bold(14, counts);
    axis.post(pen, edge, `L = ${whole(length)}`, [50, width - 60]);
  });
  view.point((px, py, axis) => axis.setting(view, py, 1)); // a step more is a token more

  view.say = () => {
    const waves = wavelengths();
    const [length, count] = [view.get("length"), waves.length];
    const done = waves.filter((wave) => wave <= length - 1).length;
    const [first, last] = [short(waves[0]), short(waves[count - 1])];
    return view.read(
      plural(
        "{strong|{done} of {all}} hands finishes a turn in {length} tokens.",
        "{strong|{done} of {all}} hands finish a turn in {length} tokens.",
        done,
        { done, all: count, length: whole(length) },
      ),
      _(
        "{quiet|first wavelength} {first} {quiet|· last} {last} {quiet|tokens · each} {times} {quiet|times the one before}",
        { first, last, times: Number((waves[1] / waves[0]).toPrecision(5)) },
      ),
    );
  };

  view.baseSlider();
  if (view.get("any_width")) {
    view.slider("width", _("numbers in a row, d"), {
      step: 2,
      show: (d) => _("{numbers}, {hands} hands", { numbers: d, hands: d / 2 }),
    });
  }
  view.slider("length", _("length of the text, L"), {
    show: (length) => _("{count} tokens", { count: whole(length) }),
    to: nearestStop,
    from: (place) => LENGTH_STOPS[place],
  });
  return view.start(["base", "width", "length"]);
}
