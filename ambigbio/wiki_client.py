"""A polite client: wikipedia-api over a transport of our own, and a cache.

One name of wikipedia-api that is private is called, and none overridden: ``_get``, the retry loop.
Its public methods ask about one page at a time and keep only what they parse, so that the transport
would have to replace their request by ours and to hide the answer from them; a build asks about
fifty pages at once. The version is capped for this, and checked where the library is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from typing import Any

import wikipediaapi
from wikipediaapi import WikiHttpError, WikipediaException, WikiRateLimitError

from dfactscore._util.callbacks import Log
from dfactscore.ambigbio.cache import ONE, ResponseCache
from dfactscore.ambigbio.errors import AmbigBioError, WikiError
from dfactscore.ambigbio.wiki_transport import FinalError, PoliteTransport

__all__ = ["WikiClient", "check_contact", "user_agent"]

_CONTACT = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://[^\s/]+\.[^\s]+", re.IGNORECASE)
_NEEDED = ">=0.16,<0.17"  # As in setup.cfg.


def check_contact(contact: str | None) -> str:
    """A mail address or URL by which a wiki's operators can reach whoever runs the build.

    Raises:
        AmbigBioError: There is none, or it is neither.
    """
    if contact and _CONTACT.fullmatch(contact.strip()):
        return contact.strip()
    given = f"{contact!r} is neither a mail address nor a URL" if contact else "no contact is given"
    raise AmbigBioError(
        f"{given}: Wikimedia asks every client to say who runs it and allows those that do not "
        "10 requests a minute; give --contact you@example.org (or a URL)"
    )


def user_agent(contact: str) -> str:
    """The user agent that names this toolkit and the contact.

    Raises:
        AmbigBioError: The contact is neither a mail address nor a URL.
    """
    try:
        version = metadata.version("dfactscore")
    except metadata.PackageNotFoundError:
        version = "0"
    contact = check_contact(contact)
    prefix = "" if contact.lower().startswith("http") else "mailto:"
    return f"dfactscore-ambigbio/{version} ({prefix}{contact})"


class WikiClient:
    """Reads a MediaWiki API and other JSON services, one request at a time, with a cache.

    Args:
        api_url: Address of the ``api.php``.
        contact: Mail address or URL of whoever runs this.
        cache: Where answers are kept.
        interval: Minimum seconds between the starts of two requests.
        max_wait: Longest wait in seconds that a server may ask for; beyond it the build stops and
            can be resumed.
        timeout: Seconds after which a request counts as failed.
        retries: How often a request is repeated after failures that may pass.
        report: Called with a line about each wait.

    Raises:
        AmbigBioError: The contact is missing, or wikipedia-api lacks what is built on.
    """

    def __init__(
        self,
        api_url: str,
        *,
        contact: str | None,
        cache: ResponseCache,
        interval: float = 0.5,
        max_wait: float = 600.0,
        timeout: float = 60.0,
        retries: int = 6,
        report: Log | None = None,
    ) -> None:
        self.api_url = api_url
        self.cache = cache
        self.cached = 0
        self._transport = PoliteTransport(interval=interval, max_wait=max_wait, report=report)
        agent = user_agent(check_contact(contact))
        self._library = _library(
            agent, max_retries=retries, timeout=timeout, transport=self._transport
        )

    @property
    def requests(self) -> int:
        """How many requests were sent, repeated ones too."""
        return self._transport.requests

    @property
    def waits(self) -> tuple[tuple[str, float | None], ...]:
        """Why and how many seconds the server asked to wait, in order."""
        return tuple(self._transport.waits)

    def get(self, address: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of a JSON service, from the cache where it was answered before.

        Raises:
            WikiError: It cannot be reached, refuses or answers something else.
            AmbigBioError: The answer cannot be kept.
        """
        kept = self.cache.get(address, parameters)
        if kept is not None:
            self.cached += 1
            return kept
        try:
            self._transport.address = address  # The library knows Wikipedia's addresses only.
            answer: dict[str, Any] = self._library._get("en", dict(parameters))
        except FinalError as error:
            raise WikiError(f"{error}{self._kept()}") from error
        except WikiRateLimitError as error:
            why = self._transport.waits[-1][0]
            raise WikiError(
                f"{address} keeps asking to wait ({why}): try again later{self._kept()}"
            ) from error
        except WikiHttpError as error:
            later = "try again later" if error.status_code >= 500 else "check the address"
            raise WikiError(
                f"{address} answers with status {error.status_code}: {later}{self._kept()}"
            ) from error
        except WikipediaException as error:
            raise WikiError(
                f"{address} keeps failing ({type(error).__name__}): try again later{self._kept()}"
            ) from error
        self.cache.put(address, parameters, answer)
        return answer

    def recall(self, about: Mapping[str, Any], address: str = "") -> dict[str, Any] | None:
        """What `remember` kept about one thing; None where it is not known.

        Args:
            about: What was asked, and about what.
            address: Of which service; the wiki by default.
        """
        kept = self.cache.get(f"{address or self.api_url}{ONE}", about)
        self.cached += kept is not None
        return kept

    def remember(
        self,
        answers: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
        address: str = "",
    ) -> None:
        """Keeps what an answer says about each of many things, whatever it is asked with next.

        Args:
            answers: What was asked about one thing, and what is known about it.
            address: As in `recall`.
        """
        self.cache.put_all(f"{address or self.api_url}{ONE}", answers)

    def _kept(self) -> str:
        count = len(self.cache)
        return f"; {count} answers are kept in {self.cache.path}" if count else ""

    def query(self, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The answers to a query of the MediaWiki API, continued to the end.

        Args:
            parameters: As the API names them, without ``action`` and ``format``.

        Yields:
            The ``query`` part of each answer.

        Raises:
            WikiError: As `get`; also where an answer is not a MediaWiki API's.
        """
        base = {"action": "query", "format": "json", "formatversion": "2", "maxlag": "5"}
        request = {**base, **parameters}
        while True:
            answer = self.get(self.api_url, request)
            if "query" not in answer and "batchcomplete" not in answer and "continue" not in answer:
                raise WikiError(
                    f"{self.api_url} answers JSON without 'query' (it has {sorted(answer)[:5]}): "
                    "is it the address of a MediaWiki api.php?"
                )
            yield answer.get("query", {})
            if "continue" not in answer:
                return
            request = {**base, **parameters, **answer["continue"]}

    def close(self) -> None:
        """Closes the connection and the cache."""
        self._transport.close()
        self.cache.close()


def _library(agent: str, **options: Any) -> wikipediaapi.Wikipedia:
    """wikipedia-api over the given transport.

    Raises:
        AmbigBioError: If the installed version lacks what is built on.
    """
    try:
        library = wikipediaapi.Wikipedia(user_agent=agent, language="en", retry_wait=1.0, **options)
        assert callable(library._get)
    except (TypeError, AttributeError, AssertionError) as error:
        version = metadata.version("wikipedia-api")
        raise AmbigBioError(
            f"wikipedia-api {version} does not fit ({error}): pip install 'wikipedia-api{_NEEDED}'"
        ) from None
    return library
