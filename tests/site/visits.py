"""A page of the site, opened from its file with the network cut."""

from contextlib import contextmanager

from tests.browser.lab import ROOT

NODE = ROOT / "site/node_modules"
READY = "() => document.readyState === 'complete' && !document.querySelector('.attn-frozen fieldset[disabled]')"
OPEN = "document.querySelectorAll('article details:not(.attn details)').forEach(folded => folded.open = true)"


@contextmanager
def visit(browser, site, name, width=1280, height=900, **options):
    """A page opened from its file with the network cut; at the end it must have asked for nothing else, without complaint."""
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **options)
    page, problems = context.new_page(), []
    page.set_default_timeout(20_000)
    page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or problems.append(request.url))
    page.on("requestfailed", lambda request: problems.append(f"failed: {request.url}"))
    page.on("console", lambda message: message.type in ("error", "warning") and problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((site / name).as_uri())
    if options.get("java_script_enabled", True):
        page.wait_for_function(READY)
    yield page
    context.close()
    assert problems == []
