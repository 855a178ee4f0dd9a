"""The experiments of Part II: an order task for a small model, a head that looks back, and a zoo of wrong tables."""
