"""The experiments of Part II: an order task, a head that looks back, a zoo of wrong tables."""
