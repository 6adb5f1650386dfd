#!/usr/bin/env python3
"""Sessions of `nplab debug` by a client of the protocol.
usage: adapter_tests.py PROGRAM [TEST...]"""
import base64
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from client import Client, SocketClient

PROGRAM = ''
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


class OfAProgram(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, 'squares.c')
        with open(self.file, 'w') as out:
            out.write(SOURCE)

    def tearDown(self):
        self.folder.cleanup()

    def test_a_breakpoint_stops_at_each_execution_forwards_and_backwards(self):
        client = started(self.file)
        body = client.ask('setBreakpoints', source={'path': self.file},
                          breakpoints=[{'line': WRITE_LINE}])
        self.assertTrue(body['breakpoints'][0]['verified'])
        at = body['breakpoints'][0]['line']
        cycles = []
        while True:
            stop = client.move('continue', threadId=1)
            if stop['reason'] == 'end':
                break
            self.assertEqual(line(client, 1), at)
            cycles.append(cycle(client))
        self.assertGreaterEqual(len(cycles), 10)
        self.assertEqual(cycles, sorted(set(cycles)))
        back = []
        while client.move('reverseContinue', threadId=1)['reason'] != 'begin':
            back.append(cycle(client))
        self.assertEqual(back, cycles[::-1])
        self.assertEqual(client.end(), 0)

    def test_the_ends_of_time_end_no_session(self):
        client = started(self.file)
        stop = client.move('continue', threadId=1)
        self.assertEqual(stop['reason'], 'end')
        self.assertIn('all threads have ended', stop['text'])
        self.assertEqual(client.event('output')['category'], 'stdout')
        at_end = cycle(client)
        self.assertEqual(client.move('next', threadId=1)['reason'], 'end')
        self.assertEqual(cycle(client), at_end)
        self.assertEqual(client.move('reverseContinue', threadId=1)['reason'], 'begin')
        self.assertEqual(client.move('stepBack', threadId=1)['reason'], 'begin')
        self.assertEqual(cycle(client), 0)
        client.end()

    def test_console_output_comes_once_and_not_before_its_cycle(self):
        with open(self.file, 'w') as out:
            out.write('#include <microengine.h>\nint main(void) {\n  for (u32 i = 0; i < 40; i++) {\n'
                      '    for (u32 k = 0; k < 300; k++)\n      *(volatile __sram u32 *)0x100 = k;\n'
                      '    *(volatile __sram u32 *)0x104 = i;\n    console_hex(i);\n  }\n  return 0;\n}\n')
        plain = subprocess.run([PROGRAM, 'exec', self.file], stdout=subprocess.PIPE).stdout.decode()
        wanted = [text for text in plain.splitlines() if text.startswith('0x')]
        self.assertEqual(len(wanted), 40)
        client = started(self.file)
        body = client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': 6}])
        line_of_breakpoint = body['breakpoints'][0]['line']
        self.assertEqual(line_of_breakpoint, 6)
        printed = []

        def take():
            for event in [e for e in client.events if e['event'] == 'output']:
                client.events.remove(event)
                if event['body']['category'] == 'stdout':
                    printed.extend(event['body']['output'].split())

        for round_number in range(10):
            self.assertEqual(client.move('continue', threadId=1)['reason'], 'breakpoint')
            take()
            self.assertEqual(printed, wanted[:len(printed)])
            self.assertLessEqual(len(printed), round_number + 1)
            if round_number == 5:
                client.move('reverseContinue', threadId=1)
                client.move('continue', threadId=1)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[])
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'end')
        take()
        self.assertEqual(printed, wanted)
        client.end()

    def test_a_step_back_undoes_a_step(self):
        client = started(self.file)
        for granularity in ['instruction', 'statement']:
            client.evaluate('cycle 0')
            client.event('stopped')
            ways = [(cycle(client), client.evaluate('hash'))]
            for _ in range(30):
                stop = client.move('stepIn', threadId=1, granularity=granularity)
                if stop['reason'] == 'end':
                    break
                ways.append((cycle(client), client.evaluate('hash')))
            self.assertGreater(len(ways), 10)
            for way in ways[-2:0:-1]:
                client.move('stepBack', threadId=1, granularity=granularity)
                self.assertEqual((cycle(client), client.evaluate('hash')), way)
        client.end()

    def test_a_cycle_of_the_chip_is_a_step_in_both_directions(self):
        client = started(self.file)
        hashes = [client.evaluate('hash')]
        for number in range(1, 12):
            self.assertEqual(client.move('next', threadId=1, granularity='cycle')['reason'], 'step')
            self.assertEqual(cycle(client), number)
            hashes.append(client.evaluate('hash'))
        self.assertEqual(len(set(hashes)), 12)
        for number in range(10, -1, -1):
            client.move('stepBack', threadId=1, granularity='cycle')
            self.assertEqual((cycle(client), client.evaluate('hash')), (number, hashes[number]))
        self.assertEqual(client.move('stepBack', threadId=1, granularity='cycle')['reason'], 'begin')
        client.evaluate('cycle +7')
        client.event('stopped')
        client.evaluate('cycle -2')
        client.event('stopped')
        self.assertEqual((cycle(client), client.evaluate('hash')), (5, hashes[5]))
        client.evaluate('cycle -9')
        client.event('stopped')
        self.assertEqual(cycle(client), 0)
        client.move('continue', threadId=1)
        self.assertEqual(client.move('next', threadId=1, granularity='cycle')['reason'], 'end')
        client.end()

    def test_all_breakpoints_of_a_word_are_named(self):
        client = started(self.file)
        word = client.ask('disassemble', memoryReference='0x4', instructionCount=1)['instructions'][0]
        body = client.ask('setInstructionBreakpoints', breakpoints=[
            {'instructionReference': word['address']}, {'instructionReference': word['address']}])
        ids = [b['id'] for b in body['breakpoints']]
        self.assertEqual(sorted(client.move('continue', threadId=1)['hitBreakpointIds']), sorted(ids))
        client.end()

    def test_a_hit_has_the_same_count_in_both_directions(self):
        client = started(self.file)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': WRITE_LINE}])
        every = []
        while client.move('continue', threadId=1)['reason'] != 'end':
            every.append(cycle(client))
        client.evaluate('cycle 0')
        client.event('stopped')
        client.ask('setBreakpoints', source={'path': self.file},
                   breakpoints=[{'line': WRITE_LINE, 'hitCondition': '3'}])
        thirds = []
        while client.move('continue', threadId=1)['reason'] != 'end':
            thirds.append(cycle(client))
        self.assertEqual(thirds, every[2::3])
        back = []
        while client.move('reverseContinue', threadId=1)['reason'] != 'begin':
            back.append(cycle(client))
        self.assertEqual(back, thirds[::-1])
        client.move('continue', threadId=1)
        self.assertEqual(cycle(client), thirds[0])
        client.end()

    def test_an_engine_that_idles_is_stopped_at(self):
        client = started(self.file)
        body = client.ask('setExceptionBreakpoints', filters=[], filterOptions=[
            {'filterId': 'engine_idle', 'condition': '0 6'}, {'filterId': 'engine_idle', 'condition': '5 6'},
            {'filterId': 'engine_idle', 'condition': 'six'}])
        self.assertEqual([b['verified'] for b in body['breakpoints']], [True, False, False])
        stop = client.move('continue', threadId=1)
        self.assertEqual(stop['text'], 'engine 0 has idled for 7 cycles')
        stops = [cycle(client)]
        # The only thread waits for each of the writes: the engine idled in the seven cycles before.
        self.assertRegex(client.evaluate('why-stalled 0.0'), 'waits for sram')
        while client.move('continue', threadId=1)['reason'] != 'end':
            stops.append(cycle(client))
        self.assertEqual(len(stops), 10)
        back = []
        while client.move('reverseContinue', threadId=1)['reason'] != 'begin':
            back.append(cycle(client))
        self.assertEqual(back, stops[::-1])
        client.end()

    def test_who_holds_a_lock_is_found(self):
        with open(self.file, 'w') as out:
            out.write('#include <microengine.h>\nint main(void) {\n'
                      '  sram_test_and_set((__sram void *)0x200, 4);\n'
                      '  sram_test_and_set((__sram void *)0x200, 1);\n'
                      '  sram_test_and_set((__sram void *)0x200, 5);\n'
                      '  sram_read_lock((__sram void *)0x300);\n'
                      '  sram_clear_bits((__sram void *)0x200, 4);\n'
                      '  return 0;\n}\n')
        client = started(self.file)
        self.assertEqual(client.evaluate('who-holds sram:0x200'), 'nobody holds sram:0x200')
        client.move('continue', threadId=1)
        at_end = cycle(client), client.evaluate('hash')
        held = client.evaluate('who-holds sram:0x200')
        self.assertRegex(held, r'^sram:0x200 bits 0x1: thread 0\.0 since cycle \d+, .*squares\.c:4$')
        self.assertRegex(client.evaluate('who-holds sram:0x300'),
                         r'^sram:0x300 in the lock CAM: thread 0\.0 since cycle \d+, .*squares\.c:6$')
        self.assertEqual((cycle(client), client.evaluate('hash')), at_end)
        client.evaluate('cycle ' + held.split('cycle ')[1].split(',')[0])
        client.event('stopped')
        self.assertRegex(client.evaluate('who-holds sram:0x200'), r'bits 0x1: .*:4; .*bits 0x4: .*:3$')
        client.end()

    def test_the_last_write_of_a_longword_is_found(self):
        client = started(self.file)
        client.move('continue', threadId=1)
        self.assertEqual(client.evaluate('sram[0x110]'), '0x10 (16)')
        answer = client.evaluate('last-write sram:0x110')
        client.event('stopped')
        self.assertRegex(answer, r'^cycle \d+: sram_write .* has written 0x110, .*squares\.c:\d+')
        self.assertEqual(client.evaluate('sram[0x110]'), '0x10 (16)')
        at = cycle(client)
        client.evaluate(f'cycle {at - 1}')
        client.event('stopped')
        self.assertNotEqual(client.evaluate('sram[0x110]'), '0x10 (16)')
        client.end()

    def test_conditions_and_data_breakpoints_and_log_points(self):
        client = started(self.file)
        info = client.ask('dataBreakpointInfo', name='sram:0x114')
        client.ask('setDataBreakpoints', breakpoints=[
            {'dataId': info['dataId'], 'accessType': 'write', 'condition': 'sram[0x114] == 25'}])
        stop = client.move('continue', threadId=1)
        self.assertEqual(stop['reason'], 'data breakpoint')
        self.assertEqual(client.evaluate('sram[0x114] + 1'), '0x1a (26)')
        client.ask('setDataBreakpoints', breakpoints=[])
        client.ask('setBreakpoints', source={'path': self.file},
                   breakpoints=[{'line': WRITE_LINE, 'logMessage': 'sram has {sram[0x100]}'}])
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'end')
        texts = [e['body']['output'] for e in client.events if e['event'] == 'output']
        self.assertTrue(any('sram has 0x0' in text for text in texts), texts)
        client.end()

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
                ('evaluate', {'expression': 'a0 +'}, 'is missing'),
                ('evaluate', {'expression': 'nonsense'}, 'is not a register'),
                ('evaluate', {'expression': '1 / 0'}, 'division by zero'),
                ('evaluate', {'expression': 'sram[1]'}, 'no longword'),
                ('evaluate', {'expression': '(' * 5000}, 'nested'),
                ('evaluate', {'expression': 'why-stalled 9.9.9'}, 'is not a thread'),
                ('evaluate', {}, "'expression'"),
                ('variables', {'variablesReference': 100000}, 'no variables 100000'),
                ('scopes', {'frameId': 99}, 'no thread 99'),
                ('evaluate', {'expression': 'cycle +x'}, 'is not a cycle'),
                ('evaluate', {'expression': 'who-holds flash'}, 'is not a lock'),
                ('readMemory', {'memoryReference': 'flash:1', 'count': 4}, 'is not a place'),
                ('disassemble', {'memoryReference': '0xfffff0000', 'instructionCount': 1}, 'no engine'),
                ('source', {'sourceReference': 12}, 'no generated source'),
                ('stepOut', {'threadId': 1}, 'inlined'),
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
        process = subprocess.Popen([PROGRAM, 'debug', self.file, '--port', '0'], stderr=subprocess.PIPE)
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
            client = Client([PROGRAM, 'debug', word])
            client.ask('initialize', adapterID='nplab')
            self.assertIn(text, client.refused('launch'))
            self.assertIn('needs a launch', client.refused('threads'))
            self.assertEqual(client.end(), 2)


