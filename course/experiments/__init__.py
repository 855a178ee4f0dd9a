"""The experiments of Part II: an order task for a small model, and a zoo of wrong tables."""
