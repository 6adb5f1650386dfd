"""The client against the adapter of LLVM."""
import os
import subprocess
import tempfile
import unittest

from client import Client
from sessions import line


class OfAnotherAdapter(unittest.TestCase):
    """The client is one of the standard's: it drives LLVM's adapter, too."""

    def test_lldb_dap(self):
        adapter = '/usr/bin/lldb-dap-19'
        if not os.path.exists(adapter):
            self.skipTest('lldb-dap-19 is not installed')
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, 'a.c'), os.path.join(folder, 'a')
            with open(source, 'w') as out:
                out.write('int twice(int x) {\n  return 2 * x;\n}\nint main(void) {\n  return twice(4) - 8;\n}\n')
            subprocess.run(['cc', '-g', '-O0', source, '-o', program], check=True)
            client = Client([adapter])
            client.ask('initialize', adapterID='lldb', pathFormat='path', linesStartAt1=True)
            launch = client.send('launch', program=program, disableASLR=False)
            client.event('initialized')
            client.ask('setBreakpoints', source={'path': source}, breakpoints=[{'line': 2}])
            done = client.send('configurationDone')
            client.response(done)
            stop = client.event('stopped')
            self.assertEqual(stop['reason'], 'breakpoint')
            self.assertEqual(line(client, stop['threadId']), 2)
            del launch
            client.end()
