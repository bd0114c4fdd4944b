"""When a schedule is done: under pLogP, alone and where groups are joined by slow links."""
