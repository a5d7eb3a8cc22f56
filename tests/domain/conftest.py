"""Generated cases take the time they take: a busy machine is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile("sabot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sabot")
