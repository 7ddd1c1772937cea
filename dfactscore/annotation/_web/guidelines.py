"""Renders the annotation guidelines."""

from __future__ import annotations

from importlib import resources


def guidelines_html(text: str | None) -> str:
    r"""Renders guidelines as HTML; tags are escaped, and images are not rendered.

    Example:
        >>> guidelines_html("# Who\n<b>*is*</b> who")
        '<h3>Who</h3>\n<p>&lt;b&gt;<em>is</em>&lt;/b&gt; who</p>\n'
    """
    from markdown_it import MarkdownIt

    if text is None:
        ours = resources.files("dfactscore.annotation._web").joinpath("guidelines.md")
        text = ours.read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type.startswith("heading_"):  # below the headings of the page
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    return str(markdown.renderer.render(tokens, markdown.options, {}))
