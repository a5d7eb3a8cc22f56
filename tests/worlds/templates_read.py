"""The templates of all pages, read once in the process from which every house server is forked."""

from ops.web.pages.render import _environment

for _name in _environment().list_templates(["html"]):
    _environment().get_template(_name)
