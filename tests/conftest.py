"""Settings of all tests."""

from hypothesis import settings

# No deadline: a busy machine is not a failure.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
