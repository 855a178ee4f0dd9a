// Shuffle the words of a sentence and watch what attention gives back for each of them.

import {
  Figure,
  clamp,
  colourBar,
  distance,
  encode,
  fixed,
  label,
  node,
  scattered,
  strip,
  write,
} from "./shared.js";

const WIDTH = 8; // of the rows that are made from the letters of the words
const MOST = 2; // the entry with the strongest colour
const ROW = 52;
const TOP = 30;
const GLIDE = 350; // milliseconds for a word to reach its new row

const identity = (width) =>
  Array.from({ length: width }, (_, row) => {
    const entries = new Array(width).fill(0);
    entries[row] = 1;
    return entries;
  });

const times = (rows, matrix) =>
  rows.map((row) => matrix[0].map((_, c) => row.reduce((sum, v, r) => sum + v * matrix[r][c], 0)));

// softmax(Q Kᵀ / √d) V, row by row; with a mask a row sees itself and the rows above it.
function attention([queries, keys, values], mask) {
  return queries.map((query, place) => {
    const seen = mask ? place + 1 : keys.length;
    const weights = keys.slice(0, seen).map((key) => {
      const score = key.reduce((sum, v, c) => sum + v * query[c], 0);
      return Math.exp(score / Math.sqrt(query.length));
    });
    const total = weights.reduce((sum, weight) => sum + weight);
    return values[0].map(
      (_, c) => weights.reduce((sum, weight, r) => sum + weight * values[r][c], 0) / total,
    );
  });
}

const mean = (rows) =>
  rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length);

