// The contents list marks the chapters whose questions are all answered, and below it one button
// forgets every answer; a picture that waits for an answer opens with it. What all this reads is
// what the questions keep in this browser.

(() => {
  const STORE = "where-words-stand:answers";

  function kept() {
    try {
      return Object(JSON.parse(localStorage.getItem(STORE)));
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

  function mark(contents, answers) {
    const root = new URL(document.documentElement.dataset.content_root || ".", location.href);
    for (const link of contents.querySelectorAll("a.reference.internal")) {
      const keys = (window.posencQuestions || {})[pageOf(link, root.pathname)] || [];
      const done = keys.length > 0 && keys.every((key) => Object(answers[key]).done);
      const sign = link.querySelector(".posenc-done");
      if (done && !sign) {
        const name = { class: "posenc-done", role: "img", "aria-label": "all questions answered" };
        link.append(make("span", name, "\u2713"));
      } else if (!done && sign) sign.remove();
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const contents = document.querySelector(".bd-sidebar-primary nav.bd-links");
    if (!contents) return;
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
      localStorage.removeItem(STORE);
      document.dispatchEvent(new CustomEvent("posenc-forgotten"));
      update();
      told.textContent = "Your answers are forgotten.";
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
  });
})();
