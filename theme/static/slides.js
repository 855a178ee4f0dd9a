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
