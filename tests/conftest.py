"""Numbers for the tests of the mathematics: drawn, and yet the same in every run."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# Neither a random seed nor a slow machine can change a verdict.
calm = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("reproducible", derandomize=True, **calm)
settings.load_profile("reproducible")


@pytest.fixture
def rng():
    return np.random.default_rng(12)
