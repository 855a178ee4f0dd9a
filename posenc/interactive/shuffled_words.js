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

const WIDTH = 8;
const ROW = 52;
const TOP = 30;
const GLIDE = 350; // milliseconds for a word to reach its new row

// softmax(X Xᵀ / √d) X, row by row.
function attention(rows) {
  return rows.map((query) => {
    const scores = rows.map((key) => key.reduce((sum, v, c) => sum + v * query[c], 0));
    const weights = scores.map((score) => Math.exp(score / Math.sqrt(WIDTH)));
    const total = weights.reduce((sum, weight) => sum + weight);
    return query.map((_, c) => rows.reduce((sum, row, r) => sum + weights[r] * row[c], 0) / total);
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

  // The row of each word, by its place in the sentence as written.
  const look = (arrangement) => {
    const list = words();
    const inputs = arrangement.map((index, row) => {
      const position = encode(row, WIDTH, 100);
      return scattered(list[index].toLowerCase(), WIDTH).map(
        (value, c) => 1.5 * value + (view.get("positions") ? position[c] : 0),
      );
    });
    const outputs = attention(inputs);
    const byWord = (rows) => list.map((_, index) => rows[arrangement.indexOf(index)]);
    return { inputs: byWord(inputs), outputs: byWord(outputs), pooled: mean(outputs) };
  };

  const buttons = node("div");
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
        const ink = moved > 1e-9 ? colour.cosine : colour.ink;
        label(pen, ink, fixed(moved), width, y, "right", "middle");
        pen.font = `13px ${colour.font}`;
      };
      list.forEach((_, index) => {
        const y = TOP + places[index] * ROW + 6;
        strip(pen, colour, now.inputs[index], first, y, cells, ROW - 16, 1.5);
        label(pen, colour.quiet, "→", second - 15, y + 18, "center", "middle");
        strip(pen, colour, now.outputs[index], second, y, cells, ROW - 16, 1.5);
        tellChange(distance(now.outputs[index], before.outputs[index]), y + 18);
      });
      const y = TOP + list.length * ROW + 10;
      strip(pen, colour, now.pooled, second, y, cells, ROW - 16, 1.5);
      label(pen, colour.quiet, "mean of the rows", second - 10, y + 18, "right", "middle");
      tellChange(distance(now.pooled, before.pooled), y + 18);
      colourBar(pen, colour, width, tall - 14, 1.5);
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
      const row = order().indexOf(index) + 1;
      button.setAttribute(
        "aria-label",
        `${words()[index]}, row ${row} of ${words().length}. Arrow keys move it.`,
      );
    });
  const putWords = () => {
    places.length = 0;
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
        view.on(button, "pointerdown", (event) => button.setPointerCapture(event.pointerId));
        view.on(button, "pointermove", (event) => {
          if (!button.hasPointerCapture(event.pointerId)) return;
          const y = event.clientY - canvas.getBoundingClientRect().top - TOP;
          place(index, clamp(Math.floor(y / ROW), 0, words().length - 1));
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
    const compared =
      order().join() === written().join() ? "as written" : `against “${words().join(" ")}”`;
    write(
      view.reading,
      `“${sentence}”, ${compared}. {quiet|Largest change in a word’s row} ` +
        `{strong|${most}}{quiet|, in the mean} {strong|${pooled}}. ${end}`,
    );
    return (
      `${sentence}, positions ${view.get("positions") ? "on" : "off"}. The largest change in ` +
      `a word’s row is ${most}, in the mean of the rows ${pooled}. ${end}`
    );
  };

  const row = view.row();
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
    row,
  );
  view.button("Reverse", () => arrange(order().slice().reverse()), row);
  view.button("As written", () => arrange(written()), row);
  view.toggle("positions", { label: "Add a position to each word" });

  const stop = view.start(["positions", "sentence"]);
  return () => {
    cancelAnimationFrame(moving);
    stop();
  };
}