class OfAMapping(unittest.TestCase):
    OPTIONS = ['bv1', '--packets', '60']

    def test_threads_queues_and_generated_sources_are_shown(self):
        client = started(*self.OPTIONS)
        client.evaluate('cycle 20000')
        client.event('stopped')
        threads = client.ask('threads')['threads']
        self.assertEqual(len(threads), 24)
        self.assertRegex(threads[0]['name'], r'^0\.0 ')
        self.assertRegex(client.evaluate('queues'), r'received: \[')
        waiting = next(t for t in threads if 'waiting for' in t['name'])
        name = waiting['name'].split()[0]
        self.assertIn('waits for', client.evaluate(f'why-stalled {name}'))
        generated = [s for s in client.ask('loadedSources')['sources'] if s.get('sourceReference')]
        self.assertTrue(generated)
        text = client.ask('source', sourceReference=generated[0]['sourceReference'])['content']
        self.assertIn('main', text)
        for scope in client.ask('scopes', frameId=1)['scopes']:
            self.assertTrue(client.ask('variables', variablesReference=scope['variablesReference']))
        client.end()

    def test_a_packet_s_verdict_and_a_full_queue_are_gone_to(self):
        client = started(*self.OPTIONS)
        self.assertRegex(client.evaluate('packet 12'), r'packet 12 has its verdict: cycle \d+')
        client.event('stopped')
        at = cycle(client)
        client.evaluate('cycle 100')
        client.event('stopped')
        client.ask('setExceptionBreakpoints', filters=[],
                   filterOptions=[{'filterId': 'verdict', 'condition': '12'}])
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'exception')
        self.assertEqual(cycle(client), at)
        body = client.ask('setExceptionBreakpoints', filters=['misclassified'],
                          filterOptions=[{'filterId': 'queue_full', 'condition': 'no such queue'}])
        verified = [b['verified'] for b in body['breakpoints']]
        self.assertEqual(sorted(verified), [False, True])
        client.end()

    def test_heads_of_queues_are_watched(self):
        client = started(*self.OPTIONS)
        client.ask('setExceptionBreakpoints', filters=[])
        self.assertEqual(client.ask('dataBreakpointInfo', name='queue:nothing')['dataId'], None)
        info = client.ask('dataBreakpointInfo', name='queue:received')

        def taken():
            queue = next(scope for scope in scopes(client) if scope['name'].startswith('Queues'))
            rings = client.ask('variables', variablesReference=queue['variablesReference'])['variables']
            return sum(int(ring['value'].split('taken ')[1]) for ring in rings
                       if ring['name'].startswith('received'))

        client.ask('setDataBreakpoints', breakpoints=[{'dataId': info['dataId'], 'accessType': 'read'}])
        cycles, before = [], 0
        for _ in range(5):  # several engines may take one in the same cycle
            stop = client.move('continue', threadId=1)
            now, cycles = taken(), cycles + [cycle(client)]
            self.assertEqual(stop['reason'], 'data breakpoint')
            self.assertEqual(stop['text'], f'an entry was taken from queue received: {now} so far')
            client.evaluate('cycle -1')
            client.event('stopped')
            self.assertEqual(taken(), before)
            self.assertGreater(now, before)
            client.evaluate('cycle +1')
            client.event('stopped')
            before = now
        for at in cycles[-2::-1]:
            client.move('reverseContinue', threadId=1)
            self.assertEqual(cycle(client), at)
        client.end()

    def test_the_packet_of_a_thread_is_shown_as_it_arrived(self):
        client = started(*self.OPTIONS)
        answer = client.evaluate('packet 12')
        thread = client.event('stopped')['threadId']
        self.assertIn('packet 12', answer)
        work = next(scope for scope in scopes(client, thread) if scope['name'] == 'Packet under way')
        packet = {v['name']: v['value'] for v in client.ask(
            'variables', variablesReference=work['variablesReference'])['variables']}
        self.assertEqual(packet['packet'], '12')
        self.assertEqual(packet['rule so far'], packet['rule of the reference'])
        place = packet['buffer'].split(',')[0]
        memory = base64.b64decode(client.ask('readMemory', memoryReference=place, offset=26, count=8)['data'])
        self.assertEqual(packet['source'], '.'.join(str(byte) for byte in memory[:4]))
        self.assertEqual(packet['destination'], '.'.join(str(byte) for byte in memory[4:]))
        self.assertIn('packet 12, ', client.evaluate('packets'))
        client.evaluate('cycle -1')
        client.event('stopped')
        work = next(scope for scope in scopes(client, thread) if scope['name'] == 'Packet under way')
        packet = {v['name']: v['value'] for v in client.ask(
            'variables', variablesReference=work['variablesReference'])['variables']}
        self.assertEqual(packet['rule so far'], 'no verdict')
        client.end()

    def test_fifos_are_memories_and_hold_what_arrives(self):
        client = started(*self.OPTIONS)
        client.evaluate('packet 3')
        client.event('stopped')
        memory = client.ask('readMemory', memoryReference='rfifo:0x0', count=2048)
        self.assertEqual(len(base64.b64decode(memory['data'])), 1024)
        self.assertEqual(memory['unreadableBytes'], 1024)
        self.assertIn(b'\x08\x00\x45', base64.b64decode(memory['data']))  # IPv4 without options
        memory = client.ask('readMemory', memoryReference='tfifo:0x0', count=2048)
        self.assertEqual(len(base64.b64decode(memory['data'])), 1024 + 64)  # and control longwords
        client.end()

    def test_local_registers_say_which_thread_and_cycle_it_is(self):
        client = started(*self.OPTIONS)
        client.evaluate('cycle 777')
        client.event('stopped')
        for thread in [1, 12]:
            local = next(scope for scope in scopes(client, thread) if scope['name'].startswith('Local'))
            shown = {v['name']: v['value'] for v in client.ask(
                'variables', variablesReference=local['variablesReference'])['variables']}
            self.assertIn('(777)', shown['cycle_count'])
            self.assertIn(f'({(thread - 1) // 8})', shown['engine'])
            self.assertIn(f'({(thread - 1) % 8})', shown['active_ctx'])
            self.assertIn(shown['zero'], ['true', 'false'])
        client.end()

    def test_random_steps_leave_the_state_that_a_plain_run_leaves(self):
        client = started(*self.OPTIONS)
        rng = random.Random(7)
        threads = [t['id'] for t in client.ask('threads')['threads']]
        for _ in range(120):
            kind = rng.choice(['next', 'stepIn', 'stepBack', 'cycle', 'stepBack', 'next'])
            if kind == 'cycle':
                client.evaluate(f'cycle {rng.randrange(20000)}')
                client.event('stopped')
            else:
                client.move(kind, threadId=rng.choice(threads),
                            granularity=rng.choice(['instruction', 'statement']))
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'end')
        mine = client.evaluate('hash')
        client.end()
        record = os.path.join(tempfile.mkdtemp(), 'run.json')
        subprocess.run([PROGRAM, 'run', *self.OPTIONS, '--json', record], check=True,
                       stdout=subprocess.DEVNULL)
        with open(record) as read:
            self.assertEqual(mine, json.load(read)['state_hash'])

    def test_the_launch_request_may_name_what_is_debugged(self):
        client = Client([PROGRAM, 'debug', '--packets', '10'])
        client.ask('initialize', adapterID='nplab')
        self.assertIn('is missing', client.refused('launch'))
        client.ask('launch', program='ls')
        self.assertEqual(len(client.ask('threads')['threads']), 24)
        self.assertEqual(client.end(), 0)

    def test_a_wrong_classification_is_followed_back_to_its_line(self):
        """docs/debugging: a comparison of linear search is wrong by one."""
        with tempfile.TemporaryDirectory() as data:
            for folder in ['mappings', 'workloads', 'simulator/chips', 'isa']:
                shutil.copytree(os.path.join(CHECKOUT, folder), os.path.join(data, folder))
            task = os.path.join(data, 'mappings/linear-search/search.c')
            with open(task) as read:
                text = read.read()
            wrong = text.replace('return value > range_end', 'return value >= range_end')
            self.assertNotEqual(text, wrong)
            with open(task, 'w') as out:
                out.write(wrong)
            line_number = wrong[:wrong.index('return value >= range_end')].count('\n') + 1
            client = started('ls', '--packets', '500', environment={'NPLAB_DATA': data})
            client.ask('setExceptionBreakpoints', filters=['misclassified'])
            stop = client.move('continue', threadId=1)
            self.assertEqual(stop['reason'], 'exception')
            self.assertIn('the reference says rule', stop['text'])
            thread = stop['threadId']
            client.ask('setBreakpoints', source={'path': task}, breakpoints=[{'line': line_number}])
            stop = client.move('reverseContinue', threadId=thread)
            self.assertEqual(stop['reason'], 'breakpoint')
            frame = client.ask('stackTrace', threadId=stop['threadId'])['stackFrames'][0]
            self.assertEqual(frame['source']['path'], task)
            self.assertEqual(frame['line'], line_number)
            client.end()

    def test_a_run_can_be_paused_and_goes_on(self):
        client = started('bv1', '--packets', '5000')
        client.ask('continue', threadId=1)
        client.ask('pause', threadId=1)
        self.assertEqual(client.event('stopped')['reason'], 'pause')
        first = cycle(client)
        client.ask('continue', threadId=1)
        self.assertEqual(len(client.ask('threads')['threads']), 24)  # answered while it runs
        client.ask('pause', threadId=1)
        client.event('stopped')
        self.assertGreaterEqual(cycle(client), first)
        client.end()


