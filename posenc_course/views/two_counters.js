// Eight bits and eight hands that count the same positions: what one step changes in each.

import {
  Figure,
  clamp,
  dial,
  distance,
  dot,
  encode,
  fixed,
  frequency,
  hand,
  label,
  line,
  node,
  write,
} from "./shared.js";

const DIGITS = 8;
const LAST = 2 ** DIGITS - 1;

const bit = (k, place) => (k >> place) & 1;
// How many bits differ between two positions.
const differing = (one, other) =>
  Array.from({ length: DIGITS }, (_, place) => bit(one ^ other, place)).reduce((a, b) => a + b);
const flips = (k) => differing(k, k + 1);
const HOLD = 18;
// "1 of 8 bits flips", "3 of 8 bits flip".
const ofBits = (many, verb) => `${many} of ${DIGITS} bits ${verb}${many === 1 ? "s" : ""}`;

export function render(context) {
  const view = new Figure(context, "Position");
  const TOP = 30;
  const CHART = 92;
  const plan = (width) => {
    const left = width < 480 ? 4 : 76;
    const cell = (width - left - 4) / DIGITS;
    const box = Math.min(cell - 8, 46);
    return { left, cell, box, dials: TOP + box + 50, radius: Math.min(cell * 0.42, 32) };
  };
  const charts = (width) => plan(width).dials + plan(width).radius + 66;
  // How far each step goes, computed once for a width and a base.
  const kept = { width: 0, base: 0, steps: [] };
  const step = (k) => {
    const [width, base] = [view.get("width"), view.get("base")];
    if (kept.width !== width || kept.base !== base) {
      const steps = Array.from({ length: LAST + 1 }, (_, at) =>
        distance(encode(at, width, base), encode(at + 1, width, base)),
      );
      Object.assign(kept, { width, base, steps });
    }
    return kept.steps[k];
  };
  // Eight of the hands, evenly spread.
  const pairOf = (place) => (place * view.get("width")) / (2 * DIGITS);
  const along = (width, k) => 30 + (k / LAST) * (width - 38);

  const canvas = view.canvas(
    (width) => charts(width) + 2 * CHART + 52,
    (pen, width, tall, colour) => {
      const { left, cell, box, dials, radius } = plan(width);
      const k = view.get("position");
      const base = view.get("base");
      if (left > 40) {
        label(pen, colour.quiet, "bits", 0, TOP + box / 2, "left", "middle");
        label(pen, colour.quiet, "hands", 0, dials, "left", "middle");
      }
      for (let place = 0; place < DIGITS; place += 1) {
        const x = left + (place + 0.5) * cell;
        const [on, turns] = [bit(k, place), bit(k ^ (k + 1), place)];
        label(pen, colour.quiet, width < 480 ? place : `bit ${place}`, x, 18, "center");
        pen.beginPath();
        pen.roundRect(x - box / 2, TOP, box, box, 6);
        pen.fillStyle = on ? colour.ink : colour.faint;
        pen.fill();
        if (turns && k < LAST) {
          pen.strokeStyle = colour.highlight;
          pen.lineWidth = 3;
          pen.stroke();
        }
        pen.font = `600 17px ${colour.font}`;
        label(pen, on ? colour.ground : colour.quiet, on, x, TOP + box / 2 + 1, "center", "middle");
        pen.font = `13px ${colour.font}`;
        const angle = k * frequency(pairOf(place), view.get("width"), base);
        dial(pen, colour, x, dials, radius);
        line(pen, colour.cosine, 2, [x, dials], [x + radius * Math.cos(angle), dials]);
        line(
          pen,
          colour.sine,
          2,
          [x + radius * Math.cos(angle), dials],
          [x + radius * Math.cos(angle), dials - radius * Math.sin(angle)],
        );
        hand(pen, colour.ink, x, dials, radius, angle);
        dot(
          pen,
          colour.highlight,
          x + radius * Math.cos(angle),
          dials - radius * Math.sin(angle),
          4.5,
          colour.ground,
        );
        label(
          pen,
          colour.quiet,
          width < 480 ? pairOf(place) : `hand ${pairOf(place)}`,
          x,
          dials + radius + 20,
          "center",
        );
      }

      // What the step from each position to the next changes.
      const bottom = [charts(width) + CHART - 14, charts(width) + 2 * CHART + 16];
      const scale = (CHART - 36) / DIGITS;
      label(pen, colour.quiet, "bits that flip from k to k + 1", 30, charts(width) + 2);
      label(pen, colour.quiet, "how far the hands move", 30, charts(width) + CHART + 32);
      const thick = Math.max(1, (width - 38) / 256 - 0.6);
      for (let at = 0; at < LAST; at += 1) {
        const ink = at === k ? colour.highlight : colour.ink;
        const bar = at === k ? Math.max(thick, 3) : thick;
        pen.fillStyle = ink;
        pen.globalAlpha = at === k ? 1 : 0.55;
        pen.fillRect(
          along(width, at) - bar / 2,
          bottom[0] - flips(at) * scale,
          bar,
          flips(at) * scale,
        );
        pen.globalAlpha = 1;
      }
      const most = Math.max(2, Math.ceil(step(0)) + 1);
      const reach = (value) => bottom[1] - (value / most) * (CHART - 36);
      line(
        pen,
        colour.sine,
        2.5,
        ...Array.from({ length: LAST }, (_, at) => [along(width, at), reach(step(at))]),
      );
      for (const floor of bottom) line(pen, colour.line, 1, [30, floor], [width - 8, floor]);
      label(pen, colour.quiet, DIGITS, 24, bottom[0] - DIGITS * scale, "right", "middle");
      label(pen, colour.quiet, 0, 24, bottom[0], "right", "middle");
      label(pen, colour.quiet, most, 24, reach(most), "right", "middle");
      label(pen, colour.quiet, 0, 24, bottom[1], "right", "middle");
      for (const at of [0, 64, 128, 192, 255]) {
        label(
          pen,
          colour.quiet,
          at,
          along(width, at),
          bottom[1] + 18,
          at === 255 ? "right" : "center",
        );
      }
      const here = along(width, k);
      line(pen, colour.highlight, 1.5, [here, reach(most)], [here, bottom[1]]);
      dot(pen, colour.highlight, here, reach(step(k)), 6, colour.ground);
    },
  );

  // The mark in the charts can be held; a finger elsewhere scrolls the page.
  view.point(canvas, (px, py) => {
    const width = view.across;
    const mark = along(width, view.get("position"));
    if (py < charts(width) || Math.abs(px - mark) > HOLD) return null;
    return (x) =>
      view.set({ position: clamp(Math.round(((x - 30) / (width - 38)) * LAST), 0, LAST) });
  });

  const lines = [node("p"), node("p")];
  view.reading.append(...lines);
  view.say = () => {
    const k = view.get("position");
    const row = (at) => encode(at, view.get("width"), view.get("base"));
    const moved = fixed(step(k));
    const changed = k < LAST ? ofBits(flips(k), "flip") : "the counter is full";
    const apart = ofBits(differing(0, k), "differ");
    const far = fixed(distance(row(0), row(k)));
    write(
      lines[0],
      `{quiet|from} ${k} {quiet|to} ${k + 1}{quiet|:} {strong|${changed}}{quiet|, the hands ` +
        `move by} {sine|${moved}}`,
    );
    write(
      lines[1],
      `{quiet|from row 0 to row} ${k}{quiet|:} {strong|${apart}}{quiet|, the hands are} ` +
        `{sine|${far}} {quiet|apart}`,
    );
    const digits = Array.from({ length: DIGITS }, (_, place) => bit(k, place)).join("");
    return (
      `Position ${k}, in binary ${digits} with the fastest bit first. From ${k} to ${k + 1} ` +
      `${changed}, and the hands move by ${moved}. From row 0 to row ${k} ${apart}, and the ` +
      `hands are ${far} apart.`
    );
  };

  view.slider("position", { label: "position k", min: 0, max: LAST, accent: "--highlight" });
  const row = view.row();
  view.button(
    "Step back",
    () => view.set({ position: Math.max(view.get("position") - 1, 0) }),
    row,
  );
  view.button(
    "Step on",
    () => view.set({ position: Math.min(view.get("position") + 1, LAST) }),
    row,
  );
  view.player("position", { max: LAST, rate: 6, parent: row });
  return view.start(["position", "width", "base"]);
}
