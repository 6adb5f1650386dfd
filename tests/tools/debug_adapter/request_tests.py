"""What is shown of a program; wrong requests, damaged messages and sessions that are cut."""
import json
import os
import random
import signal
import subprocess

import sessions
from client import Client, SocketClient
from sessions import ProgramSessions, cycle, line, scopes, started


class OfRequests(ProgramSessions):
    def test_memory_and_disassembly_are_shown(self):
        client = started(self.file)
        client.move('continue', threadId=1)
        memory = client.ask('readMemory', memoryReference='sram:0x100', offset=6, count=4)
        self.assertEqual(memory['data'], 'AAEAAA==')  # 00 01 | 00 00
        frame = client.ask('stackTrace', threadId=1)['stackFrames'][0]
        words = client.ask('disassemble', memoryReference='0x0', instructionOffset=-2,
                           instructionCount=6)['instructions']
        self.assertEqual(len(words), 6)
        self.assertEqual(words[0]['presentationHint'], 'invalid')
        self.assertTrue(words[2]['address'].startswith('0x'))
        self.assertTrue(frame['instructionPointerReference'].startswith('0x'))
        texts = [w['instruction'] for w in client.ask('disassemble', memoryReference='0x0',
                                                      instructionCount=40)['instructions']]
        self.assertIn('ctx_arb[kill]  ; swap: aborts 1', texts)
        swaps = [text for text in texts if 'ctx_swap, defer[1]' in text]
        self.assertTrue(swaps and all(text.endswith('; swap: aborts 0') for text in swaps), texts)
        plain = [text for text in texts if text.startswith('alu[')]
        self.assertFalse(any(';' in text for text in plain))
        client.end()

    def test_wrong_requests_are_refused_and_harm_nothing(self):
        client = started(self.file)
        for command, arguments, text in [
                ('stackTrace', {'threadId': 99}, 'no thread 99'),
                ('evaluate', {'expression': 'a0 +'}, 'column 5: expected expression'),
                ('evaluate', {'expression': 'nonsense'}, "undeclared identifier 'nonsense'"),
                ('evaluate', {'expression': '1 / 0'}, 'division by zero'),
                ('evaluate', {'expression': 'sram[1]'}, 'no longword'),
                ('evaluate', {'expression': '(' * 5000}, 'at most 2000 characters'),
                ('evaluate', {'expression': 'why-stalled 9.9.9'}, 'is not a thread'),
                ('evaluate', {}, "'expression'"),
                ('variables', {'variablesReference': 100000}, 'no variables 100000'),
                ('scopes', {'frameId': 99}, 'no thread 99'),
                ('evaluate', {'expression': 'cycle +x'}, 'is not a cycle'),
                ('evaluate', {'expression': 'who-holds flash'}, 'is not a lock'),
                ('readMemory', {'memoryReference': 'flash:1', 'count': 4}, 'is not a place'),
                ('disassemble', {'memoryReference': '0xfffff0000', 'instructionCount': 1}, 'no engine'),
                ('source', {'sourceReference': 12}, 'no generated source'),
                ('stepOut', {'threadId': 1}, 'outermost function'),
                ('attach', {}, 'nothing to attach'),
                ('fly', {}, 'not supported'),
                ('launch', {}, 'already')]:
            self.assertIn(text, client.refused(command, **arguments), command)
        self.assertEqual(cycle(client), 0)
        body = client.ask('setBreakpoints', source={'path': '/nowhere.c'}, breakpoints=[{'line': 1}])
        self.assertFalse(body['breakpoints'][0]['verified'])
        self.assertEqual(client.end(), 0)

    def test_damaged_messages_are_ignored(self):
        client = started(self.file)
        rng = random.Random(1)
        for _ in range(50):
            good = json.dumps({'seq': 1, 'type': 'request', 'command': 'threads'}).encode()
            bad = bytearray(good)
            for _ in range(rng.randrange(1, 8)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
            client.write(bytes(bad))
        client.write(b'[1, 2]')
        client.write(b'{"type": "response"}')
        self.assertEqual(client.evaluate('1 + 1'), '0x2 (2)')
        self.assertEqual(client.end(), 0)

    def test_requests_with_any_arguments_harm_nothing(self):
        client = started(self.file)
        hash_at_0 = client.evaluate('hash')
        rng = random.Random(22)
        commands = ['setBreakpoints', 'setFunctionBreakpoints', 'setInstructionBreakpoints', 'setDataBreakpoints',
                    'setExceptionBreakpoints', 'dataBreakpointInfo', 'threads', 'stackTrace', 'scopes', 'variables',
                    'evaluate', 'disassemble', 'readMemory', 'source', 'loadedSources', 'breakpointLocations',
                    'next', 'stepIn', 'stepBack', 'continue', 'reverseContinue', 'pause', 'stepOut', 'launch']
        names = ['threadId', 'frameId', 'variablesReference', 'expression', 'memoryReference', 'offset', 'count',
                 'instructionOffset', 'instructionCount', 'sourceReference', 'source', 'breakpoints', 'filters',
                 'filterOptions', 'granularity', 'line', 'name', 'dataId', 'path']
        words = ['', 'a0', 'sram:0x100', 'queue:', 'rfifo:0x3fc', 'tfifo:0xfffffffc', '0x10000', '1.2', 'cycle', '/x',
                 'who-holds sram:0x100', 'last-write sram:0xfffffffc', 'packet -1', 'cycle 3', 'why-stalled 0.0',
                 'instruction', 'verdict', 'engine_idle', '((((', '\x00', '\ud800'.encode('utf-8', 'replace').decode()]

        def anything(depth=0):
            kind = rng.randrange(9 if depth < 3 else 6)
            if kind < 2:
                return rng.choice([0, 1, 2, -1, 7, 1 << 16, (1 << 31) - 1, 1 << 31, 1 << 40, -(1 << 63), 1.5])
            if kind < 5:
                return rng.choice(words)
            if kind == 5:
                return rng.choice([None, True, False])
            if kind == 6:
                return [anything(depth + 1) for _ in range(rng.randrange(4))]
            return {rng.choice(names): anything(depth + 1) for _ in range(rng.randrange(5))}

        for _ in range(int(os.environ.get('NPLAB_FUZZED_REQUESTS', 600))):
            arguments = {rng.choice(names): anything() for _ in range(rng.randrange(6))}
            client.response(client.send(rng.choice(commands), **arguments))
        client.ask('pause', threadId=1)
        for command, key in [('setFunctionBreakpoints', 'breakpoints'), ('setInstructionBreakpoints', 'breakpoints'),
                             ('setDataBreakpoints', 'breakpoints'), ('setExceptionBreakpoints', 'filters')]:
            client.ask(command, **{key: []})
        client.evaluate('cycle 0')
        self.assertEqual(client.evaluate('hash'), hash_at_0)
        self.assertEqual(client.end(), 0)

    def test_a_port_serves_one_client_and_sessions_do_not_meet(self):
        process = subprocess.Popen([sessions.PROGRAM, 'debug', self.file, '--port', '0'], stderr=subprocess.PIPE)
        port = int(process.stderr.readline().decode().rsplit(':', 1)[1])
        first = SocketClient(port)
        first.ask('initialize', adapterID='nplab')
        with self.assertRaises(ConnectionError):
            SocketClient(port)
        first.ask('launch')
        first.ask('configurationDone')
        first.event('stopped')
        other = started(self.file)
        first.move('next', threadId=1)
        self.assertGreater(cycle(first), 0)
        self.assertEqual(cycle(other), 0)
        first.end()
        self.assertEqual(process.wait(timeout=60), 0)
        process.stderr.close()
        self.assertEqual(other.move('continue', threadId=1)['reason'], 'end')
        other.end()

    def test_a_session_that_is_cut_leaves_no_process(self):
        client = started(self.file)
        client.move('next', threadId=1)
        client.process.stdin.close()
        self.assertEqual(client.process.wait(timeout=60), 0)
        left = subprocess.run(['pgrep', '-f', self.file], stdout=subprocess.PIPE).stdout.split()
        self.assertEqual(left, [])

    def test_a_simulation_that_is_killed_is_said(self):
        client = started(self.file)
        for process in subprocess.run(['pgrep', '-f', self.file], stdout=subprocess.PIPE).stdout.split():
            if int(process) != client.process.pid:
                os.kill(int(process), signal.SIGKILL)
        client.ask('setExceptionBreakpoints', filters=[])
        response = client.response(client.send('threads'))
        if response['success']:  # noticed by the first request that needs the process
            self.assertEqual(response['body']['threads'], [])
        self.assertIn('ended unexpectedly', client.refused('threads'))
        self.assertEqual(client.end(), 0)

    def test_a_fault_is_where_the_run_ends(self):
        with open(self.file, 'w') as out:
            out.write('#include <microengine.h>\nint main(void) {\n  abort();\n  return 0;\n}\n')
        client = started(self.file)
        stop = client.move('continue', threadId=1)
        self.assertEqual(stop['reason'], 'end')
        self.assertIn('squares.c:3', stop['text'])
        client.end()

    def test_what_cannot_be_prepared_is_said_and_the_status_is_2(self):
        with open(self.file, 'w') as out:
            out.write('int main(void) { return x; }\n')
        for word, text in [(self.file, 'squares.c:1:25: error'), ('bv9', 'bv9: error')]:
            client = Client([sessions.PROGRAM, 'debug', word])
            client.ask('initialize', adapterID='nplab')
            self.assertIn(text, client.refused('launch'))
            self.assertIn('needs a launch', client.refused('threads'))
            self.assertEqual(client.end(), 2)
