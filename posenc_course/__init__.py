"""What the chapters of *Where Words Stand* need beside the mathematics of `posenc`.

Figures (Matplotlib), views that move and questions that answer back (anywidget), the checks of
the exercises, and the experiments of Part II. Each loads when it is imported, and not before.
"""
