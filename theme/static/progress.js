// The contents list says of each chapter how many of its questions are answered, and below it one
// button forgets every answer; a picture that waits for an answer opens with it. The place where
// the reader was last is kept, and the first page and the contents list offer to go on there.
// All of it is kept in this browser and nowhere else.

(() => {
  const STORE = "where-words-stand:answers";
  const LANGUAGE = document.documentElement.lang;
  const PLACE = `where-words-stand:place${LANGUAGE === "en" ? "" : `:${LANGUAGE}`}`; // with its title

  const { all, find, make, stored, store, home, _ } = window.book;
  const kept = (name = STORE) => stored(name) ?? {};

  // The page of a link or of the window, as the list of questions names it: "book/06_rotation".
  function pageOf({ pathname }) {
    return decodeURIComponent(pathname.slice(home.pathname.length)).replace(/\.html$/, "");
  }

  // Write beside each chapter of the contents list how many of its questions are answered.
  function mark(contents, answers) {
    for (const link of all("a.reference.internal", contents)) {
      const keys = (window.posencQuestions || {})[pageOf(link)] || [];
      const done = keys.filter((key) => answers[key]?.done).length;
      find(".posenc-done", link)?.remove();
      if (!done) continue;
      const all = done === keys.length;
      const words = all
        ? _("all questions answered")
        : _("{done} of {all} questions answered", { done, all: keys.length });
      const name = { class: "posenc-done", role: "img", "aria-label": words };
      link.append(make("span", name, all ? "\u2713" : `${done}/${keys.length}`));
    }
  }

  // The section at the upper third of the window; at the foot of a chapter, the next one.
  function placeHere() {
    const title = find("h1").firstChild.textContent;
    const next = find(".onward-next");
    if (next && next.getBoundingClientRect().top < innerHeight) {
      return { to: pageOf(next), title: find("b", next).textContent };
    }
    const to = pageOf(location);
    const passed = all("article section section[id] > :is(h2, h3)")
      .filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
      .pop();
    if (!passed) return { to, title };
    return { to, title, id: passed.parentElement.id, section: passed.firstChild.textContent };
  }

  // A link to the place that is kept, or nothing.
  function goOn() {
    const { to, title, id, section } = kept(PLACE);
    if (!to) return null;
    const href = `${home.href}${to}.html${id ? `#${encodeURIComponent(id)}` : ""}`;
    const words = section && section !== title ? `${title}, \u201c${section}\u201d` : title;
    return make("a", { href, class: "go-on" }, _("Go on: {place}", { place: words }));
  }

  const contents = find(".bd-sidebar-primary nav.bd-links");
  const first = find(".begin ul");
  const place = goOn();
  if (place) (first ?? contents).prepend(make(first ? "li" : "p", {}, place));
  if (find(".opening .where") && !first) {
    let waiting;
    // Who only looks in has not begun to read: the first move of the page says so.
    addEventListener("scroll", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => store(PLACE, placeHere()), 300);
    });
  }
  const button = make("button", { type: "button" }, _("Forget my answers"));
  const note = make("p", {}, _("They are kept in this browser and nowhere else."));
  const told = make("p", { role: "status" });
  const forget = make("div", { class: "posenc-forget" }, button, note);
  contents.append(forget, told);
  // Show what is answered now: the marks, and the button only if there is something to forget.
  const update = () => {
    const answers = kept();
    forget.hidden = !Object.keys(answers).length;
    if (!forget.hidden) told.textContent = "";
    mark(contents, answers);
  };
  button.addEventListener("click", () => {
    const answers = kept();
    store(STORE, null);
    document.dispatchEvent(new CustomEvent("posenc-forgotten"));
    update();
    const back = make("button", { type: "button" }, _("Bring them back"));
    told.replaceChildren(_("Your answers are forgotten."), " ", back);
    back.focus();
    // What they fill in is drawn when a page is.
    back.addEventListener("click", () => {
      store(STORE, answers);
      location.reload();
    });
  });
  document.addEventListener("posenc-answers", () => {
    update();
    const answers = kept();
    for (const fold of all("details.told")) {
      if (answers[fold.dataset.after]?.done) fold.open = true;
    }
  });
  window.addEventListener("storage", update);
  update();
})();
