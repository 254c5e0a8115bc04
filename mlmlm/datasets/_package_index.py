"""Fetching a source archive by name from the package index; nothing of it is ever run."""

from __future__ import annotations

import hashlib
import logging
import ssl
from collections.abc import Iterator

from unearth import Link, PackageFinder
from unearth.auth import MultiDomainBasicAuth
from unearth.fetchers import PyPIClient

from mlmlm.datasets._dataset import DatasetError
from mlmlm.datasets._index_settings import IndexSettings, read_index_settings
from mlmlm.datasets._progress import counted

# The finder logs each index it cannot reach; the error raised here says it once.
logging.getLogger("unearth").addHandler(logging.NullHandler())

_REMEDY = (
    "Check the network and the index that pip is configured with (PIP_INDEX_URL), or name a "
    "folder of Mulan ARFF files in MLMLM_ARFF_DIR."
)


def download_source_archive(requirement: str, sha256: str, progress: bool) -> bytes:
    """The source archive of ``requirement``, if its checksum is right.

    Raises
    ------
    DatasetError
        If no index has it, the network fails, or the checksum is wrong.
    """
    try:
        settings = read_index_settings()
        with _client(settings) as client:
            match = _finder(settings, client).find_best_match(requirement).best
            if match is None:
                raise DatasetError(
                    f"{requirement} was not found: the package index cannot be reached or lacks "
                    f"it. {_REMEDY}"
                )
            content = b"".join(_chunks(client, match.link, requirement, progress))
    except DatasetError:
        raise
    # The client's exceptions share no base but Exception, as do those of wrong settings.
    except Exception as fault:
        raise DatasetError(
            f"{requirement} could not be downloaded ({str(fault) or type(fault).__name__}). "
            f"{_REMEDY}"
        ) from fault
    _check(content, sha256, requirement)
    return content


def _client(settings: IndexSettings) -> PyPIClient:
    certificates = settings.certificates
    return PyPIClient(
        trusted_hosts=settings.trusted_hosts,
        verify=ssl.create_default_context(cafile=certificates) if certificates else True,
        timeout=settings.timeout,
        follow_redirects=True,
    )


def _finder(settings: IndexSettings, client: PyPIClient) -> PackageFinder:
    indexes = [settings.index_url] if settings.index_url else []
    finder = PackageFinder(
        client,  # type: ignore[arg-type]  # its own client does not match its own protocol
        index_urls=indexes,
        trusted_hosts=settings.trusted_hosts,
    )
    if settings.no_index:
        finder.sources.clear()
    else:
        for url in settings.extra_index_urls:
            finder.add_index_url(url)
    client.auth = MultiDomainBasicAuth(
        prompting=False, index_urls=[source["url"] for source in finder.sources]
    )
    for location in settings.find_links:
        finder.add_find_links(location)
    return finder


def _chunks(client: PyPIClient, link: Link, requirement: str, progress: bool) -> Iterator[bytes]:
    with client.get_stream(link.normalized) as response:
        response.raise_for_status()
        total = int(response.headers.get("Content-Length", 0))
        yield from counted(response.iter_bytes(), total, f"Downloading {requirement}", progress)


def _check(content: bytes, sha256: str, requirement: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DatasetError(
            f"{requirement}: the downloaded archive ({len(content)} bytes) has sha256 {found}, not "
            f"{sha256}; it is cut short or not the published one. Try again, or another index."
        )
