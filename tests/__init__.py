"""The rulebook, tried. May import everything; nothing imports it."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the checkout
VERIFY = ROOT / "scripts" / "verify_pack"


def module_of(script):
    """A script that has no ending, to be called part by part."""
    loader = SourceFileLoader(script.name, str(script))
    module = module_from_spec(spec_from_loader(script.name, loader))
    loader.exec_module(module)
    return module
