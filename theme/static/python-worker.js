// Python in a worker: started once for a page, then one run after the other. What is printed goes to
// the page as it comes; posenc_course.cells says what went wrong, and judges.

const MOST = 20000; // characters that one run prints

let cells = null; // the module posenc_course.cells
let sayings = {}; // what the worker itself says, in the language of the page
let room = 0; // characters that the run may still print

const say = (kind, value) => postMessage({ [kind]: value });

// Send a printed line to the page; the one that goes beyond MOST, and all after it, are cut.
function print(line) {
  if (room <= 0) return;
  room -= line.length + 1;
  say("out", room > 0 ? `${line}\n` : `${sayings.cut}\n`);
}

// The error of a host that does not answer.
const silent = (host) => new Error(sayings.silent.replace("{host}", host));

// Each answer of a host is counted as it comes, so that the page can say how far it is. The last tenth
// are modules, which come without being counted.
function counting(bytes) {
  const plain = self.fetch;
  let arrived = 0;
  let said = -1;
  self.fetch = async (url, options) => {
    const answer = await plain(url, options).catch(() => {
      throw silent(new URL(url, location.href).host);
    });
    const count = new TransformStream({
      transform(part, out) {
        out.enqueue(part);
        arrived += part.length;
        const tenth = Math.min(9, Math.floor((10 * arrived) / bytes));
        if (tenth === said) return;
        said = tenth;
        const loading = sayings.loading.replace("{percent}", 10 * tenth);
        say("out", tenth < 9 ? loading : sayings.starting);
      },
    });
    const { status, headers } = answer;
    return answer.ok ? new Response(answer.body.pipeThrough(count), { status, headers }) : answer;
  };
}

// Start Python with what its cells need: the address of Pyodide and of its lock file, how many bytes
// come, and the words of the course and of this worker in the language of the page.
async function start({ pyodide, lock, bytes, words, says }) {
  sayings = says;
  counting(bytes);
  const { loadPyodide } = await import(pyodide).catch(() => {
    throw silent(new URL(pyodide).host);
  });
  const python = await loadPyodide({ lockFileURL: lock, packages: ["posenc-course"] });
  python.setStdout({ batched: print });
  python.setStderr({ batched: print });
  cells = python.pyimport("posenc_course.cells");
  python.pyimport("posenc_course.words").use(python.toPy(words));
}

// Run code, and return what `run` of posenc_course.cells does: an error, a verdict, or nothing.
function run({ code, before, label, answer }) {
  room = MOST;
  const done = cells.run(code, before, label, answer);
  const said = done.toJs({ dict_converter: Object.fromEntries });
  done.destroy(); // Python's dict would stay for ever
  return said;
}

addEventListener("message", async ({ data }) => {
  try {
    say("done", data.start ? await start(data.start) : run(data));
  } catch (problem) {
    say("failed", String(problem.message || problem));
  }
});
