"""Settings that the kernel writes when it starts."""

_PIPLITE_URLS = []
_PIPLITE_DISABLE_PYPI = True
