// The contents list says of each chapter how many of its questions are answered, and below it one
// button forgets every answer; a picture that waits for an answer opens with it. The place where
// the reader was last is kept, and the first page and the contents list offer to go on there.
// All of it is kept in this browser and nowhere else.

(() => {
  const STORE = "where-words-stand:answers";
  const PLACE = "where-words-stand:place";

  function kept(store = STORE) {
    try {
      return Object(JSON.parse(localStorage.getItem(store)));
    } catch {
      return {};
    }
  }

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // The page a link leads to, as the list of questions names it: "book/06_rotation".
  function pageOf(link, root) {
    const { pathname } = new URL(link.getAttribute("href"), location.href);
    return decodeURIComponent(pathname.slice(root.length)).replace(/\.html$/, "");
  }

  function rootOfBook() {
    return new URL(document.documentElement.dataset.content_root || ".", location.href);
  }

  function mark(contents, answers) {
    const root = rootOfBook();
    for (const link of contents.querySelectorAll("a.reference.internal")) {
      const keys = (window.posencQuestions || {})[pageOf(link, root.pathname)] || [];
      const done = keys.filter((key) => Object(answers[key]).done).length;
      link.querySelector(".posenc-done")?.remove();
      if (!done) continue;
      const all = done === keys.length;
      const words = all ? "all questions answered" : `${done} of ${keys.length} questions answered`;
      const name = { class: "posenc-done", role: "img", "aria-label": words };
      link.append(make("span", name, all ? "\u2713" : `${done}/${keys.length}`));
    }
  }

  // The section at the upper third of the window; at the foot of a chapter, the next one.
  function placeHere(root) {
    const title = document.querySelector("h1").firstChild.textContent;
    const next = document.querySelector(".onward-next");
    if (next && next.getBoundingClientRect().top < innerHeight) {
      return { to: pageOf(next, root.pathname), title: next.querySelector("b").textContent };
    }
    const to = pageOf({ getAttribute: () => location.pathname }, root.pathname);
    const passed = [...document.querySelectorAll("article section section[id] > :is(h2, h3)")]
      .filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
      .pop();
    if (!passed) return { to, title };
    return { to, title, id: passed.parentElement.id, section: passed.firstChild.textContent };
  }

  function remember(root) {
    let waiting;
    const keep = () => {
      clearTimeout(waiting);
      try {
        localStorage.setItem(PLACE, JSON.stringify(placeHere(root)));
      } catch {}
    };
    // Who only looks in has not begun to read: the first move of the page says so.
    window.addEventListener(
      "scroll",
      () => {
        clearTimeout(waiting);
        waiting = setTimeout(keep, 300);
      },
      { passive: true },
    );
  }

  // A link to the place that is kept, or nothing.
  function goOn(root) {
    const { to, title, id, section } = kept(PLACE);
    if (!/^book\/[\w-]+$/.test(to) || typeof title !== "string") return null;
    const href = `${root.href}${to}.html${id ? `#${encodeURIComponent(id)}` : ""}`;
    const words = section && section !== title ? `${title}, \u201c${section}\u201d` : title;
    return make("a", { href, class: "go-on" }, `Go on: ${words}`);
  }

  const contents = document.querySelector(".bd-sidebar-primary nav.bd-links");
  if (!contents) return;
  const root = rootOfBook();
  const first = document.querySelector(".begin ul");
  const place = goOn(root);
  if (place && first) first.prepend(make("li", {}, place.cloneNode(true)));
  if (place && !first) contents.prepend(make("p", {}, place));
  if (document.querySelector(".opening .where") && !first) remember(root);
  const button = make("button", { type: "button" }, "Forget my answers");
  const note = make("p", {}, "They are kept in this browser and nowhere else.");
  const told = make("p", { role: "status" });
  const forget = make("div", { class: "posenc-forget" }, button, note);
  contents.append(forget, told);
  const update = () => {
    const answers = kept();
    forget.hidden = !Object.keys(answers).length;
    if (!forget.hidden) told.textContent = "";
    mark(contents, answers);
  };
  button.addEventListener("click", () => {
    const answers = localStorage.getItem(STORE);
    localStorage.removeItem(STORE);
    document.dispatchEvent(new CustomEvent("posenc-forgotten"));
    update();
    const back = make("button", { type: "button" }, "Bring them back");
    told.replaceChildren("Your answers are forgotten. ", back);
    back.focus();
    // What they fill in is drawn when a page is.
    back.addEventListener("click", () => {
      localStorage.setItem(STORE, answers);
      location.reload();
    });
  });
  document.addEventListener("posenc-answers", () => {
    update();
    const answers = kept();
    for (const fold of document.querySelectorAll("details.told")) {
      if (Object(answers[fold.dataset.after]).done) fold.open = true;
    }
  });
  window.addEventListener("storage", update);
  update();
})();
