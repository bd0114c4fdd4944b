"""Variables and parameters that texts of sites set: scripts, modules, options, files."""

from contend.tune.exports.settings.parser import is_script, says_script, settings_in, settings_of
from contend.tune.exports.settings.words import Setting

__all__ = ["Setting", "is_script", "says_script", "settings_in", "settings_of"]
