"""What libraries run by themselves: NAME.toml each, as `contend.schedules.libraries.default`."""
