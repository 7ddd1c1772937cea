"""A rate-limited, caching MediaWiki client on top of wikipedia-api.

The client calls one private method of wikipedia-api, the retry loop ``_get``, and overrides none.
The library's public methods request one page at a time and keep only parts of a response, whereas a
build requests fifty pages at once. Because a private method is used, the library's version is
capped, and compatibility is checked when the library is opened.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from typing import Any

import wikipediaapi
from wikipediaapi import WikiHttpError, WikipediaException, WikiRateLimitError

from dfactscore._util.files import dump_json
from dfactscore._util.message_text import short_repr
from dfactscore._util.reporting import Log, no_log
from dfactscore._util.validated import Form, misfit
from dfactscore.ambigbio._answers import QueryAnswer, SearchAnswer
from dfactscore.ambigbio._cache import ONE, ResponseCache
from dfactscore.ambigbio._errors import AmbigBioError, WikiAnswerError, WikiError
from dfactscore.ambigbio._wiki_transport import FinalError, Pace, PoliteTransport

_CONTACT = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://[^\s/]+\.[^\s]+", re.IGNORECASE)
#: The parameters sent with every request to a MediaWiki API.
QUERY = {"action": "query", "format": "json", "formatversion": "2", "maxlag": "5"}
#: Parameters that contain the subject of a request.
_SUBJECTS = ("srsearch", "titles", "pageids", "ids", "cmtitle", "apfrom")
_MOST_PARTS = 5_000  # maximum number of continuations; a large wiki's longest list needs a thousand
_NEEDED = ">=0.16,<0.17"  # As in setup.cfg.


def check_contact(contact: str | None) -> str:
    """Checks the contact, an email address or URL that a wiki's operators can use."""
    if contact and _CONTACT.fullmatch(contact.strip()):
        return contact.strip()
    given = f"{contact!r} is neither a mail address nor a URL" if contact else "no contact is given"
    raise AmbigBioError(
        f"{given}: Wikimedia asks every client to say who runs it and allows those that do not "
        "10 requests a minute; give --contact you@example.org (or a URL)"
    )


def user_agent(contact: str) -> str:
    """Returns the user agent, which includes the toolkit's version and the contact."""
    try:
        version = metadata.version("dfactscore")
    except metadata.PackageNotFoundError:
        version = "0"
    contact = check_contact(contact)
    prefix = "" if contact.lower().startswith("http") else "mailto:"
    return f"dfactscore-ambigbio/{version} ({prefix}{contact})"


def progress(report: Log, what: str, most: int) -> Callable[[int], None]:
    """Returns a function that reports the progress of requests and the estimated time left."""
    began = time.monotonic()

    def done(number: int) -> None:
        if most > 1:
            left = (time.monotonic() - began) / number * (most - number)
            report(f"{what}: {number} of {most} requests, about {left:.0f} s left")

    return done


