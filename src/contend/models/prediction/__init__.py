"""Times from a network: of one form each, whose interval the form gives, and validated."""
