"""The answer to %pip."""


async def get_transformed_code(argv):
    """The code that stands for ``%pip …``."""
    return 'print("Nothing is installed in the browser: the lessons have all they need.")'