@unittest.skipUnless(os.environ.get('NPLAB_LONG'), 'a test of the long tier')
class OfALongSession(unittest.TestCase):
    OPTIONS = ['bv1', '--packets', '400']
    END = 100_000  # cycles

    def test_2000_positions_have_the_state_of_a_run_that_only_goes_on(self):
        rng = random.Random(2000)
        positions = [rng.randrange(self.END) for _ in range(2000)]

        def hashes(order):
            client = started(*self.OPTIONS)
            found = {}
            for at in order:
                client.evaluate(f'cycle {at}')
                client.event('stopped')
                found[at] = client.evaluate('hash')
            client.end()
            return found

        self.assertEqual(hashes(positions), hashes(sorted(positions)))

    def test_10000_random_steps_and_breakpoints_end_with_the_state_of_a_plain_run(self):
        client = started(*self.OPTIONS)
        rng = random.Random(10_000)
        threads = [t['id'] for t in client.ask('threads')['threads']]
        client.ask('setExceptionBreakpoints', filters=[])
        for number in range(10_000):
            if number % 500 == 0:
                words = [{'instructionReference': hex((rng.choice(threads) - 1) // 8 << 16 | rng.randrange(60))}
                         for _ in range(rng.randrange(3))]
                client.ask('setInstructionBreakpoints', breakpoints=words)
                client.evaluate(f'cycle {rng.randrange(self.END)}')
                client.event('stopped')
            client.move(rng.choice(['next', 'stepIn', 'stepBack']), threadId=rng.choice(threads),
                        granularity=rng.choice(['statement', 'instruction', 'cycle']))
        client.ask('setInstructionBreakpoints', breakpoints=[])
        at, state = cycle(client), client.evaluate('hash')
        client.end()
        plain = started(*self.OPTIONS)
        plain.evaluate(f'cycle {at}')
        plain.event('stopped')
        self.assertEqual(plain.evaluate('hash'), state)
        plain.end()


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


if __name__ == '__main__':
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2, warnings='ignore')
