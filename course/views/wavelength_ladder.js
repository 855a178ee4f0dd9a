// Every pair's wavelength on a logarithmic axis, and the pairs that finish a turn in L tokens.
// From the first of L tokens to the last there are L − 1 steps.

import {
  Decades,
  Figure,
  TURN,
  clamp,
  dot,
  frequency,
  label,
  line,
  node,
  rounded,
  whole,
  write,
} from "./decades.js";

export function render(context) {
  const view = new Figure(context, "Base, width and length");
  const TOP = 40;
  const tall = (width) => (width < 480 ? 190 : 240);
  const wavelengths = () =>
    Array.from(
      { length: view.get("width") / 2 },
      (_, pair) => TURN / frequency(pair, view.get("width"), view.get("base")),
    );

  const canvas = view.canvas(
    (width) => TOP + tall(width) + 58,
    (pen, width, height, colour) => {
      const axis = new Decades(width, TOP, tall(width));
      const [length, base] = [view.get("length"), view.get("base")];
      const waves = wavelengths();
      const edge = axis.at(length - 1);
      axis.draw(pen, colour);

      // The ladder: a dot for each pair, the first at the top, and as many rungs as there is
      // room for.
      const step = (tall(width) - 32) / waves.length;
      const y = (pair) => TOP + 16 + (pair + 0.5) * step;
      const every = Math.ceil(5 / step);
      const radius = clamp(step * 0.42, 1.6, 5);
      waves.forEach((wave, pair) => {
        const ink = wave <= length - 1 ? colour.highlight : colour.quiet;
        pen.globalAlpha = 0.45;
        const tip = axis.at(wave);
        if (pair % every === 0) line(pen, ink, 1.25, [axis.left, y(pair)], [tip, y(pair)]);
        pen.globalAlpha = 1;
        dot(pen, ink, tip, y(pair), radius);
      });

      // 2πn, which no pair reaches.
      const limit = axis.at(TURN * base);
      pen.setLineDash([3, 4]);
      line(pen, colour.quiet, 1.5, [limit, TOP], [limit, axis.bottom]);
      pen.setLineDash([]);
      label(pen, colour.quiet, "2πn", limit + 6, TOP + 14, "left");

      // How many stand on either side of L, each number beside its part of the ladder.
      const done = waves.filter((wave) => wave <= length - 1).length;
      const beside = Math.max(edge, axis.at(waves[0])) + 14;
      const some = width < 480 ? "" : " a turn";
      pen.font = `600 14px ${colour.font}`;
      const aside = (ink, text, at, level) => {
        pen.strokeStyle = colour.ground;
        pen.lineWidth = 5;
        pen.textAlign = "left";
        pen.textBaseline = "middle";
        pen.strokeText(text, at, level);
        label(pen, ink, text, at, level, "left", "middle");
      };
      if (done) {
        aside(colour.ink, `${done} finish${some}`, beside, y((done - 1) / 2));
      }
      if (done < waves.length) {
        const low = clamp(y((done + waves.length - 1) / 2), TOP + 16, axis.bottom - 12);
        const middle = waves[Math.floor((done + waves.length - 1) / 2)];
        const from = Math.max(axis.at(middle), limit) + 14;
        aside(colour.quiet, `${waves.length - done} do not`, from, low);
      }
      axis.post(pen, colour, edge, `L = ${whole(length)}`, [50, width - 60]);
    },
  );

  view.drag(canvas, (px, py) => {
    const axis = new Decades(canvas.clientWidth, TOP, tall(canvas.clientWidth));
    if (py > axis.bottom) return null;
    return (to) => view.set({ length: clamp(Math.round(axis.tokens(to)) + 1, 8, 131072) });
  });

  const lines = [node("p"), node("p")];
  view.reading.append(...lines);
  view.say = () => {
    const waves = wavelengths();
    const [length, count] = [view.get("length"), waves.length];
    const done = waves.filter((wave) => wave <= length - 1).length;
    const [first, last] = [rounded(waves[0]), rounded(waves[count - 1])];
    write(
      lines[0],
      `{strong|${done} of ${count}} pairs finish a turn in ${whole(length)} tokens ` +
        `{quiet|(${whole(length - 1)} steps)}.`,
    );
    write(
      lines[1],
      `{quiet|first wavelength} ${first} {quiet|· last} ${last} {quiet|tokens · ` +
        `each} ${(waves[1] / waves[0] || 1).toFixed(4)} {quiet|times the one before}`,
    );
    return (
      `Wavelengths of ${count} pairs, base ${whole(view.get("base"))}, from ${first} to ` +
      `${last} tokens. ` +
      `${done} of ${count} pairs finish a turn in ${whole(length)} tokens.`
    );
  };

  view.baseSlider();
  view.slider("width", {
    label: "width d",
    min: 4,
    max: 1024,
    step: 2,
    show: (d) => `${d}, ${d / 2} pairs`,
  });
  view.slider("length", {
    label: "length L",
    min: 8,
    max: 131072,
    step: 0.25,
    to: Math.log2,
    from: (power) => Math.round(2 ** power),
    show: (length) => `${whole(length)} tokens`,
  });
  return view.start(["base", "width", "length"]);
}
