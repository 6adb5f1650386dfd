"""What nplab view serves and refuses, without a browser."""
import json
import os
import re
import signal
import socket
import subprocess
import time
import unittest

import view_process
from view_process import View
from web_socket import BINARY, Closed, Refused, WebSocket, get, raw_answer

PROGRAM_TEXT = '''#include <microengine.h>
int main(void) {
  for (u32 i = 0; i < 100000000; i++)
    *(volatile __sram u32 *)0x100 = i;
  return 0;
}
'''


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'it does not come about'
        time.sleep(0.05)


def connected_again(view):
    """A page that comes after another: the server may not have seen yet that that one is gone."""
    pages = []

    def is_served():
        pages.append(WebSocket(view.address))
        try:
            return pages[-1].ask('threads')
        except Closed as closed:
            assert closed.code == 4000, closed
            pages.pop().close()
            return False
    wait_for(is_served)
    return pages[-1]


class OfTheServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.view = View('ls', '--packets', '40')

    @classmethod
    def tearDownClass(cls):
        cls.view.__exit__()

    def setUp(self):
        self.address, self.port = self.view.address, self.view.port
        self.netloc = f'127.0.0.1:{self.port}'

    def test_the_page_and_its_files_are_served_at_an_address_with_a_secret(self):
        self.assertRegex(self.address, r'^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$')
        status, headers, body = get(self.address)
        self.assertEqual((status, headers['content-type']), (200, 'text/html; charset=utf-8'))
        self.assertIn("default-src 'none'", headers['content-security-policy'])
        self.assertEqual((headers['referrer-policy'], headers['cache-control']), ('no-referrer', 'no-store'))
        text = body.decode()
        self.assertNotRegex(text, r'(src|href)="(https?:)?//')
        names = re.findall(r'(?:src|href)="([\w.]+)"', text)
        self.assertEqual(names, ['view.css', 'main.js'])
        while names:
            status, headers, body = get(self.address, names.pop())
            self.assertEqual(status, 200)
            self.assertRegex(headers['content-type'], 'text/(css|javascript); charset=utf-8')
            names += re.findall(r"from '\./([\w.]+)'", body.decode())

    def test_a_missing_or_wrong_secret_is_refused(self):
        secret = self.address.split('/')[3]
        for path in ('/', '/session', '/' + '0' * 32 + '/', '/' + secret[:-1] + '/', '/' + secret, '/view.css',
                     '/' + '0' * 32 + '/session'):
            self.assertEqual(get(self.address, path)[0], 403, path)
        with self.assertRaises(Refused) as refused:
            WebSocket(self.address, path='/' + '0' * 32 + '/session')
        self.assertEqual(refused.exception.args[0], 403)

    def test_another_file_or_method_is_refused(self):
        self.assertEqual(get(self.address, 'main.css')[0], 404)
        self.assertEqual(get(self.address, '../../etc/passwd')[0], 403)
        self.assertEqual(get(self.address, method='POST')[0], 405)
        self.assertEqual(get(self.address, 'session')[0], 426)
        status, headers, body = get(self.address, method='HEAD')
        self.assertEqual((status, body), (200, b''))
        self.assertGreater(int(headers['content-length']), 1000)

    def test_a_request_by_another_host_name_is_refused(self):
        for host in ('evil.example', f'evil.example:{self.port}', '127.0.0.1', f'127.0.0.1.evil.example:{self.port}',
                     f'127.0.0.1:{self.port + 1}', f'[::1]:{self.port}'):
            self.assertEqual(get(self.address, host=host)[0], 403, host)
            with self.assertRaises(Refused) as refused:
                WebSocket(self.address, host=host)
            self.assertEqual(refused.exception.args[0], 403, host)
        self.assertEqual(get(self.address, host=f'localhost:{self.port}')[0], 200)

    def test_only_the_page_itself_may_open_the_web_socket(self):
        for origin in (None, 'null', 'http://evil.example', f'https://{self.netloc}', f'http://127.0.0.1:{self.port + 1}',
                       f'http://{self.netloc}.evil.example', f'http://{self.netloc}/'):
            with self.assertRaises(Refused) as refused:
                WebSocket(self.address, origin=origin)
            self.assertEqual(refused.exception.args[0], 403, origin)

    def test_an_upgrade_of_another_path_is_not_a_way_around_the_check_of_the_origin(self):
        with self.assertRaises(Refused):
            WebSocket(self.address, origin='http://evil.example', path='')

    def test_only_this_machine_s_loopback_address_listens(self):
        with self.assertRaises(OSError):
            socket.create_connection(('127.0.0.2', self.port), timeout=5)

    def test_what_is_not_http_ends_its_connection_alone(self):
        self.assertEqual(raw_answer(self.port, b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' * 20), b'')
        self.assertEqual(raw_answer(self.port, b'GET / HTTP/1.1\r\nHost: x\r\nA: ' + b'b' * 100000), b'')
        self.assertEqual(raw_answer(self.port, b'Content-Length: 3\r\n\r\n{}}\r\n\r\n'), b'')
        self.assertEqual(get(self.address)[0], 200)


class OfASession(unittest.TestCase):
    def test_messages_of_the_debugger_s_protocol_go_both_ways(self):
        with View('bv1', '--packets', '60') as view:
            page = WebSocket(view.address)
            self.assertEqual(len(page.ask('threads')['threads']), 24)
            chip = page.ask('nplab/chip')
            self.assertEqual((chip['target'], chip['cycle']), ('bv1', 0))
            page.ask('continue', threadId=1, cycles=1000)
            self.assertEqual(page.event('stopped')['reason'], 'step')
            self.assertEqual(page.ask('nplab/chip')['cycle'], 1000)
            page.send_frame(b'what is this')
            self.assertIn('not a JSON object', page.event('output')['output'])
            page.send_frame(b'[1, 2]', BINARY)
            self.assertIn('not a JSON object', page.event('output')['output'])
            page.ask('reverseContinue', threadId=1)
            self.assertEqual(page.event('stopped')['reason'], 'begin')

    def test_the_page_s_wish_ends_the_session_and_the_command(self):
        with View('ls', '--packets', '40') as view:
            page = WebSocket(view.address)
            page.ask('disconnect')
            page.event('terminated')
            with self.assertRaises(Closed) as closed:
                page.receive()
            self.assertEqual((closed.exception.code, closed.exception.reason), (1001, 'the session has ended'))
            page.close()
            self.assertEqual(view.end()[0], 0)
            wait_for(lambda: not view.processes())

    def test_ctrl_c_ends_it_and_tells_the_page(self):
        for with_page in (False, True):
            with View('ls', '--packets', '40') as view:
                page = WebSocket(view.address) if with_page else None
                if page:
                    page.ask('threads')
                os.killpg(view.process.pid, signal.SIGINT)
                if page:
                    with self.assertRaises(Closed) as closed:
                        page.receive()
                    self.assertEqual(closed.exception.code, 1001)
                    page.close()
                self.assertEqual(view.end()[0], 0)
                wait_for(lambda: not view.processes())

    def test_it_ends_when_the_page_is_closed_and_none_comes_back(self):
        with View('ls', '--packets', '40') as view:
            page = WebSocket(view.address)
            page.ask('threads')
            page.close()
            status, errors = view.end()
            self.assertEqual(status, 0)
            self.assertIn('the page was closed', errors)
            wait_for(lambda: not view.processes())

    def test_a_page_that_is_loaded_again_finds_the_run_where_it_was(self):
        with View('bv1', '--packets', '60') as view:
            page = WebSocket(view.address)
            page.ask('evaluate', expression='cycle 1234')
            page.close()
            again = connected_again(view)
            self.assertEqual(again.ask('nplab/chip')['cycle'], 1234)
            time.sleep(4)  # longer than it waits for a page
            self.assertEqual(again.ask('nplab/chip')['cycle'], 1234)

    def test_a_page_that_goes_in_the_middle_of_a_motion_stops_it(self):
        file = os.path.join(os.environ.get('TMPDIR', '/tmp'), f'nplab-view-{os.getpid()}.c')
        with open(file, 'w') as out:
            out.write(PROGRAM_TEXT)
        try:
            with View(file) as view:
                page = WebSocket(view.address)
                page.ask('continue', threadId=1)
                page.socket.shutdown(socket.SHUT_RDWR)
                page.close()
                again = connected_again(view)
                chip = again.ask('nplab/chip')
                self.assertEqual((chip['running'], chip['over']), (False, False))
                again.ask('continue', threadId=1)
                again.ask('pause', threadId=1)
                self.assertEqual(again.event('stopped')['reason'], 'pause')
        finally:
            os.unlink(file)

    def test_a_second_page_is_told_and_the_first_goes_on(self):
        with View('ls', '--packets', '40') as view:
            page = WebSocket(view.address)
            page.ask('threads')
            second = WebSocket(view.address)
            with self.assertRaises(Closed) as closed:
                second.receive()
            self.assertEqual((closed.exception.code, closed.exception.reason), (4000, 'another page shows this run'))
            second.close()
            self.assertEqual(len(page.ask('threads')['threads']), 24)

    def test_a_message_that_is_too_long_ends_the_connection_not_the_run(self):
        with View('ls', '--packets', '40') as view:
            for announced in ((1 << 20) + 1, 1 << 40):
                page = connected_again(view)
                page.send_frame(b'', announced=announced)
                with self.assertRaises(Closed) as closed:
                    page.receive()
                self.assertEqual(closed.exception.code, 1009)
                page.close()
            self.assertEqual(connected_again(view).ask('nplab/chip')['cycle'], 0)

    def test_a_long_message_within_the_limit_is_taken(self):
        with View('ls', '--packets', '40') as view:
            page = WebSocket(view.address)
            text = json.dumps({'seq': 1, 'type': 'request', 'command': 'evaluate',
                               'arguments': {'expression': '1' + '+1' * 400000}}).encode()
            page.send_frame(text)
            self.assertEqual(json.loads(page.receive())['type'], 'response')

    def test_a_debugger_that_dies_is_reported(self):
        with View('ls', '--packets', '40') as view:
            page = WebSocket(view.address)
            page.ask('threads')
            children = subprocess.run(['pgrep', '-P', str(view.process.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
            self.assertEqual(len(children), 1)
            os.kill(int(children[0]), signal.SIGKILL)
            status, errors = view.end()
            self.assertEqual(status, 3)
            self.assertIn('the process of the debugger was killed by signal 9', errors)


class OfTheCommandLine(unittest.TestCase):
    def view(self, *words):
        return subprocess.run([view_process.PROGRAM, 'view', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=60)

    def test_a_port_that_is_taken_is_an_error(self):
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = self.view('ls', '--port', str(port))
            self.assertEqual((result.returncode, result.stdout), (2, ''))
            self.assertIn(f'--port {port}: error: the port cannot be opened: Address already in use; '
                          '--port 0 takes any free one', result.stderr)

    def test_a_port_of_one_s_own_is_taken(self):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        with View('ls', '--packets', '40', '--port', str(port)) as view:
            self.assertEqual(view.port, port)

    def test_a_wrong_mapping_or_option_is_an_error_before_anything_is_served(self):
        for words, message in ((['no-such-mapping'], 'no-such-mapping'), ([], 'MAPPING|FILE'),
                               (['ls', '--port', '70000'], '--port'), (['missing.c'], 'missing.c')):
            result = self.view(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ''), words)
            self.assertIn(message, result.stderr)
