"""What the kernel of JupyterLite asks for packages. Here it installs none: all that the lessons need is loaded at once."""
