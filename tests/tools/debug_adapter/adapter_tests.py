#!/usr/bin/env python3
"""Sessions of `nplab debug` by a client of the protocol; the classes are in the files beside this one.
usage: adapter_tests.py PROGRAM [TEST...]"""
import os
import sys
import unittest

import sessions
from change_tests import OfChanges
from long_tests import OfALongSession
from mapping_tests import OfAMapping
from motion_tests import OfAProgram
from other_adapter_tests import OfAnotherAdapter
from page_request_tests import OfMotionsWithALimit, OfTheChip
from request_tests import OfRequests
from stack_tests import OfStacks
from variable_tests import OfVariables

__all__ = ['OfALongSession', 'OfAMapping', 'OfAProgram', 'OfAnotherAdapter', 'OfChanges', 'OfMotionsWithALimit',
           'OfRequests', 'OfStacks', 'OfTheChip', 'OfVariables']

if __name__ == '__main__':
    sessions.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2, warnings='ignore')
