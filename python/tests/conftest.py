"""The program under test is the one that $NPLAB names, or the checkout's."""

from __future__ import annotations

import os

import pytest

import nplab

os.environ.setdefault("NPLAB_CACHE", "off")


@pytest.fixture(scope="session")
def program() -> str:
    return nplab.Program.find().path
