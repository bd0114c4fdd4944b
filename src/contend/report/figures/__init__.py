"""Pictures, one file each: of a network and its samples, of schedules, of graphs and of labs."""