class WikiClient:
    """Reads a MediaWiki API and other JSON services one request at a time, using a cache."""

    def __init__(
        self,
        api_url: str,  # URL of the wiki's `api.php`
        *,
        contact: str | None,  # user's email address or URL
        cache: ResponseCache,
        pace: Pace | None = None,
        report: Log | None = None,
    ) -> None:
        pace = pace or Pace()
        self.api_url = api_url
        self.cache = cache
        self.cached = 0
        self.report = report or no_log
        self._transport = PoliteTransport(pace, report)
        agent = user_agent(check_contact(contact))
        self._library = _library(
            agent,
            max_retries=pace.retries,
            retry_wait=pace.backoff,
            timeout=pace.timeout,
            transport=self._transport,
        )

    @property
    def requests(self) -> int:
        """The number of requests sent so far, including repeated ones."""
        return self._transport.requests

    @property
    def waits(self) -> tuple[tuple[str, float | None], ...]:
        """The reasons for and lengths of the waits that the server requested, in order."""
        return tuple(self._transport.waits)

    def get(self, address: str, parameters: Mapping[str, Any], form: type[Form]) -> dict[str, Any]:
        """Returns the response from a JSON service, from the cache if possible."""
        cached = self.cache.get(address, parameters)
        if cached is not None and misfit(form, cached) is None:
            self.cached += 1
            return cached
        try:
            # The library knows only Wikipedia's addresses.
            self._transport.address, self._transport.form = address, form
            answer: dict[str, Any] = self._library._get("en", dict(parameters))
        except FinalError as error:
            kind = WikiAnswerError if error.of_request else WikiError
            raise kind(f"{error}{_asked(parameters)}{self._kept()}") from error
        except WikiRateLimitError as error:
            why = self._transport.waits[-1][0]
            raise WikiError(
                f"{address} keeps asking to wait ({why}): try again later{self._kept()}"
            ) from error
        except WikiHttpError as error:
            later = "try again later" if error.status_code >= 500 else "check the address"
            kind = WikiError if error.status_code == 404 else WikiAnswerError
            raise kind(
                f"{address} answers with status {error.status_code}: {later}"
                f"{_asked(parameters)}{self._kept()}"
            ) from error
        except WikipediaException as error:
            why = self._transport.fault or type(error).__name__
            raise WikiAnswerError(
                f"{address} keeps failing ({why}): try again later{_asked(parameters)}"
                f"{self._kept()}"
            ) from error
        self.cache.put(address, parameters, answer)
        return answer

    def recall(self, about: Mapping[str, Any], address: str = "") -> dict[str, Any] | None:
        """Returns the response stored by `remember` for one subject, or None if there is none."""
        cached = self.cache.get(f"{address or self.api_url}{ONE}", about)
        self.cached += cached is not None
        return cached

    def remember(
        self,
        answers: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
        address: str = "",
    ) -> None:
        """Caches a response by subject, so that requests for other sets of subjects reuse it."""
        self.cache.put_all(f"{address or self.api_url}{ONE}", answers)

    def _kept(self) -> str:
        count = len(self.cache)
        return f"; {count} answers are kept in {self.cache.path}" if count else ""

    def query(
        self,
        parameters: Mapping[str, Any],  # API parameters, excluding `action` and `format`
        form: type[QueryAnswer] = QueryAnswer,
        *,
        most: int = _MOST_PARTS,
    ) -> Iterator[dict[str, Any]]:
        """Yields the responses to a MediaWiki API query, following continuations."""
        request = {**QUERY, **parameters}
        seen: set[str] = set()
        while True:
            answer = self.get(self.api_url, request, form)
            yield answer.get("query", {})
            if "continue" not in answer:
                return
            further = dump_json(answer["continue"])
            if further in seen or len(seen) >= most:
                # The next command sends the request again: the wiki may have recovered.
                self.cache.drop(self.api_url, request)
                raise WikiAnswerError(
                    f"{self.api_url} continues one answer for ever ({further[:60]}): try again "
                    f"later{self._kept()}"
                )
            seen.add(further)
            request = {**QUERY, **parameters, **answer["continue"]}

    def search(self, query: str, count: int) -> list[str]:
        """Returns the titles that the wiki's search finds, best first."""
        # Continuations of a search are more results, so one request is enough.
        answer = self.get(
            self.api_url,
            {
                **QUERY,
                "list": "search",
                "srsearch": query,
                "srlimit": str(count),
                "srnamespace": "0",
                "srprop": "",
            },
            SearchAnswer,
        )
        return [row["title"] for row in answer["query"]["search"]]

    def close(self) -> None:
        """Closes the connection and the cache."""
        self._transport.close()
        self.cache.close()


def _asked(parameters: Mapping[str, Any]) -> str:
    """Returns the subject of a request, for use in messages."""
    subject = next((parameters[key] for key in _SUBJECTS if parameters.get(key)), None)
    return "" if subject is None else f" (asked for {short_repr(str(subject))})"


def _library(agent: str, **options: Any) -> wikipediaapi.Wikipedia:
    """Opens wikipedia-api with the given transport."""
    try:
        library = wikipediaapi.Wikipedia(user_agent=agent, language="en", **options)
        assert callable(library._get)
    except (TypeError, AttributeError, AssertionError) as error:
        version = metadata.version("wikipedia-api")
        raise AmbigBioError(
            f"wikipedia-api {version} does not fit ({error}): pip install 'wikipedia-api{_NEEDED}'"
        ) from None
    return library
