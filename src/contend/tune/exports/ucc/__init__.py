"""What the formats of UCC share: the grammar of its rules, and its file of configuration."""
