// Starts a deck: 1280 by 720, without motion of its own. S opens what the teacher says, F fills the
// screen, Esc shows all slides; arrow keys belong to a moving figure while it has the focus.
window.Reveal.initialize({
  width: 1280,
  height: 720,
  margin: 0,
  maxScale: 4,
  center: false,
  controlsTutorial: false,
  hash: true,
  slideNumber: "c/t",
  transition: "none",
  pdfMaxPagesPerSlide: 1,
  plugins: [window.RevealNotes],
});

// A figure keeps the keys that are pressed in it to itself. A clicker sends Page Down and Page Up,
// which turn the slide from anywhere; Esc leaves the figure, and the arrow keys turn slides again.
const turns = { PageDown: "next", PageUp: "prev" };
window.addEventListener(
  "keydown",
  (event) => {
    const inside = document.activeElement.closest(".posenc");
    const turn = turns[event.key];
    if (!inside || (!turn && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.activeElement.blur();
    if (turn) window.Reveal[turn]();
  },
  { capture: true },
);
