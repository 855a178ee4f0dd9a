// The table as a heat map; one row and one pair of columns chosen, and the formula with their
// numbers put in.

import {
  Figure,
  TURN,
  clamp,
  colourBar,
  dot,
  encode,
  fixed,
  frequency,
  label,
  line,
  node,
  picture,
  whole,
  write,
} from "./shared.js";

const LENGTH = 100;
const WIDTH = 512;

export function render(context) {
  const view = new Figure(context, "Position, pair and base");
  let [table, drawn] = [null, ""];

  // The heat map is drawn once for each base and theme, and copied from then on.
  const drawTable = (colour) => {
    const key = `${view.get("base")} ${view.mapKey}`;
    if (key === drawn) return;
    drawn = key;
    const rows = Array.from({ length: LENGTH }, (_, k) => encode(k, WIDTH, view.get("base")));
    table = picture(rows, colour.map);
  };

  const plan = (width) => {
    // One CSS pixel for each column where there is room: other scales make false stripes.
    const wide = Math.min(WIDTH, width - 34 - (width < 480 ? 76 : 134));
    return {
      left: 34,
      top: 24,
      right: 34 + wide,
      side: width - 34 - wide - 14,
      tall: width < 480 ? 200 : 270,
      strip: width < 480 ? 54 : 72,
    };
  };
  const height = (width) => plan(width).top + plan(width).tall + plan(width).strip + 62;

  const canvas = view.canvas(height, (pen, width, tallest, colour) => {
    drawTable(colour);
    const { left, top, right, side, tall, strip } = plan(width);
    const [k, i, base] = [view.get("position"), view.get("pair"), view.get("base")];
    const x = (column) => left + (column / WIDTH) * (right - left);
    const y = (row) => top + (row / LENGTH) * tall;
    pen.imageSmoothingEnabled = ((right - left) * window.devicePixelRatio) % WIDTH !== 0;
    pen.drawImage(table, left, top, right - left, tall);
    pen.strokeStyle = colour.line;
    pen.lineWidth = 1;
    pen.strokeRect(left, top, right - left, tall);
    label(pen, colour.quiet, "column", left, 14);
    label(pen, colour.quiet, `pair ${i}`, right + 14 + side / 2, 14, "center");
    for (const row of [0, 25, 50, 75, 99]) {
      label(pen, colour.quiet, row, left - 6, y(row + 0.5), "right", "middle");
    }

    // The chosen row, and below it its values from column to column.
    const from = y(k);
    pen.strokeStyle = colour.highlight;
    pen.lineWidth = 2;
    pen.strokeRect(left, from, right - left, tall / LENGTH);
    const middle = top + tall + 22 + strip / 2;
    const row = encode(k, WIDTH, base);
    line(pen, colour.line, 1, [left, middle], [right, middle]);
    for (const [first, ink] of [
      [0, colour.sine],
      [1, colour.cosine],
    ]) {
      line(
        pen,
        ink,
        1.25,
        ...Array.from({ length: WIDTH / 2 }, (_, pair) => [
          x(2 * pair + first + 0.5),
          middle - (row[2 * pair + first] * strip) / 2,
        ]),
      );
    }
    label(pen, colour.quiet, `row ${k}`, right + 14, middle, "left", "middle");
    for (const column of [0, 128, 256, 384, 511]) {
      label(pen, colour.quiet, column, x(column + 0.5), middle + strip / 2 + 18, "center");
    }

    // The chosen columns, and beside the table their values from position to position.
    const centre = right + 14 + side / 2;
    line(pen, colour.line, 1, [centre, top], [centre, top + tall]);
    const omega = frequency(i, WIDTH, base);
    [
      [Math.sin, colour.sine, 2 * i],
      [Math.cos, colour.cosine, 2 * i + 1],
    ].forEach(([wave, ink, column]) => {
      const at = x(column + 0.5);
      line(pen, ink, 1.5, [at, top], [at, top + tall + 22]);
      dot(pen, ink, at, middle - (row[column] * strip) / 2, 4.5, colour.ground);
      const points = Array.from({ length: 4 * LENGTH - 3 }, (_, n) => [
        centre + (side / 2 - 3) * wave((n / 4) * omega),
        y(n / 4 + 0.5),
      ]);
      line(pen, ink, 1.5, ...points);
    });
    line(pen, colour.highlight, 1, [right, y(k + 0.5)], [right + 14 + side, y(k + 0.5)]);
    for (const [value, ink] of [
      [row[2 * i], colour.sine],
      [row[2 * i + 1], colour.cosine],
    ]) {
      dot(pen, ink, centre + (side / 2 - 3) * value, y(k + 0.5), 4.5, colour.ground);
    }
    colourBar(pen, colour, width, tallest - 12);
  });

  view.drag(canvas, (px, py) => {
    const { left, top, right, tall } = plan(canvas.clientWidth);
    if (px < left || px > right || py < top || py > top + tall) return null;
    return (x, y) =>
      view.set({
        position: clamp(Math.floor(((y - top) / tall) * LENGTH), 0, LENGTH - 1),
        pair: clamp(Math.floor(((x - left) / (right - left)) * (WIDTH / 2)), 0, WIDTH / 2 - 1),
      });
  });

  const lines = [node("p"), node("p"), node("p")];
  view.reading.append(...lines);
  view.say = () => {
    const [k, i, base] = [view.get("position"), view.get("pair"), view.get("base")];
    const omega = frequency(i, WIDTH, base);
    const [speed, angle] = [fixed(omega, 5), fixed(k * omega, 4)];
    const [sine, cosine] = [fixed(Math.sin(k * omega), 4), fixed(Math.cos(k * omega), 4)];
    write(
      lines[0],
      `ω{sub|${i}} = n{sup|−2i/d} = ${whole(base)}{sup|−${2 * i}/${WIDTH}} = ` +
        `{strong|${speed}} {quiet|rad/token, one turn in ${whole(TURN / omega)} tokens}`,
    );
    write(
      lines[1],
      `PE(${k}, ${2 * i}) = sin(k ω{sub|${i}}) = sin(${k} × ${speed}) = ` +
        `sin(${angle}) = {sine|${sine}}`,
    );
    write(
      lines[2],
      `PE(${k}, ${2 * i + 1}) = cos(k ω{sub|${i}}) = cos(${k} × ${speed}) = ` +
        `cos(${angle}) = {cosine|${cosine}}`,
    );
    return (
      `Heat map of ${LENGTH} positions and ${WIDTH} columns, base ${whole(base)}. ` +
      `At position ${k}, pair ${i}: column ${2 * i} is the sine of ${angle}, ` +
      `${sine}; column ${2 * i + 1} is its cosine, ${cosine}.`
    );
  };

  view.slider("position", {
    label: "position k",
    min: 0,
    max: LENGTH - 1,
    accent: "--highlight",
    show: (k) => `row ${k}`,
  });
  view.slider("pair", {
    label: "pair i",
    min: 0,
    max: WIDTH / 2 - 1,
    accent: "--sine",
    show: (i) => `${i}, columns ${2 * i} and ${2 * i + 1}`,
  });
  view.choice("base", { label: "base n", values: [100, 1000, 10000, 1000000], show: whole });
  return view.start(["position", "pair", "base"]);
}
