"""All-to-all algorithms for different sizes."""
