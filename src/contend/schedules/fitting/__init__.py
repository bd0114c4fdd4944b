"""pLogP parameters from measured times of schedules."""
