"""A client of HTTP and of the WebSocket protocol (RFC 6455), which sends what a browser would never send, too."""
import base64
import hashlib
import json
import os
import socket
import struct
import urllib.parse

CONTINUATION, TEXT, BINARY, CLOSE = 0, 1, 2, 8


class Refused(Exception):
    """The server answered an upgrade with another status."""


class Closed(Exception):
    """The server closed the connection: .code, .reason; code None without a close frame."""

    def __init__(self, code, reason=''):
        super().__init__(code, reason)
        self.code, self.reason = code, reason


def raw_answer(port, data):
    """What the server answers to bytes, up to the end of the connection."""
    with socket.create_connection(('127.0.0.1', port), timeout=30) as connection:
        connection.sendall(data)
        received = b''
        while True:
            try:
                part = connection.recv(65536)
            except ConnectionResetError:
                part = b''
            if not part:
                return received
            received += part


def get(address, path='', method='GET', host=None):
    """(status, headers, body) of one request to a path relative to the address."""
    parts = urllib.parse.urlsplit(urllib.parse.urljoin(address, path))
    request = f'{method} {parts.path} HTTP/1.1\r\nHost: {host or parts.netloc}\r\nConnection: close\r\n\r\n'
    head, _, body = raw_answer(parts.port, request.encode()).partition(b'\r\n\r\n')
    status, *lines = head.decode().split('\r\n')
    return int(status.split()[1]), dict(line.lower().split(': ', 1) for line in lines), body


class WebSocket:
    def __init__(self, address, origin='', host=None, path='session'):
        parts = urllib.parse.urlsplit(urllib.parse.urljoin(address, path))
        self.socket = socket.create_connection(('127.0.0.1', parts.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        origin = f'http://{parts.netloc}' if origin == '' else origin
        lines = [f'GET {parts.path} HTTP/1.1', f'Host: {host or parts.netloc}', 'Upgrade: websocket', 'Connection: Upgrade',
                 f'Sec-WebSocket-Key: {key}', 'Sec-WebSocket-Version: 13']
        if origin is not None:
            lines.append(f'Origin: {origin}')
        self.socket.sendall('\r\n'.join([*lines, '', '']).encode())
        self.file = self.socket.makefile('rb')
        status = self.file.readline().decode()
        headers = {}
        while (line := self.file.readline().decode().strip()):
            name, _, value = line.partition(': ')
            headers[name.lower()] = value
        if ' 101 ' not in status:
            raise Refused(int(status.split()[1]), self.file.read(int(headers.get('content-length', 0))).decode())
        accepted = base64.b64encode(hashlib.sha1((key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest())
        assert headers['sec-websocket-accept'] == accepted.decode()
        self.sequence = 0
        self.events = []

    def send_frame(self, data, kind=TEXT, announced=None):
        """`announced`: a length that is not the data's."""
        size = len(data) if announced is None else announced
        mask = os.urandom(4)
        header = bytes([0x80 | kind])
        if size < 126:
            header += bytes([0x80 | size])
        elif size < 1 << 16:
            header += bytes([0x80 | 126]) + struct.pack('>H', size)
        else:
            header += bytes([0x80 | 127]) + struct.pack('>Q', size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(header + mask + masked)

    def receive(self):
        """The text of the next message, which may come in several frames."""
        text = b''
        while True:
            header = self.file.read(2)
            if len(header) < 2:
                raise Closed(None)
            size = header[1] & 127
            if size == 126:
                size, = struct.unpack('>H', self.file.read(2))
            elif size == 127:
                size, = struct.unpack('>Q', self.file.read(8))
            data = self.file.read(size)
            kind = header[0] & 15
            if kind == CLOSE:
                raise Closed(struct.unpack('>H', data[:2])[0] if data else None, data[2:].decode())
            if kind in (CONTINUATION, TEXT):
                text += data
                if header[0] & 0x80:
                    return text.decode()

    def request(self, command, **arguments):
        self.sequence += 1
        self.send_frame(json.dumps({'seq': self.sequence, 'type': 'request', 'command': command,
                                    'arguments': arguments}).encode())
        return self.sequence

    def ask(self, command, **arguments):
        """The body of a response that has to be a success; events before it are kept."""
        wanted = self.request(command, **arguments)
        while True:
            message = json.loads(self.receive())
            if message['type'] == 'event':
                self.events.append(message)
            elif message['request_seq'] == wanted:
                assert message['success'], message
                return message.get('body', {})

    def event(self, name):
        while True:
            for i, message in enumerate(self.events):
                if message['event'] == name:
                    return self.events.pop(i).get('body', {})
            message = json.loads(self.receive())
            if message['type'] == 'event':
                self.events.append(message)

    def close(self):
        self.file.close()
        self.socket.close()
