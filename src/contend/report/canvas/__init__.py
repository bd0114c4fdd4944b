"""What pictures are drawn on: axes and colours of one look, and their files and places on pages."""
