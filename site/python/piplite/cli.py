"""The answer to %pip."""


async def get_transformed_code(argv):
    """The code that stands for ``%pip …``: there is none."""
    raise RuntimeError("%pip: nothing is installed in the browser. The lessons have all they need.")
