"""Commands that the Makefile runs, each as a module of this package."""
