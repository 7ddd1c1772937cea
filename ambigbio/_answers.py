"""Models of the responses from MediaWiki, Wikidata and the page views service.

Responses that do not fit these models are never cached; the request is sent again.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from dfactscore._util.validated import Form, Undamaged


class _Titled(Form):
    title: Undamaged


class _Listed(Form):
    pageid: int
    title: Undamaged
    ns: int = 0


class _Move(Form):
    from_: Undamaged = Field(alias="from")
    to: Undamaged
    tofragment: str | None = None


class _Slot(Form):
    content: Undamaged | None = None

    @model_validator(mode="before")
    @classmethod
    def _has_text(cls, data: Any) -> Any:
        if isinstance(data, dict) and not {"content", "texthidden", "textmissing"} & data.keys():
            raise ValueError("a revision without a text")
        if isinstance(data, dict) and "content" in data and data["content"] is None:
            raise ValueError("a revision whose text is null")
        return data


class _Slots(Form):
    main: _Slot


class _Revision(Form):
    revid: int
    timestamp: str
    slots: _Slots


class _Properties(Form):
    description: Undamaged = Field("", alias="wikibase-shortdesc")
    item: str = Field("", alias="wikibase_item")


class _Page(Form):
    ns: int | None = None
    title: Undamaged | None = None
    pageid: int | None = None
    revisions: list[_Revision] = Field(default_factory=list)
    pageprops: _Properties = _Properties()
    redirects: list[_Titled] = Field(default_factory=list)
    categories: list[_Titled] = Field(default_factory=list)

    @model_validator(mode="after")
    def _has_a_title(self) -> _Page:
        if self.title is None and self.ns is not None:
            raise ValueError("a page without a title")
        return self


class _General(Form):
    base: str
    time: str = ""
    case: str = "first-letter"


class _Namespace(Form):
    id: int
    name: Undamaged
    canonical: str = ""


class _Alias(Form):
    id: int
    alias: Undamaged


class _Query(Form):
    normalized: list[_Move] = Field(default_factory=list)
    redirects: list[_Move] = Field(default_factory=list)
    pages: list[_Page] = Field(default_factory=list)
    search: list[_Titled] = Field(default_factory=list)
    allpages: list[_Titled] = Field(default_factory=list)
    categorymembers: list[_Listed] = Field(default_factory=list)
    pageswithprop: list[_Listed] = Field(default_factory=list)
    general: _General = Field(None)  # type: ignore[assignment]  # absent, not null
    namespaces: dict[str, _Namespace] = Field(default_factory=dict)
    namespacealiases: list[_Alias] = Field(default_factory=list)


class QueryAnswer(Form):
    """Response to ``action=query``, with ``formatversion=2``."""

    query: _Query = _Query()
    continue_: dict[str, str | int] = Field({}, alias="continue")

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, data: Any) -> Any:
        if isinstance(data, dict) and {"continue", "batchcomplete"} & data.keys():
            return data
        return _with("query", data, "'query': is it the address of a MediaWiki api.php?")


class _Found(Form):
    search: list[_Titled]


class _SiteInfo(_Query):
    general: _General
    namespaces: dict[str, _Namespace]


class SiteAnswer(QueryAnswer):
    """Response to ``meta=siteinfo``."""

    query: _SiteInfo


class PagesAnswer(QueryAnswer):
    """Response about pages requested by title or id; missing pages have an entry, too."""

    @model_validator(mode="before")
    @classmethod
    def _has_pages(cls, data: Any) -> Any:
        if isinstance(data, dict) and {"query", "continue", "batchcomplete"} & data.keys():
            query = data.get("query")
            if not isinstance(query, dict) or not {"pages", "interwiki"} & query.keys():
                raise ValueError("a query without pages")
        return data


class SearchAnswer(QueryAnswer):
    """Response to ``list=search``, in which the list is empty if nothing matches."""

    query: _Found  # type: ignore[assignment]


class _View(Form):
    views: int


class Views(Form):
    """The monthly page views of an article."""

    items: list[_View]

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, data: Any) -> Any:
        return _with("items", data, "page views: --pageviews-url wants the root of the service")


class _Datavalue(Form):
    value: Any = None


class _Snak(Form):
    datavalue: _Datavalue = _Datavalue()


class _Claim(Form):
    rank: str = "normal"
    mainsnak: _Snak = _Snak()


class _Item(Form):
    # PHP writes an object without members as a list.
    claims: dict[str, list[_Claim]] | list[None] = Field(default_factory=dict)


class Items(Form):
    """Response to Wikidata's ``wbgetentities``."""

    entities: dict[str, _Item]

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, data: Any) -> Any:
        return _with("entities", data, "'entities': is it Wikidata?")


def _with(name: str, data: Any, what: str) -> Any:
    """Returns the response if it has a field; if it does not, it came from another service."""
    if isinstance(data, dict) and name not in data:
        raise ValueError(f"JSON without {what} (it has {sorted(map(str, data))[:5]})")
    return data
