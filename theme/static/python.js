// Python on the page: the code of an exercise is written and checked where it stands, and a cell that
// prints can be changed and run. One worker serves the page, and nothing is loaded before a reader
// has read how much and agreed. What is typed stays in this browser, beside the answers.

(() => {
  const STORE = "where-words-stand:answers";
  const AGREED = "where-words-stand:python";
  const LONGEST = 20; // seconds that a run may take
  const BESIDE = 34; // characters in a line of two outputs that stand side by side

  const { find, all, make, stored, store, site, lacking, fetched, _ } = window.book;
  const script = document.currentScript;
  const python = new URL("lite/static/pyodide/", site);
  const { cells, host, megabytes, words } = script.dataset;
  const page = decodeURIComponent(location.pathname.split("/").pop()).replace(/\.html$/, "");
  const button = (name, words) => make("button", { type: "button", class: name }, words);

  // --- what is kept ------------------------------------------------------------------------------

  // Keep what was typed for a cell, and whether it is right; null forgets it.
  function keep(key, entry) {
    const answers = stored(STORE) ?? {};
    if (entry) answers[key] = entry;
    else delete answers[key];
    store(STORE, Object.keys(answers).length ? answers : null);
    document.dispatchEvent(new CustomEvent("posenc-answers"));
  }

  // --- the worker --------------------------------------------------------------------------------

  let started = null; // the worker and the code of the page, or what they are waited for
  let turn = Promise.resolve(); // one run at a time

  // Send the worker a message, and return a promise of its answer; `heard` gets what is printed.
  function asked(worker, message, heard = () => {}) {
    return new Promise((done, failed) => {
      worker.onmessage = ({ data }) => {
        if ("out" in data) heard(data.out);
        else if ("failed" in data) failed(new Error(data.failed));
        else done(data.done);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        failed(new Error(event.message || _("The worker of this page does not start.")));
      };
      worker.postMessage(message, []);
    });
  }

  // Start Python in a worker, while `tell` says how far it is; return the worker, and the code of the
  // page's cells.
  async function start(tell) {
    const list = new URL("page.json", python);
    const { files, bytes } = await (await fetched(list)).json();
    const [before, said] = await Promise.all(
      [cells, words].map(async (file) =>
        file ? (await fetched(new URL(file, document.baseURI))).json() : {},
      ),
    );
    const address = script.src.replace(/python\.js(?=\?|$)/, "python-worker.js");
    const worker = new Worker(address, { type: "module" });
    const lock = new URL("page-lock.json", list).href;
    const pyodide = new URL(files[0], list).href;
    const says = {
      loading: _("Loading Python: {percent} %"),
      starting: _("Starting Python."),
      silent: _("{host} does not answer."),
      cut: _("... and more, which is not shown."),
    };
    const first = { pyodide, lock, bytes, words: said, says };
    await asked(worker, { start: first }, tell).catch((problem) => {
      worker.terminate();
      throw problem;
    });
    store(AGREED, true);
    return { worker, before };
  }

  // --- an editor: a field for text, and below it the same text with its words marked ----------------

  const WORDS = new Set(
    (
      "False None True and as assert async await break class continue def del elif else except " +
      "finally for from global if import in is lambda nonlocal not or pass raise return try " +
      "while with yield"
    ).split(" "),
  );
  const PARTS =
    /(#.*)|([rbf]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|\w+/gi;

  // Code as pieces to show: text, and elements whose classes are those of the book's own code.
  function highlighted(code) {
    const parts = [];
    let at = 0;
    let word = "";
    for (const found of code.matchAll(PARTS)) {
      const [text, comment, quoted] = found;
      let kind = (comment && "c1") || (quoted && "s2") || (WORDS.has(text) && "k");
      if (["def", "class"].includes(word)) kind = "nf";
      word = text;
      if (!kind) continue;
      parts.push(code.slice(at, found.index), make("span", { class: kind }, text));
      at = found.index + text.length;
    }
    return [...parts, code.slice(at), "\n"];
  }

  // Return an editor: its element `whole`, its `field`, and ways to `write` code and `mark` a line.
  // `name` is what it is called, `help` the id of its help; `changed` is called after each change.
  function editor(name, help, changed) {
    const layer = make("pre", { "aria-hidden": "true" });
    const field = make("textarea", {
      "aria-label": name,
      "aria-describedby": help,
      rows: 1,
      wrap: "off",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
    });
    const whole = make("div", { class: "editor highlight" }, layer, field);
    let leaving = false; // after Escape, Tab moves on

    const draw = () => {
      layer.replaceChildren(...highlighted(field.value));
      delete whole.dataset.line;
    };
    // What was written, step by step, each as [text, start and end of what is selected], so that it
    // can be taken back: letters typed in a row are one step. The browser knows of no change that a
    // script makes, and so of none that a key makes here.
    let [steps, at, typing] = [[["", 0, 0]], 0, false];
    const keep = (joins) => {
      const step = [field.value, field.selectionStart, field.selectionEnd];
      if (step[0] === steps[at][0] || (joins && typing)) {
        steps[at] = step;
      } else {
        at += 1;
        steps.splice(at, steps.length, step);
      }
      typing = joins;
    };
    // Take back a step, or bring it back.
    const go = (by) => {
      if (!steps[at + by]) return;
      at += by;
      field.value = steps[at][0];
      field.setSelectionRange(steps[at][1], steps[at][2]);
      field.dispatchEvent(new Event("input"));
    };
    const WAYS = { historyUndo: -1, historyRedo: 1 };
    field.addEventListener("beforeinput", (event) => {
      if (!WAYS[event.inputType]) {
        keep(typing && field.selectionStart === steps[at][1]); // where the caret was
        return;
      }
      event.preventDefault();
      go(WAYS[event.inputType]);
    });
    field.addEventListener("input", (event) => {
      keep(event.inputType === "insertText" && event.data?.length === 1);
      draw();
      changed();
    });
    field.addEventListener("scroll", () => (layer.scrollLeft = field.scrollLeft));
    field.addEventListener("blur", () => (leaving = false));

    // Replace a piece of the text as a step that can be taken back; the caret stands behind it.
    function replace(from, to, text) {
      keep(typing);
      field.setRangeText(text, from, to, "end");
      field.dispatchEvent(new Event("input"));
    }

    // The Tab key: to the next fourth place, or all selected lines by four places to or fro.
    function indent(back) {
      const { value, selectionStart: from, selectionEnd: to } = field;
      const begin = value.lastIndexOf("\n", from - 1) + 1;
      if (from === to && !back) {
        replace(from, to, " ".repeat(4 - ((from - begin) % 4)));
        return;
      }
      const lines = value.slice(begin, to).split("\n");
      const moved = lines.map((line) =>
        back ? line.replace(/^ {1,4}/, "") : line && `    ${line}`,
      );
      const text = moved.join("\n");
      if (text === value.slice(begin, to)) return;
      replace(begin, to, text);
      const first = Math.max(begin, from + moved[0].length - lines[0].length);
      field.setSelectionRange(
        from === to ? first : begin,
        from === to ? first : begin + text.length,
      );
    }

    // The Enter key: the new line is indented as the one before, deeper after a colon, and less deep
    // where a block has ended.
    function newLine() {
      const { value, selectionStart: from, selectionEnd: to } = field;
      const line = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
      const depth = line.match(/^ */)[0].length;
      const deeper = /:\s*(#.*)?$/.test(line) ? 4 : 0;
      const ends = /^\s*(return|pass|break|continue|raise)\b/.test(line) ? 4 : 0;
      replace(from, to, `\n${" ".repeat(Math.max(0, depth + deeper - ends))}`);
    }

    field.addEventListener("keydown", (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      const { value, selectionStart: from, selectionEnd: to } = field;
      const spaces = value.slice(value.lastIndexOf("\n", from - 1) + 1, from);
      if (event.key === "Escape") leaving = true;
      else if (event.key !== "Tab" && event.key !== "Shift") leaving = false;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key)) {
        event.preventDefault();
        go(event.shiftKey || /y/i.test(event.key) ? 1 : -1);
      }
      if (!plain) return;
      if (event.key === "Tab" && !leaving) indent(event.shiftKey);
      else if (event.key === "Enter") newLine();
      else if (event.key === "Backspace" && from === to && /^ +$/.test(spaces))
        replace(from - (spaces.length % 4 || 4), from, "");
      else return;
      event.preventDefault();
    });

    return {
      whole,
      field,
      write(code) {
        field.value = code;
        [steps, at, typing] = [[[code, 0, 0]], 0, false];
        draw();
      },
      mark(line) {
        whole.dataset.line = line;
        whole.style.setProperty("--line", line - 1);
      },
    };
  }

  // --- consent -------------------------------------------------------------------------------------

  let count = 0;

  // How much is to be loaded, before it is; true once the reader agrees. The question stands before
  // what is `told`, and the reader goes on in the `field`.
  function agreed(told, field) {
    if (started || stored(AGREED)) return true;
    told.parentElement.querySelector(".try-ask")?.remove();
    const size = `try-size-${(count += 1)}`;
    const load = button("try-load", _("Load Python"));
    load.setAttribute("aria-describedby", size);
    const not = button("try-not", _("Not now"));
    const ask = make(
      "div",
      { class: "try-ask", role: "group", "aria-label": _("Python in this browser") },
      make(
        "p",
        { id: size },
        _("Your code runs in this browser, which needs Python for it."),
        " ",
        host
          ? _(
              "The first time, about {megabytes} MB come from {host}, which sees your network address as any host does.",
              { megabytes, host },
            )
          : _("The first time, about {megabytes} MB come from this site.", { megabytes }),
        " ",
        _("After that, your browser has them."),
      ),
      make("p", { class: "try-row" }, load, " ", not),
    );
    told.before(ask);
    load.focus();
    return new Promise((done) => {
      for (const one of [load, not]) {
        one.addEventListener("click", () => {
          ask.remove();
          field.focus();
          done(one === load);
        });
      }
    });
  }

  // Whether Python can be here, and may.
  async function allowed(say, told, field) {
    if (lacking) say(_("Python cannot run here. {why} What you typed is kept.", { why: lacking }));
    return !lacking && agreed(told, field);
  }

  // --- a run ---------------------------------------------------------------------------------------

  // Run code after what runs already: `message` is given the code of the page's cells, `heard` what is
  // printed, and `stop` ends it. Return the worker's answer, or null once `say` has told why not.
  async function run(message, heard, say, stop = new AbortController()) {
    const { signal } = stop;
    const halt = new Promise((_, failed) => {
      signal.addEventListener("abort", () => failed(signal.reason));
    });
    halt.catch(() => {});
    const before = turn;
    let over;
    turn = Promise.all([before, new Promise((done) => (over = done))]);
    let worker = null;
    let limit = 0;
    say(_("Waiting for the run before."));
    try {
      await Promise.race([before, halt]);
      started ||= start(say);
      const python = await Promise.race([started, halt]);
      ({ worker } = python);
      say(_("Running."));
      const late = _("Stopped after {seconds} seconds. Is there a loop that does not end?", {
        seconds: LONGEST,
      });
      limit = setTimeout(() => stop.abort(late), LONGEST * 1000);
      return await Promise.race([asked(worker, message(python.before), heard), halt]);
    } catch (problem) {
      worker?.terminate();
      if (worker || !signal.aborted) started = null;
      const why = worker
        ? _("Python broke off. {problem}", { problem: problem.message })
        : _(
            "Python could not be loaded. {problem} Are you online, and may you reach that address?",
            {
              problem: problem.message,
            },
          );
      const kept = _("What you typed is kept; press again to try once more.");
      say(signal.aborted ? problem : `${why} ${kept}`);
      return null;
    } finally {
      clearTimeout(limit);
      over();
    }
  }

  // What else asks Python: return what some code prints, or null.
  window.bookPython = async (code, told, field) => {
    const say = (text) => (told.textContent = text);
    if (!(await allowed(say, told, field))) return null;
    let printed = "";
    const message = () => ({ code, before: [], label: "", answer: "" });
    const done = await run(message, (text) => (printed += text), say);
    if (done?.error) say(_("Python broke off. {problem}", { problem: done.error }));
    return done && !done.error ? printed : null;
  };

  // --- a cell that runs ----------------------------------------------------------------------------

  // Put an editor in place of a cell's code, run by the buttons of a row; return the editor. What was
  // typed before stands in it.
  function open(cell, row) {
    const { label = "", answer = "", cell: at, id, name } = cell.dataset;
    const key = label || `${page}:${id}`;
    const source = find(".cell_input pre", cell);
    const first = [...source.childNodes]
      .filter((node) => !node.classList?.contains("asked"))
      .map((node) => node.textContent)
      .join("")
      .trimEnd();
    const [go, again] = [".try-run", ".try-again"].map((part) => find(part, row));
    const verb = go.textContent;
    const keys = _("Ctrl+Enter: {verb} · Escape, Tab: leave", { verb: verb.toLowerCase() });
    const help = make("p", { class: "try-help", id: `try-help-${(count += 1)}` }, keys);
    const told = find(".try-told", row);
    const out = make("pre", { class: "try-out" });
    const mine = make("div", { class: "try-mine" }, out);
    const words = name ? _("Your code for {name}", { name }) : _("Your code for this cell");
    const edit = editor(words, help.id, () => {
      keep(key, edit.field.value === first ? null : { given: edit.field.value });
      undoable("");
      say("");
    });
    find(".cell_input", cell).append(edit.whole);
    find(".try-row", row).append(help);
    cell.append(mine);
    cell.classList.add("trying");
    const entry = stored(STORE)?.[key] ?? {};
    edit.write(entry.given ?? first);
    if (entry.done) say(_("Right, when you last checked it."), "right");

    // Say how a run went; the state, right or wrong, gives the words their colour.
    function say(text, state = "") {
      told.textContent = text;
      told.dataset.state = state;
    }

    // What scrolls sideways can be scrolled by keyboard.
    function show(text) {
      out.textContent = text;
      mine.hidden = !text;
      out.removeAttribute("tabindex");
      if (text && out.scrollWidth > out.clientWidth) out.tabIndex = 0;
    }
    show("");

    let stop = null; // ends the run that is under way

    // Run what is in the editor, unless a run is under way.
    async function check() {
      if (stop || !(await allowed(say, told, edit.field)) || stop) return;
      stop = new AbortController();
      go.textContent = _("Stop");
      show("");
      delete edit.whole.dataset.line;
      const code = edit.field.value;
      // An exercise brings what its own starting lines import.
      const earlier = Number(at) + (label ? 1 : 0);
      const message = (cells) => ({ code, before: cells.slice(0, earlier), label, answer });
      let printed = "";
      const heard = (text) => {
        if (text.startsWith(`${label}: `)) return; // a check in the reader's lines
        printed += text;
        out.append(text);
        mine.hidden = false;
      };
      const done = await run(message, heard, say, stop);
      if (done) finish(done, printed, code);
      stop = null;
      go.textContent = verb;
    }

    // Say what came of a run: an error and its line, the verdict on an exercise, or whether it prints
    // what the book has.
    function finish({ error, state, text }, printed, code) {
      const line = [...(error || text || "").matchAll(/(?:^L|\(l)ine (\d+)/gm)].at(-1);
      show(error ? `${printed}${error}\n` : printed);
      if (error) {
        const where = line && _("Your code stops in line {line}.", { line: line[1] });
        say(where || _("Your code stops."), "wrong");
      } else if (label) {
        say(text, state);
        if (code === edit.field.value && code !== first)
          keep(key, { given: code, done: state === "right" });
      } else {
        const book = find(".cell_output", cell).innerText.trimEnd();
        const lines = `${book}\n${printed}`.split("\n").map((one) => one.length);
        cell.classList.toggle("beside", Math.max(...lines) <= BESIDE);
        const other = printed ? "" : _("It prints nothing.");
        say(printed.trimEnd() === book ? _("The same as the book's.") : other);
      }
      if (line) edit.mark(line[1]);
    }

    go.addEventListener("click", () => (stop ? stop.abort(_("Stopped.")) : check()));
    edit.whole.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      check();
    });
    // Write the book's code again, and forget what was typed.
    function restart() {
      edit.write(first);
      keep(key, null);
      show("");
      say("");
    }
    const original = again.textContent;
    again.addEventListener("click", () => {
      const { typed } = again.dataset;
      const now = edit.field.value;
      if (typed) {
        edit.write(typed);
        keep(key, { given: typed });
      } else restart();
      undoable(typed || now === first ? "" : now);
      edit.field.focus();
    });
    // The button that deletes what was typed brings it back, until more is typed.
    function undoable(typed) {
      again.dataset.typed = typed;
      again.textContent = typed ? _("Undo") : original;
    }
    document.addEventListener("posenc-forgotten", restart);
    return edit;
  }

  for (const cell of all(".cell[data-label]")) {
    open(cell, find(".try", cell));
    let fold = cell.nextElementSibling;
    while (fold && !fold.matches(".exercise, details.solution")) fold = fold.nextElementSibling;
    const show = find(".try-solution", cell);
    show.hidden = !fold?.matches("details.solution");
    show.addEventListener("click", () => {
      fold.open = true;
      find("summary", fold).focus();
    });
  }

  for (const cell of all(".cell[data-cell]:not([data-label])")) {
    const change = find(".change", cell);
    let edit = null;
    change.addEventListener("click", () => {
      if (!edit) {
        const [go, again] = [button("try-run", _("Run")), button("try-again", _("Start again"))];
        const close = button("try-close", _("Close"));
        const buttons = make("p", { class: "try-row" }, go, " ", again, " ", close);
        const told = make("p", { class: "try-told", role: "status" });
        const row = make("div", { class: "try" }, buttons, told);
        find(".cell_input", cell).after(row);
        edit = open(cell, row);
        close.addEventListener("click", () => {
          cell.classList.remove("trying");
          change.focus();
        });
      }
      cell.classList.add("trying");
      edit.field.focus();
    });
  }
})();
