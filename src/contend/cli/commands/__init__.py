"""Commands, one file each; the module's function `command` is the command."""
