"""What the collective calls of production cost: the records that jobs leave in a site's file."""
