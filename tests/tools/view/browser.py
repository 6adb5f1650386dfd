"""A page in headless Chromium, driven by the DevTools protocol over a pipe."""
import base64
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time


def browser_program():
    """None when none is installed (tests/packages.txt)."""
    return next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)


class Browser:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (their_in, self.out), (self.input, their_out) = os.pipe(), os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        shell = f'exec "$@" 3<&{their_in} 4>&{their_out}'
        self.process = subprocess.Popen(
            ['bash', '-c', shell, 'browser', program, '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
             '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage',
             '--user-data-dir=' + self.profile.name, '--remote-debugging-pipe', 'about:blank'],
            pass_fds=(their_in, their_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(their_in)
        os.close(their_out)
        self.sequence = 0
        self.messages = queue.Queue()
        self.events = []
        threading.Thread(target=self._read, daemon=True).start()
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.page(f'{domain}.enable')

    def _read(self):
        rest = b''
        while (part := os.read(self.input, 1 << 20)):
            *messages, rest = (rest + part).split(b'\0')
            for message in messages:
                self.messages.put(json.loads(message))

    def call(self, method, session=None, **parameters):
        self.sequence += 1
        message = {'id': self.sequence, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.out, data):]
        wanted = self.sequence
        while True:
            answer = self.messages.get(timeout=120)
            if answer.get('id') == wanted:
                assert 'error' not in answer, (method, answer['error'])
                return answer['result']
            if 'method' in answer:
                self.events.append(answer)

    def page(self, method, **parameters):
        return self.call(method, session=self.session, **parameters)

    def size(self, width, height, dark=False):
        self.page('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.page('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def open(self, address):
        self.page('Page.navigate', url=address)

    def run(self, script):
        """The value of an expression, awaited."""
        answer = self.page('Runtime.evaluate', expression=script, awaitPromise=True, returnByValue=True)
        assert 'exceptionDetails' not in answer, (script, answer['exceptionDetails'])
        return answer['result'].get('value')

    def wait(self, script, seconds=60):
        """Until the expression is true: its value. While the page is being loaded it may fail."""
        end = time.monotonic() + seconds
        while not (value := self.run(f'(() => {{ try {{ return {script}; }} catch {{ return null; }} }})()')):
            assert time.monotonic() < end, (script, self.run('document.body.innerText'), self.problems())
            time.sleep(0.05)
        return value

    def press(self, key, text=None, shift=False):
        codes = {'Tab': 9, 'Enter': 13, 'F6': 117, 'F8': 119, 'F9': 120, 'F10': 121, 'ArrowDown': 40, 'End': 35, ' ': 32}
        common = {'key': key, 'windowsVirtualKeyCode': codes.get(key, 0), 'modifiers': 8 if shift else 0}
        text = {'Enter': '\r', ' ': ' '}.get(key, text)
        self.page('Input.dispatchKeyEvent', type='keyDown', **common, **({'text': text} if text else {}))
        self.page('Input.dispatchKeyEvent', type='keyUp', **common)

    def type(self, text):
        self.page('Input.insertText', text=text)

    def problems(self):
        """Exceptions, errors on the console and requests to anywhere but 127.0.0.1."""
        self.run('1')
        found = []
        for event in self.events:
            method, parameters = event['method'], event['params']
            if method == 'Runtime.exceptionThrown':
                found.append(parameters['exceptionDetails'])
            elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning'):
                found.append(parameters['args'])
            elif method == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
                found.append(parameters['entry'])
            elif method == 'Network.requestWillBeSent':
                address = parameters['request']['url']
                if not address.startswith(('http://127.0.0.1:', 'data:', 'about:')):
                    found.append(address)
        return found

    def screenshot(self, file, full=True):
        data = self.page('Page.captureScreenshot', format='png', captureBeyondViewport=full)['data']
        with open(file, 'wb') as out:
            out.write(base64.b64decode(data))

    def close(self):
        os.close(self.out)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()
