"""What libraries run by themselves, a table for each: NAME.toml, as `contend.schedules.libraries.default`."""
