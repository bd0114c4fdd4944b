def linted(text, library, version):
    return []
