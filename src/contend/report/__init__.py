"""The pages of findings and of a replay, which work offline, and figures for papers."""
