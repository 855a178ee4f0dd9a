"""The page's own scripts without a page: an ES module of the course, run in V8 (mini-racer)."""

import json

from py_mini_racer import MiniRacer

from posenc_course.widget import joined


class Module:
    """An ES module with those it imports, in an engine of its own.

    Parameters
    ----------
    path : Path
        The file of the module.
    """

    def __init__(self, path):
        self.engine = MiniRacer()
        self.engine.eval(f'"use strict";\n{joined(path)}\n0')

    def each(self, function, inputs):
        """Return what a JavaScript function makes of each input."""
        text = json.dumps(json.dumps(inputs))
        return json.loads(
            self.engine.eval(f"JSON.stringify(JSON.parse({text}).map((one) => ({function})(one)))")
        )
