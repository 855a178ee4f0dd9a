// Beside a notebook in JupyterLite: the way back to the chapter, runs that wait for their kernel, and a
// word when Python is out of reach.

(async () => {
  const notebook = new URLSearchParams(location.search).get("path") || "";
  const site = new URL("../../", document.baseURI);
  const beside = document.createElement("div");
  beside.id = "beside";
  const style = document.createElement("style");
  style.textContent = `
    #beside { position: fixed; z-index: 9; right: 1rem; bottom: 1rem; max-width: min(30rem, calc(100vw - 2rem));
      padding: 0.6rem 1rem; border: 1px solid #7b8794; border-radius: 8px; background: #fcfbf8; color: #1f2933;
      font: 1rem/1.5 system-ui, sans-serif; }
    #beside a { color: inherit; }
    #beside p { margin: 0 0 0.5rem; }
    @media print { #beside { display: none; } }`;
  const back = document.createElement("a");
  back.href = new URL(
    /^book\/\w+\.ipynb$/.test(notebook) ? notebook.replace(/ipynb$/, "html") : "book/index.html",
    site,
  );
  back.textContent = "Back to the book";
  beside.append(back);
  addEventListener("DOMContentLoaded", () => document.body.append(style, beside));

  // JupyterLab asks for each cell that is run before there is a kernel which one to take, and a run of
  // all cells waits for all answers. The one kernel that there is comes a few seconds after the
  // notebook: a run that is asked for sooner begins then.
  const holdRuns = ({ commands, shell }) => {
    const execute = commands.execute.bind(commands);
    commands.execute = async (id, args) => {
      if (/^(notebook|runmenu):run/.test(id)) await shell.currentWidget?.sessionContext?.ready;
      return execute(id, args);
    };
  };
  const look = setInterval(() => {
    if (!window.jupyterapp) return;
    clearInterval(look);
    holdRuns(window.jupyterapp);
  }, 20);

  const place = new URL("lite/static/pyodide/", site);
  let [first, answered] = [place, false];
  try {
    const start = await (await fetch(new URL("start.json", place))).json();
    first = new URL(start.files[0], place);
    answered = (await fetch(first)).ok;
  } catch {
    // No answer is an answer here.
  }
  if (answered) return;
  const words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.textContent =
    `Python cannot start: ${first.host} does not answer. You can read and change the notebook, but not run it. ` +
    "Reload the page when you are online, or ask who runs your network to allow that address.";
  beside.prepend(words);
})();