export function render(context) {
  const view = new Figure(context, "Order of the words");
  const words = () => view.get("sentence").split(/\s+/).filter(Boolean);
  const written = () => words().map((_, index) => index);
  const order = () => {
    const now = view.get("order");
    return now.length === words().length ? now : written();
  };

  const columns = () => {
    const tables = ["vectors", "W_Q", "W_K", "W_V"].map(view.get, view);
    return tables.find((rows) => rows.length)?.[0].length ?? WIDTH;
  };
  const vector = (index) =>
    view.get("vectors")[index] ??
    [...scattered(words()[index].toLowerCase(), columns())].map((value) => 1.5 * value);
  const matrix = (name) => (view.get(name).length ? view.get(name) : identity(columns()));

  // The row of each word, by its place in the sentence as written.
  const look = (arrangement) => {
    const inputs = arrangement.map((index, row) => {
      const position = encode(row, columns(), 100);
      return [...vector(index)].map((v, c) => v + (view.get("positions") ? position[c] : 0));
    });
    const projected = ["W_Q", "W_K", "W_V"].map((name) => times(inputs, matrix(name)));
    const outputs = attention(projected, view.get("mask"));
    const byWord = (rows) => words().map((_, index) => rows[arrangement.indexOf(index)]);
    return { inputs: byWord(inputs), outputs: byWord(outputs), pooled: mean(outputs) };
  };

  // A row of values in colour, with the numbers where there is room for them.
  const row = (pen, colour, values, x, y, wide) => {
    const cell = wide / values.length;
    strip(pen, colour, values, x, y, wide, ROW - 16, MOST);
    if (cell < 40) return;
    values.forEach((value, c) => {
      const ink = Math.abs(value) > 0.55 * MOST ? colour.ground : colour.ink;
      label(pen, ink, fixed(value), x + (c + 0.5) * cell, y + 18, "center", "middle");
    });
  };

  const buttons = node("div");
  let picked = null; // the word that waits for another to change places with
  let followed = null; // the word picked last, whose row is marked
  const places = []; // where each word is drawn, on its way from row to row
  let moving = 0;
  const plan = (width) => {
    const word = clamp(width * 0.17, 78, 120);
    const change = width < 480 ? 44 : 84;
    const cells = (width - word - change - 46) / 2;
    return { word, cells, first: word + 10, second: word + cells + 40 };
  };

  const canvas = view.canvas(
    () => TOP + ROW * (words().length + 1) + 34,
    (pen, width, tall, colour) => {
      const list = words();
      const { word, cells, first, second } = plan(width);
      const [now, before] = [look(order()), look(written())];
      const heading = (text, x, align) => label(pen, colour.quiet, text, x, 16, align);
      heading(width < 480 ? "in" : "goes in", first);
      heading(width < 480 ? "out" : "comes out", second);
      heading(width < 480 ? "change" : "change in row", width, "right");
      const tellChange = (moved, y) => {
        pen.font = `600 14px ${colour.font}`;
        const ink = moved > 1e-9 ? colour.ink : colour.quiet;
        label(pen, ink, fixed(moved), width, y, "right", "middle");
        pen.font = `13px ${colour.font}`;
      };
      list.forEach((_, index) => {
        const y = TOP + places[index] * ROW + 6;
        row(pen, colour, now.inputs[index], first, y, cells);
        label(pen, colour.quiet, "→", second - 15, y + 18, "center", "middle");
        row(pen, colour, now.outputs[index], second, y, cells);
        if (index === followed) {
          pen.strokeStyle = colour.highlight;
          pen.lineWidth = 3;
          for (const x of [first, second]) pen.strokeRect(x, y, cells, ROW - 16);
        }
        tellChange(distance(now.outputs[index], before.outputs[index]), y + 18);
      });
      const y = TOP + list.length * ROW + 10;
      row(pen, colour, now.pooled, second, y, cells);
      label(pen, colour.quiet, "mean of the rows", second - 10, y + 18, "right", "middle");
      tellChange(distance(now.pooled, before.pooled), y + 18);
      colourBar(pen, colour, width, tall - 14, MOST);
      buttons.childNodes.forEach((button, index) => {
        button.style.width = `${word}px`;
        button.style.top = `${TOP + places[index] * ROW + 2}px`;
      });
    },
  );

  // Words glide to their rows; with reduced motion they are there at once.
  const settle = (now) => {
    const share = clamp((now - settle.start) / GLIDE, 0, 1);
    const eased = 1 - (1 - share) ** 3;
    words().forEach((_, index) => {
      places[index] = settle.from[index] + eased * (order().indexOf(index) - settle.from[index]);
    });
    view.paint();
    moving = share < 1 ? requestAnimationFrame(settle) : 0;
  };
  const move = () => {
    cancelAnimationFrame(moving);
    settle.from = order().map((_, index) => places[index] ?? order().indexOf(index));
    settle.start = view.still.matches ? -Infinity : performance.now();
    moving = requestAnimationFrame(settle);
  };
  const arrange = (arrangement) => view.set({ order: arrangement });
  const place = (index, row) => {
    const others = order().filter((other) => other !== index);
    others.splice(clamp(row, 0, others.length), 0, index);
    if (others.join() !== order().join()) arrange(others);
  };

  const name = () =>
    buttons.childNodes.forEach((button, index) => {
      const place = `${words()[index]}, row ${order().indexOf(index) + 1} of ${words().length}.`;
      const other = picked === null || picked === index ? "" : ` Swaps with ${words()[picked]}.`;
      button.setAttribute("aria-label", `${place}${other} Arrow keys move it.`);
      button.setAttribute("aria-pressed", String(picked === index));
    });
  const pick = (index) => {
    if (picked === null || picked === index) {
      picked = picked === null ? index : null;
      followed = picked;
    } else {
      const swapped = order().slice();
      const [from, to] = [order().indexOf(index), order().indexOf(picked)];
      [swapped[from], swapped[to]] = [swapped[to], swapped[from]];
      picked = null;
      arrange(swapped);
    }
    name();
    view.refresh();
  };
  const putWords = () => {
    places.length = 0;
    picked = null;
    followed = null;
    order().forEach((index, row) => {
      places[index] = row;
    });
    buttons.replaceChildren(
      ...words().map((word, index) => {
        const button = node("button", { type: "button", class: "posenc-word" }, word);
        view.on(button, "keydown", (event) => {
          const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (!step) return;
          event.preventDefault();
          place(index, order().indexOf(index) + step);
        });
        let carried = false; // a press that carried the word to another row is no click
        view.on(button, "pointerdown", (event) => {
          button.setPointerCapture(event.pointerId);
          carried = false;
        });
        view.on(button, "pointermove", (event) => {
          if (!button.hasPointerCapture(event.pointerId)) return;
          const y = event.clientY - canvas.getBoundingClientRect().top - TOP;
          const row = clamp(Math.floor(y / ROW), 0, words().length - 1);
          carried ||= row !== order().indexOf(index);
          place(index, row);
        });
        view.on(button, "click", () => {
          if (!carried) pick(index);
          carried = false;
        });
        return button;
      }),
    );
    name();
  };
  putWords();
  view.stage.append(buttons);
  view.watch("sentence", putWords);
  view.watch("order", () => {
    name();
    move();
  });

  view.say = () => {
    const [now, before] = [look(order()), look(written())];
    const sentence = order()
      .map((index) => words()[index])
      .join(" ");
    const rows = now.outputs.map((row, index) => distance(row, before.outputs[index]));
    const most = fixed(Math.max(...rows));
    const pooled = fixed(distance(now.pooled, before.pooled));
    const end =
      order().join() === written().join()
        ? ""
        : most === fixed(0)
          ? "The order makes no difference."
          : "The order makes a difference.";
    const waiting = picked === null ? "" : `${words()[picked]} is picked: press another word. `;
    const compared =
      order().join() === written().join() ? "as written" : `against “${words().join(" ")}”`;
    write(
      view.reading,
      `${waiting}“${sentence}”, ${compared}. {quiet|Largest change in a word’s row} ` +
        `{strong|${most}}{quiet|, in the mean} {strong|${pooled}}. ${end}`,
    );
    return (
      `${waiting}${sentence}, positions ${view.get("positions") ? "on" : "off"}, ` +
      `mask ${view.get("mask") ? "on" : "off"}. The largest change in ` +
      `a word’s row is ${most}, in the mean of the rows ${pooled}. ${end}`
    );
  };

  const arrangements = view.row();
  view.button(
    "Shuffle",
    () => {
      if (words().length === 1) return; // one word has no other order
      const shuffled = order().slice();
      do {
        for (let last = shuffled.length - 1; last > 0; last -= 1) {
          const other = Math.floor(Math.random() * (last + 1));
          [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
        }
      } while (shuffled.join() === order().join());
      arrange(shuffled);
    },
    arrangements,
  );
  view.button("Reverse", () => arrange(order().slice().reverse()), arrangements);
  view.button("As written", () => arrange(written()), arrangements);
  view.toggle("positions", { label: "Add a position to each word" });
  view.toggle("mask", { label: "Hide from each word what comes after it" });

  const tables = ["vectors", "W_Q", "W_K", "W_V"];
  const stop = view.start(["positions", "mask", "sentence", ...tables]);
  return () => {
    cancelAnimationFrame(moving);
    stop();
  };
}
