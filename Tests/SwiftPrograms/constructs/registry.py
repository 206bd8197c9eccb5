"""The constructs by their names, with the functions that write a piece of each."""

CONSTRUCTS = {}


def construct(name):
    """Marks a function that writes a piece of the construct into a builder."""
    def register(write):
        CONSTRUCTS[name] = write
        return write
    return register
