"""axe-core, which checks the accessibility of a page.

It comes from a package of PyPI with a fixed hash, which is kept in .build/axe.
"""

import json

from harness import pypi

# It contains axe-core 4.x as one file; nothing of the package itself runs.
PACKAGE = "axe-playwright-python==0.1.8 --hash=sha256:fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8"
# Why a check without it is skipped.
MISSING = "the package index has no axe-core, or is unavailable"


def source():
    """The source of axe-core; None if the package index is unavailable."""
    folder = pypi.fetch("axe", PACKAGE)
    return folder and (folder / "axe_playwright_python/axe.min.js").read_text(encoding="utf-8")


def violations(tab):
    """Each violated rule with the elements that violate it, in a page that has the source."""
    result = tab.evaluate("axe.run(document, {resultTypes: ['violations']}).then((r) => JSON.stringify({"
                          "passes: r.passes.length, violations: r.violations.map((v) =>"
                          " `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)}))")
    return json.loads(result)
