"""A polite client: wikipedia-api, with what a bulk reader needs added at its seams.

wikipedia-api brings the connection, gzip, the user agent and the retry loop. Four of its methods
are overridden or called here although their names are private: ``_build_url`` (another host),
``_do_get`` (interval, long queries), ``_process_response`` (``Retry-After`` on 503 and as a date,
errors within a 200 answer) and ``_get`` (bulk queries). A test against a real wiki holds them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from importlib import metadata
from typing import Any
from urllib.parse import urlencode

import httpx
import wikipediaapi
from dfactscore.ambigbio.cache import ResponseCache
from dfactscore.ambigbio.errors import AmbigBioError, WikiError
from wikipediaapi import WikiConnectionError, WikiHttpError, WikipediaException, WikiRateLimitError

__all__ = ["WikiClient", "check_contact", "retry_after", "user_agent"]

_CONTACT = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://[^\s/]+\.[^\s]+", re.IGNORECASE)
_WAIT_CODES = frozenset({"maxlag", "ratelimited", "readonly"})
_LONG_QUERY = 4000
_SEAMS = ("_build_url", "_do_get", "_get", "_process_response")


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


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds that a ``Retry-After`` header asks to wait; it may hold seconds or an HTTP date.

    Args:
        value: The header, or None.
        now: The time to count from; the present by default.

    Example:
        >>> retry_after("Fri, 02 Jan 2026 10:00:30 GMT",
        ...             datetime(2026, 1, 2, 10, 0, 0, tzinfo=timezone.utc))
        30.0
    """
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - (now or datetime.now(timezone.utc))).total_seconds())


class _NotRetried(WikipediaException):  # type: ignore[misc]
    """What waiting does not mend; the message is for a person."""


class _Polite(wikipediaapi.Wikipedia):  # type: ignore[misc]
    """wikipedia-api with an interval, ``Retry-After`` and errors of the API honoured."""

    def __init__(
        self, agent: str, *, interval: float, max_wait: float, timeout: float, retries: int
    ) -> None:
        super().__init__(
            user_agent=agent, language="en", max_retries=retries, retry_wait=1.0, timeout=timeout
        )
        self.interval = interval
        self.max_wait = max_wait
        self.answered = False
        self.requests = 0
        self.waits: list[tuple[str, float | None]] = []
        self._last = float("-inf")

    def _build_url(self, language: str) -> str:
        return language  # the address itself is passed where the library passes a language

    def _do_get(self, url: str, params: dict[str, Any]) -> dict[str, Any]:
        pause = self._last + self.interval - time.monotonic()
        if pause > 0:
            time.sleep(pause)
        self._last = time.monotonic()
        self.requests += 1
        try:
            if len(urlencode(params)) > _LONG_QUERY:
                # titles in other scripts make addresses that servers refuse
                answer = self._process_response(self._client.post(url, data=params), url)
            else:
                answer = super()._do_get(url, params)
        except (httpx.TransportError, WikiConnectionError) as error:
            cause = error.__cause__ or error
            if not self.answered and not isinstance(cause, httpx.TimeoutException):
                raise _NotRetried(
                    f"{url} cannot be reached ({cause}): check the address and the network"
                ) from error
            raise WikiConnectionError(url) from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise _NotRetried(f"{url!r} is not an address ({error})") from error
        self.answered = True
        return answer

    def _wait(self, url: str, why: str, seconds: float | None) -> WikiRateLimitError:
        if seconds is not None and seconds > self.max_wait:
            raise _NotRetried(
                f"{url} asks to wait {seconds:.0f} seconds ({why}): "
                "run the same command again after that"
            )
        self.waits.append((why, seconds))
        return WikiRateLimitError(url, seconds)

    def _process_response(self, r: httpx.Response, url: str) -> dict[str, Any]:
        seconds = retry_after(r.headers.get("Retry-After"))
        if r.status_code == 429 or (r.status_code == 503 and seconds is not None):
            raise self._wait(url, f"status {r.status_code}", seconds)
        if r.status_code == 404 and "/metrics/pageviews/" in url:
            return {"items": []}
        if r.is_redirect:
            raise _NotRetried(f"{url} has moved to {r.headers.get('Location')}: give that address")
        if r.status_code == 200:
            try:
                answer = r.json()
            except ValueError:
                answer = None
            if not isinstance(answer, dict):
                kind = r.headers.get("Content-Type", "no content type").partition(";")[0]
                start = re.sub(r"\s+", " ", r.text[:60]).strip()
                raise _NotRetried(
                    f"{url} answers {kind} ({start!r}) instead of JSON: is it the address of an "
                    "api.php, like https://en.wikipedia.org/w/api.php?"
                )
        else:
            answer = super()._process_response(r, url)
        error = answer.get("error")
        if isinstance(error, dict):
            code, info = str(error.get("code")), str(error.get("info", ""))
            if code in _WAIT_CODES:
                raise self._wait(url, code, 5.0 if seconds is None else seconds)
            if code.startswith("internal_api_error"):
                raise WikiHttpError(500, url)
            raise _NotRetried(f"{url} refuses the request: {code}: {info}")
        return answer  # type: ignore[no-any-return]


class WikiClient:
    """Reads a MediaWiki API and other JSON services, one request at a time, with a cache.

    Args:
        api_url: Address of the ``api.php``.
        contact: Mail address or URL of whoever runs this.
        cache: Where answers are kept.
        interval: Least seconds between the starts of two requests.
        max_wait: Longest wait in seconds that a server may ask for; beyond it the build stops and
            can be resumed.
        timeout: Seconds after which a request counts as failed.
        retries: How often a request is repeated after failures that may pass.
        report: Told each wait, for a person.

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
        report: Callable[[str], None] | None = None,
    ) -> None:
        lacking = [name for name in _SEAMS if not hasattr(wikipediaapi.Wikipedia, name)]
        if lacking:
            version = metadata.version("wikipedia-api")
            raise AmbigBioError(
                f"wikipedia-api {version} has no {', '.join(lacking)}, on which this builds: "
                "pip install 'wikipedia-api>=0.12,<0.17'"
            )
        self.api_url = api_url
        self.cache = cache
        self.cached = 0
        self._report = report or (lambda _: None)
        self._polite = _Polite(
            user_agent(check_contact(contact)),
            interval=interval,
            max_wait=max_wait,
            timeout=timeout,
            retries=retries,
        )

    @property
    def requests(self) -> int:
        """How many requests were sent, repeated ones too."""
        return self._polite.requests

    @property
    def waits(self) -> tuple[tuple[str, float | None], ...]:
        """Why and how many seconds the server asked to wait, in order."""
        return tuple(self._polite.waits)

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
            answer: dict[str, Any] = self._polite._get(address, dict(parameters))
        except _NotRetried as error:
            raise WikiError(f"{error}{self._kept()}") from error
        except WikiRateLimitError as error:
            why = self._polite.waits[-1][0]
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
        self._polite._client.close()
        self.cache.close()
