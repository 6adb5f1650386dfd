"""The program under test is the one that $NPLAB names, or the checkout's."""

from __future__ import annotations

import pytest

import nplab


@pytest.fixture(scope="session")
def program() -> str:
    return nplab.Program.find().path
