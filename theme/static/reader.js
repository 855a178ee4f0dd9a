// What a page does beyond being read: the theme, the search, figures enlarged, code copied, folds
// that open for a link or for paper. Everything else works before this runs.

(() => {
  const root = document.documentElement;
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Return a new element with its attributes and children.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // --- words in the language of the page ------------------------------------------------------------

  // As posenc_course/words.js has them: by the English ones, with {names} replaced by values.
  const translated = window.bookWords ?? {};
  const filled = (text, values) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
  const _ = (text, values = {}) => filled(translated[text] ?? text, values);
  const plural = (one, many, count) =>
    filled(translated[one] ?? (count === 1 ? one : many), { count });

  // --- what is kept in this browser ----------------------------------------------------------------

  // Return what is kept under a name, or null.
  function stored(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null; // blocked, or something else is there
    }
  }

  // Keep a value under a name; an empty one is forgotten.
  function store(name, value) {
    try {
      if (value) localStorage.setItem(name, JSON.stringify(value));
      else localStorage.removeItem(name);
    } catch {
      // It is there until the page is left.
    }
  }

  // --- light, dark, or as the system is ---------------------------------------------------------

  const system = matchMedia("(prefers-color-scheme: dark)");
  const names = {
    auto: _("Theme: as the system"),
    light: _("Theme: light"),
    dark: _("Theme: dark"),
  };
  const themes = find(".theme-button");

  // Show the page in a mode: auto, light or dark.
  function show(mode) {
    root.dataset.mode = mode;
    root.dataset.theme = mode === "auto" ? (system.matches ? "dark" : "light") : mode;
    themes.setAttribute("aria-label", names[mode]);
    themes.title = names[mode];
  }

  themes.addEventListener("click", () => {
    const modes = Object.keys(names);
    const mode = modes[(modes.indexOf(root.dataset.mode) + 1) % modes.length];
    store("mode", mode);
    show(mode);
  });
  system.addEventListener("change", () => show(root.dataset.mode));
  show(root.dataset.mode);

  // --- search: a ranking over sections, from an index that is loaded when asked for -------------

  const home = new URL(root.dataset.content_root || "./", document.baseURI);
  const site = new URL(root.dataset.site_root || "./", document.baseURI); // of all languages
  const own = document.currentScript.src; // with what renews it, which renews its neighbours too
  let index = null;

  // Add a script to the page, and return a promise of its end.
  const script = (address) =>
    new Promise((done, failed) => {
      const element = make("script", { src: address });
      element.onload = done;
      element.onerror = failed;
      document.head.append(element);
    });

  // Load the index and the ranking, once.
  function load() {
    const ranking = own.replace(/reader\.js(?=\?|$)/, "search.js");
    index ||= Promise.all([script(new URL("search_book.js", home)), script(ranking)]);
    return index;
  }

  // The places that a query finds, as links; the first opens with Enter, the next with arrows.
  async function search(query, told, list) {
    if (query.trim()) await load();
    const found = query.trim() ? window.bookFinder.rank(query) : [];
    const count = plural("{count} place", "{count} places", found.length);
    const none = query.trim() && _("Nothing found. Try other words.");
    told.textContent = found.length ? count : none;
    const links = found.map((place) => {
      const { page, anchor, heading, kind } = place;
      const address = new URL(page.page + (anchor ? `#${anchor}` : ""), home);
      const where = `${page.number ? `${page.number}. ` : ""}${page.title}`;
      const name = kind ? heading : anchor ? `${where}: ${heading}` : where;
      const words = window.bookFinder
        .excerpt(place)
        .map(([part, met]) => (met ? make("mark", {}, part) : part));
      return make("a", { href: address }, make("b", {}, name), make("span", {}, ...words));
    });
    list.replaceChildren(...links.map((link) => make("li", {}, link)));
  }

  // Let a field search while a reader types; return it with the parts that say what is found.
  function searchable(within) {
    const [input, told, list] = ["input", ".find-told", ".find-results"].map((part) =>
      find(part, within),
    );
    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => search(input.value, told, list), 60);
    });
    input.form.addEventListener("submit", (event) => {
      event.preventDefault();
      find("a", list)?.click();
    });
    return { input, told, list };
  }

  // A popover and no modal dialog: to make a long page inert takes a slow machine a tenth of a second.
  const finder = find("#find");
  const { input: field, list: places } = searchable(finder);
  field.addEventListener("keydown", (event) => {
    // The first Escape would only empty the field.
    if (event.key === "Escape") finder.hidePopover();
    if (event.key === "ArrowDown") find("a", places)?.focus();
  });
  finder.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !finder.contains(relatedTarget)) finder.hidePopover();
  });
  places.addEventListener("click", () => finder.hidePopover());
  const openSearch = (event) => {
    event.preventDefault();
    load();
    finder.showPopover();
    field.select();
  };
  find(".search-button").addEventListener("click", openSearch);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, [contenteditable], .posenc");
    const asked =
      (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !typing);
    if (asked) openSearch(event);
  });
  const ownPage = find(".bd-article .find-form");
  if (ownPage) {
    const { input, told, list } = searchable(find(".bd-article"));
    input.value = new URLSearchParams(location.search).get("q") || "";
    search(input.value, told, list);
    input.focus();
  }

  // --- Python in this browser ----------------------------------------------------------------------

  const lacking = location.protocol.startsWith("http")
    ? ""
    : _("It runs where the book is served: on the web, or on your machine with make serve.");
  // Return the answer to a request, or throw an error that names the host.
  async function fetched(url) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return answer;
    throw new Error(_("{host} does not answer.", { host: url.host }));
  }

  // For the scripts that come after.
  window.book = { find, all, make, stored, store, home, site, lacking, fetched, _, plural };

  // --- the chapter as a notebook in this browser: what it needs, a copy that is kept, progress ------

  const run = find("#run");
  if (run) {
    const [go, told, bar, kept] = [".run-go", ".run-told", ".run-bar", ".run-kept"].map((part) =>
      find(part, run),
    );
    const place = new URL("lite/static/pyodide/", site);

    // The notebook's files in JupyterLite's storage; null where it has none. Nothing is created.
    const storage = () =>
      new Promise((done) => {
        const asked = indexedDB.open("Where Words Stand");
        asked.onupgradeneeded = () => asked.transaction.abort();
        asked.onerror = () => done(null);
        asked.onsuccess = () => done(asked.result);
      });
    // Do something with the notebook's files and what was saved of them; return what came of the files.
    async function files(mode, act) {
      const base = await storage();
      if (!base) return null;
      const stores = ["files", "checkpoints"].filter((name) =>
        base.objectStoreNames.contains(name),
      );
      const answer = stores.length
        ? await new Promise((done) => {
            const change = base.transaction(stores, mode);
            const request = stores.map((name) => act(change.objectStore(name)))[0];
            change.oncomplete = () => done(request.result ?? null);
            change.onabort = () => done(null);
          })
        : null;
      base.close();
      return answer;
    }
    // Say when the reader's own copy was changed, if there is one.
    async function look() {
      const mine = await files("readonly", (store) => store.get(run.dataset.notebook)).catch(
        () => null,
      );
      kept.hidden = !mine;
      if (mine) find(".run-when", kept).textContent = new Date(mine.last_modified).toLocaleString();
    }
    run.addEventListener("toggle", (event) => {
      if (event.newState !== "open") return;
      told.textContent = lacking;
      go.hidden = Boolean(lacking);
      if (!lacking) look();
    });
    find(".run-original", kept).addEventListener("click", async () => {
      await files("readwrite", (store) => store.delete(run.dataset.notebook));
      kept.hidden = true;
      told.textContent = _("Removed. The original opens.");
      go.focus();
    });

    // All that Python starts from goes through the browser's cache, where the notebook finds it.
    async function fetchAll() {
      const start = await (await fetched(new URL("start.json", place))).json();
      let arrived = 0;
      let said = -1;
      bar.max = start.bytes;
      const count = (part) => {
        arrived += part.length;
        bar.value = Math.min(arrived, bar.max);
        const tenth = Math.min(10, Math.floor((10 * arrived) / bar.max));
        if (loading && tenth !== said)
          told.textContent = _("Loading Python: {percent} %", { percent: 10 * (said = tenth) });
      };
      const urls = start.files.map((file) => new URL(file, place));
      const arrive = async (url) =>
        (await fetched(url)).body.pipeTo(new WritableStream({ write: count }));
      await Promise.all(urls.map(arrive));
    }
    let loading = false;
    go.addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (loading) return;
      loading = true;
      bar.hidden = false;
      bar.value = 0;
      try {
        await fetchAll();
        told.textContent = _("Opening the notebook.");
        location.assign(go.href);
      } catch (problem) {
        told.textContent = _(
          "Python could not be loaded. {problem} Are you online, and may you reach that address? Press again to try once more; the book itself needs nothing of it.",
          { problem: problem.message },
        );
        bar.hidden = true;
      }
      loading = false;
    });
  }

  // --- a figure, enlarged ---------------------------------------------------------------------------

  const enlarged = find("#enlarged");
  for (const link of all("a.figure")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const dark = root.dataset.theme === "dark";
      const picture = find("img", enlarged);
      picture.src = dark ? link.dataset.dark : link.href;
      picture.alt = find("img", link).alt;
      enlarged.showModal();
    });
  }
  enlarged.addEventListener("click", (event) => {
    if (event.target.tagName === "IMG" || event.target === enlarged) enlarged.close();
  });

  // --- words that set a figure ------------------------------------------------------------------------

  // A figure that is out of sight when its words are pressed comes to them: beside the text where
  // there is room, else above or below the line. It goes back when its own place or the reader's
  // leaves it no reason to stay. Nothing scrolls.
  let putBack = () => {};

  // Put a figure beside, above or below the words that set it; its empty place keeps its size.
  function bring(figure, words) {
    const before = figure.matches(".brought") && figure.previousElementSibling;
    const sizes = before ? [before, before.firstChild] : [figure, find(".posenc-stage", figure)];
    const height = (part) => `height: ${part.getBoundingClientRect().height}px`; // with its fraction
    const [whole, drawn] = sizes.map(height);
    putBack();
    const seen = make("div", { style: drawn });
    const place = make("div", { style: whole }, seen);
    place.style.margin = getComputedStyle(figure).margin;
    const name = { type: "button", class: "put-back", "aria-label": _("Put it back") };
    const close = make("button", name, "\u00d7");
    const covered = find(".bar").getBoundingClientRect().bottom;
    const text = find(".bd-article").getBoundingClientRect().right + 16;
    const line = words.getBoundingClientRect();
    const beside = innerWidth - text >= 270;
    const [above, below] = [line.top - covered, innerHeight - line.bottom].map((room) => room - 16);
    const room = beside ? innerHeight - covered - 32 : Math.max(above, below);
    const under = beside || below >= above;
    const space = beside ? innerWidth - text - 16 : innerWidth;
    const width = Math.min(Math.max(space, 334), 440); // narrower, figures are not drawn

    figure.before(place);
    figure.append(close);
    figure.classList.add("brought");
    Object.assign(figure.style, {
      width: `${width}px`,
      [under ? "bottom" : "top"]: under ? (beside ? "1rem" : "0") : `${covered}px`,
      transformOrigin: `${under ? "bottom" : "top"} right`,
    });
    const fit = new ResizeObserver(() => {
      figure.style.transform = `scale(${Math.min(1, space / width, room / figure.offsetHeight)})`;
    });
    fit.observe(figure);
    const gone = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries)
          if (target === seen ? intersectionRatio >= 0.5 : !intersectionRatio) putBack();
      },
      { rootMargin: `${-Math.round(covered)}px 0px 0px`, threshold: [0, 0.5] },
    );
    gone.observe(seen);
    gone.observe(words);
    putBack = () => {
      putBack = () => {};
      fit.disconnect();
      gone.disconnect();
      if (figure.contains(document.activeElement)) words.focus({ preventScroll: true });
      figure.classList.remove("brought");
      figure.removeAttribute("style");
      close.remove();
      place.remove();
    };
    close.addEventListener("click", () => putBack());
  }
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") putBack();
  });
  let flash = 0;
  for (const words of all(".touch")) {
    const press = (event) => {
      event.preventDefault();
      const figures = all("[data-view]");
      const follows = (figure) =>
        figure.compareDocumentPosition(words) & Node.DOCUMENT_POSITION_FOLLOWING;
      const figure = figures.findLast(follows) || figures[0];
      const detail = JSON.parse(words.dataset.set);
      figure.dispatchEvent(new CustomEvent("posenc:set", { detail }));
      const { top, bottom, height } = find(".posenc-stage", figure).getBoundingClientRect();
      const covered = find(".bar").getBoundingClientRect().bottom;
      const shown = Math.min(bottom, innerHeight) - Math.max(top, covered);
      const brought = figure.classList.contains("brought");
      if (brought || shown < height / 2) bring(figure, words);
      clearTimeout(flash);
      for (const other of all(".touched")) other.classList.remove("touched");
      figure.classList.add("touched");
      flash = setTimeout(() => figure.classList.remove("touched"), 1200);
    };
    // A button proper would not break across lines.
    words.setAttribute("role", "button");
    words.title = _("Press, and the figure shows it");
    words.tabIndex = 0;
    words.addEventListener("click", press);
    words.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") press(event);
    });
  }

  // --- what a term means, where it stands ---------------------------------------------------------------

  for (const link of all("[data-term]")) {
    const meaning = document.getElementById(link.dataset.term);
    link.setAttribute("aria-haspopup", "true");
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      meaning.showPopover({ source: link });
      const { left, bottom, top } = link.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = meaning;
      const under = bottom + height + 16 < innerHeight;
      meaning.style.left = `${Math.max(16, Math.min(left, innerWidth - width - 16))}px`;
      meaning.style.top = `${under ? bottom + 6 : top - height - 6}px`;
    });
  }

  // --- code ---------------------------------------------------------------------------------------------

  if (navigator.clipboard) {
    for (const block of all(
      ".bd-article :is(.cell_input, div[class*='highlight-']:not(.output, .highlight-none)) div.highlight",
    )) {
      const name = { type: "button", class: "copy", "aria-label": _("Copy this code") };
      const button = make("button", name, _("Copy"));
      // A cell is copied with the statements that it needs of the cells before it.
      const needs = JSON.parse(block.closest("[data-needs]")?.dataset.needs ?? '""');
      button.addEventListener("click", async () => {
        const code = find("pre", block).innerText;
        await navigator.clipboard.writeText(needs ? `${needs}\n\n${code}` : code);
        button.textContent = _("Copied");
        setTimeout(() => (button.textContent = _("Copy")), 1500);
      });
      block.append(button);
    }
  }

  const LAYING_OUT = 40; // milliseconds
  // What scrolls sideways can be scrolled by keyboard, and only that is a stop of the Tab key.
  const wide = all(".bd-article :is(pre, .wide, .katex-display)");
  const stops = () => {
    const over = wide.map((element) => element.scrollWidth > element.clientWidth);
    wide.forEach((element, at) => {
      if (over[at]) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    });
  };
  let waiting = 0;
  const later = () => {
    cancelAnimationFrame(waiting);
    if (root.matches(".laid-out")) waiting = requestAnimationFrame(stops);
  };
  // What waits to be laid out (book.css) is, after the first screen: as many sections in a frame as a
  // part of a frame is enough for.
  async function layOut() {
    let until = 0;
    for (const section of root.matches(".laid-out") ? [] : all(".bd-article > section section")) {
      if (performance.now() > until) {
        await new Promise(requestAnimationFrame);
        until = performance.now() + LAYING_OUT;
      }
      section.style.contentVisibility = "visible";
      section.getBoundingClientRect();
    }
    root.classList.add("laid-out");
    later();
  }
  addEventListener("DOMContentLoaded", layOut);
  addEventListener("load", later);
  addEventListener("resize", later);
  document.addEventListener("toggle", later, true);

  // --- folds ------------------------------------------------------------------------------------------

  // Imports and checks stay out of the way until they are asked for; this device keeps the wish.
  const workings = find(".workings-switch");
  if (workings) workings.ariaChecked = root.classList.contains("workings");
  workings?.addEventListener("click", () => {
    workings.ariaChecked = root.classList.toggle("workings");
    store("workings", root.classList.contains("workings"));
    // What appears above would push the switch away from under the finger.
    workings.scrollIntoView({ block: "center", behavior: "instant" });
  });

  const aimedAt = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const around = (element) => element.parentElement.closest("details");
  // Open every fold around the place that the address names.
  function unfold() {
    for (let fold = aimedAt()?.closest("details"); fold; fold = around(fold)) fold.open = true;
  }
  addEventListener("hashchange", unfold);
  unfold();

  // Who comes to a place in the middle stays there while the figures above it are drawn.
  const aim = aimedAt();
  addEventListener("DOMContentLoaded", () => {
    if (aim) aim.scrollIntoView({ behavior: "instant" });
    root.classList.remove("aimed");
  });
  if (aim) {
    const hold = new ResizeObserver(() => aim.scrollIntoView({ behavior: "instant" }));
    hold.observe(find(".bd-article"));
    const release = () => hold.disconnect();
    for (const sign of ["wheel", "touchstart", "keydown", "pointerdown"]) {
      addEventListener(sign, release, { once: true, passive: true });
    }
    addEventListener("load", () => setTimeout(release, 1000));
  }

  // On paper what is folded is open, and what tells an answer stands at the end of the page.
  let folded = [];
  let moved = [];
  let end = null;

  // The hints and the solution of an exercise: in its box, and after it up to the next one.
  function help(exercise) {
    const folds = all("details", exercise).filter((fold) => !exercise.contains(around(fold)));
    for (let next = exercise.nextElementSibling; next; next = next.nextElementSibling) {
      if (next.matches(".exercise, section")) break;
      if (next.matches("details.solution, details.sd-dropdown")) folds.push(next);
    }
    return folds;
  }

  const paint = () => {
    for (const figure of all("[data-view]")) figure.dispatchEvent(new Event("posenc:paint"));
  };

  // Move folds to the end of the page, below a heading; `moved` notes where they were.
  function toTheEnd(name, folds) {
    if (!folds.length) return;
    end ||= make("section", { class: "at-the-end" }, make("h2", {}, _("Hints and answers")));
    end.append(make("h3", {}, name));
    for (const fold of folds) {
      const place = document.createComment("");
      fold.replaceWith(place);
      moved.push([fold, place]);
      end.append(fold);
    }
  }

  addEventListener("beforeprint", () => {
    putBack();
    root.dataset.theme = "light";
    root.style.setProperty("--paper", "#fff"); // the rules of paper do not hold yet
    paint();
    folded = all(".bd-article details:not([open])");
    for (const fold of folded) fold.open = true;
    for (const image of all("img[loading=lazy]")) image.loading = "eager";
    toTheEnd(_("Pictures that answer a question"), all(".bd-article details.told"));
    for (const exercise of all(".bd-article .exercise")) {
      toTheEnd(find(".caption-number", exercise).textContent, help(exercise));
    }
    if (end) find(".bd-article").append(end);
  });
  addEventListener("afterprint", () => {
    show(root.dataset.mode);
    root.style.removeProperty("--paper");
    paint();
    for (const fold of folded) fold.open = false;
    for (const [fold, place] of moved) place.replaceWith(fold);
    end?.remove();
    [folded, moved, end] = [[], [], null];
  });
  find(".print-button")?.addEventListener("click", async () => {
    const late = all(".bd-article img[loading=lazy]");
    for (const image of late) image.loading = "eager";
    // One that does not come is missing on paper too.
    await Promise.allSettled(late.map((image) => image.decode()));
    window.print();
  });

  // --- rows of a long table ---------------------------------------------------------------------------------

  for (const line of all(".rows-with")) {
    const [field, told] = [find("input", line), find("output", line)];
    // A row of two lines is found by the words of either, and both stay with each other.
    const rows = all("tbody > tr:not(.below)", line.nextElementSibling).map((row) => {
      const second = row.nextElementSibling;
      return second?.matches(".below") ? [row, second] : [row];
    });
    const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();
    field.addEventListener("input", () => {
      const wanted = plain(field.value);
      const found = rows.map((row) => row.some((line) => plain(line.textContent).includes(wanted)));
      rows.forEach((row, at) => {
        for (const line of row) line.hidden = !found[at];
      });
      const shown = found.filter(Boolean).length;
      told.textContent = wanted ? _("{shown} of {all}", { shown, all: rows.length }) : rows.length;
    });
  }

  // --- where one is -------------------------------------------------------------------------------------

  const current = find(".bd-links a.current");
  const contents = find("#contents");
  if (current && contents) {
    const above = current.getBoundingClientRect().top - contents.getBoundingClientRect().top;
    if (above > contents.clientHeight - 80) contents.scrollTop = above - contents.clientHeight / 2;
  }
  const sections = find(".bd-toc"); // on a narrow screen it came when called, and goes
  sections?.addEventListener("click", (event) => event.target.href && sections.hidePopover());
  const links = new Map(
    all(".bd-toc a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
  );
  // The other language is read on from the same section.
  let here = "";
  for (const link of all(".language-button")) {
    link.addEventListener("click", () => {
      link.hash = here || location.hash;
    });
  }
  const seen = new Set();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target.id);
        else seen.delete(target.id);
      }
      const first = [...links.keys()].find((id) => seen.has(id));
      for (const [id, link] of links) link.ariaCurrent = id === first ? "true" : null;
      here = first ? `#${encodeURIComponent(first)}` : "";
    },
    { rootMargin: "-80px 0px -40% 0px" },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) watch.observe(section);
  }
})();
