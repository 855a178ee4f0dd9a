// Eight hands at the pace of the bits: a slider rounds their x and y more or less, and bars show
// how far the row moves in each step.

import { Figure, TURN, clamp, distance, fixed, _ } from "./shared.js";
import { softened } from "./rounding.js";

const HANDS = 8;
const [FIRST, LAST] = [96, 160]; // the rows that are drawn
const MOST = 6; // the scale of the bars: the largest step is √32, which is 5.66

// The x of the eight hands half a token after position k, and after them their y, rounded.
function roundedRow(k, rounding) {
  const angles = Array.from({ length: HANDS }, (_, i) => (TURN * (k + 0.5)) / 2 ** (i + 1));
  const tips = [...angles.map(Math.sin), ...angles.map(Math.cos)];
  return tips.map((value) => softened(value, 1 - rounding));
}

export function render(context) {
  const view = new Figure(context, _("Rounding"));
  const step = (k) => {
    const rounding = view.get("rounding");
    return distance(roundedRow(k - 1, rounding), roundedRow(k, rounding));
  };
  const steps = () => Array.from({ length: LAST - FIRST }, (_, n) => step(FIRST + 1 + n));

  const plan = (width) => {
    const narrow = width < 480;
    const [left, gap, top, row] = [34, narrow ? 10 : 18, 40, narrow ? 4 : 5];
    const panel = Math.min(HANDS * 21, (width - left) * 0.27);
    const bars = left + 2 * (panel + gap);
    const bottom = top + (LAST - FIRST + 1) * row;
    return { width, narrow, left, gap, top, row, panel, bars, bottom, tall: bottom + 26 };
  };

  view.canvas(plan, (pen, p, colour) => {
    const { width, left, gap, top, row, panel, bars, bottom } = p;
    const k = view.get("position");
    const y = (position) => top + (position - FIRST) * row; // where a row begins
    const rows = Array.from({ length: LAST - FIRST + 1 }, (_, n) =>
      roundedRow(FIRST + n, view.get("rounding")),
    );
    const [right, reach] = [left + panel + gap, width - 8 - bars];
    for (const [n, at, ink] of [
      [0, left, colour.sine],
      [1, right, colour.cosine],
    ]) {
      const half = rows.map((values) => values.slice(n * HANDS, (n + 1) * HANDS));
      pen.image(half, 1, at, top, panel, bottom - top);
      pen.frame(colour.line, 1, at, top, panel, bottom - top);
      pen.bold(13, () => pen.label(ink, "xy"[n], at + panel / 2, top - 22, "center"));
      pen.label(colour.quiet, "0", at + panel / HANDS / 2, top - 6, "center");
      pen.label(colour.quiet, "7", at + panel - panel / HANDS / 2, top - 6, "center");
    }
    pen.label(colour.quiet, p.narrow ? _("the step") : _("how far each step goes"), bars, top - 22);

    // A bar for each step, between its two rows; the chosen one in gold.
    for (const [n, far] of steps().entries()) {
      const position = FIRST + 1 + n;
      const ink = position === k ? colour.highlight : colour.quiet;
      const length = (reach * far) / MOST;
      pen.block(ink, bars, y(position) - row / 2 + 0.5, length, row - 1);
    }
    for (let mark = 0; mark <= MOST; mark += 2) {
      const at = bars + (reach * mark) / MOST;
      pen.line(colour.line, 1, [at, bottom], [at, bottom + 4]);
      pen.label(colour.quiet, mark, at, bottom + 18, "center");
    }
    pen.line(colour.line, 1, [bars, top], [bars, bottom], [bars + reach, bottom]);
    for (const at of [left, right]) pen.line(colour.highlight, 2, [at, y(k)], [at + panel, y(k)]);
    const marks = [96, 112, 128, 144, 160].filter((mark) => Math.abs(mark - k) * row >= 15);
    pen.marks(marks, (mark) => [left - 6, y(mark) + row / 2], "right", "middle");
    pen.bold(13, () => pen.label(colour.ink, k, left - 6, y(k) + row / 2, "right", "middle"));
  });

  view.point((x, y, { top, row, bottom, left }) => {
    if (x < left || y < top || y > bottom) return null;
    const at = (level) => clamp(Math.round((level - top) / row) + FIRST, FIRST + 1, LAST);
    return (_, level) => view.set({ position: at(level) });
  });

  const percent = (share) => `${fixed(100 * share, 0)} %`;
  view.say = () => {
    const k = view.get("position");
    const all = steps();
    const [least, most] = [Math.min(...all), Math.max(...all)].map((far) => fixed(far));
    const range =
      least === most
        ? _("all steps are {least} long", { least })
        : _("the steps are {least} to {most} long", { least, most });
    return view.read(
      _(
        "{quiet|Rounded by} {share}{quiet|: from} {before} {quiet|to} {k} {quiet|the row moves by} {strong|{step}}{quiet|, and {range}}",
        { share: percent(view.get("rounding")), before: k - 1, k, step: fixed(step(k)), range },
      ),
    );
  };

  view.slider("rounding", _("how much is rounded"), {
    step: 0.01,
    accent: "--sine",
    show: percent,
  });
  view.slider("position", _("step to position k"), { accent: "--highlight" });
  return view.start(["rounding", "position"]);
}
