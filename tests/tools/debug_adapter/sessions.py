"""How tests start sessions of `nplab debug`, and what they read from them."""
import os
import tempfile
import unittest

from client import Client

PROGRAM = ''  # set by adapter_tests.py
CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), '../../..'))
SOURCE = '''#include <microengine.h>
static u32 square(u32 x) {
  return x * x;
}
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 10; i++) {
    *(__sram u32 *)(0x100 + 4 * i) = square(i);
    sum += square(i);
  }
  console_hex(sum);
  return 0;
}
'''
WRITE_LINE = 8


def launched(*words, stop=True, environment=None):
    client = Client([PROGRAM, 'debug', *words], environment=environment)
    client.ask('initialize', adapterID='nplab')
    client.event('initialized')
    client.ask('launch', stopOnEntry=stop)
    return client


def started(*words, environment=None):
    client = launched(*words, environment=environment)
    client.ask('configurationDone')
    stop = client.event('stopped')
    assert stop['reason'] == 'entry', stop
    return client


def cycle(client):
    return int(client.evaluate('cycle').split()[1])


def scopes(client, thread=1):
    frame = client.ask('stackTrace', threadId=thread)['stackFrames'][0]
    return client.ask('scopes', frameId=frame['id'])['scopes']


def line(client, thread):
    return client.ask('stackTrace', threadId=thread)['stackFrames'][0]['line']


class ProgramSessions(unittest.TestCase):
    """Has a program of its own in a folder of its own."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, 'squares.c')
        with open(self.file, 'w') as out:
            out.write(SOURCE)

    def tearDown(self):
        self.folder.cleanup()
