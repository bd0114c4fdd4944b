"""What a study measures: as much as there is time for, and the algorithms beside its choice."""
