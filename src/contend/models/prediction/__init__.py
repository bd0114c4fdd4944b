"""Times from a network, with their intervals (predict.py): from fit, validation, distance."""
