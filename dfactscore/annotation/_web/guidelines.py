"""Annotation guidelines in Markdown: the study's own or the default ones."""

from __future__ import annotations

from importlib import resources


def guidelines_html(text: str | None) -> str:
    r"""Guidelines as HTML; tags in them are shown as they are written, images are not loaded.

    Args:
        text: Markdown; None for the guidelines that this package has.

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
        if token.type.startswith("heading_"):  # the page has its own headings above these
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    return str(markdown.renderer.render(tokens, markdown.options, {}))
