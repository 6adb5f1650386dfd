"""A client of the Debug Adapter Protocol without an editor, for any adapter on standard input and output."""
import json
import os
import subprocess
import threading
import queue
import socket


class AdapterGone(Exception):
    pass


class Client:
    def __init__(self, command, timeout=120, environment=None):
        self.timeout = timeout
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.input, self.output = self.process.stdin, self.process.stdout
        self._start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _start(self):
        self.sequence = 0
        self.messages = queue.Queue()
        self.events = []
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.output
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                if line.lower().startswith(b'content-length:'):
                    length = int(line.split(b':')[1])
            self.messages.put(json.loads(stream.read(length)))

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode(errors='replace'))

    def _next(self):
        message = self.messages.get(timeout=self.timeout)
        if message is None:
            raise AdapterGone(''.join(self.errors))
        return message

    def write(self, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.input.write(b'Content-Length: %d\r\n\r\n' % len(data) + data)
        self.input.flush()

    def send(self, command, **arguments):
        self.sequence += 1
        self.write({'seq': self.sequence, 'type': 'request', 'command': command, 'arguments': arguments})
        return self.sequence

    def response(self, sequence):
        """The response to a request; events before it are kept."""
        while True:
            message = self._next()
            if message['type'] == 'response' and message['request_seq'] == sequence:
                return message
            if message['type'] == 'event':
                self.events.append(message)

    def ask(self, command, **arguments):
        """The body of a response that has to be a success."""
        response = self.response(self.send(command, **arguments))
        assert response['success'], (command, arguments, response)
        return response.get('body', {})

    def refused(self, command, **arguments):
        """The message of a response that has to be a failure."""
        response = self.response(self.send(command, **arguments))
        assert not response['success'], (command, arguments, response)
        return response['message']

    def event(self, name):
        """The next event of this name."""
        while True:
            for i, message in enumerate(self.events):
                if message['event'] == name:
                    del self.events[i]
                    return message.get('body', {})
            message = self._next()
            if message['type'] == 'event':
                self.events.append(message)

    def move(self, command, **arguments):
        """A request after which the run stops: the stop."""
        self.ask(command, **arguments)
        return self.event('stopped')

    def evaluate(self, expression, **arguments):
        return self.ask('evaluate', expression=expression, context='repl', **arguments)['result']

    def end(self):
        """The adapter's exit status."""
        try:
            self.send('disconnect')
        except BrokenPipeError:
            pass
        self.process.stdin.close()
        return self.process.wait(timeout=self.timeout)

    def __del__(self):
        self.process.kill()


class SocketClient(Client):
    """Of an adapter that listens at a port of this machine."""

    def __init__(self, port, timeout=120):
        self.timeout = timeout
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.input, self.output = self.socket.makefile('wb'), self.socket.makefile('rb')
        self._start()

    def end(self):
        self.send('disconnect')
        self.event('terminated')
        self.socket.close()

    def __del__(self):
        pass
