#!/usr/bin/env python3
"""Sessions of `nplab view`; the classes are in the files beside this one.
usage: view_tests.py PROGRAM [TEST...]"""
import os
import sys
import unittest

import view_process
from page_tests import OfThePage
from transport_tests import OfASession, OfTheCommandLine, OfTheServer

__all__ = ['OfASession', 'OfTheCommandLine', 'OfThePage', 'OfTheServer']

if __name__ == '__main__':
    view_process.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2, warnings='ignore')
