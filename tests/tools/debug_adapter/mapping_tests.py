"""Sessions of mappings with their packets."""
import base64
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

import sessions
from client import Client
from sessions import CHECKOUT, cycle, line, scopes, started


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

    @unittest.skipUnless('NPLAB_TCAM_UNIT' in os.environ, 'the unit of examples/tcam is not built')
    def test_a_unit_of_the_user_s_takes_part_forwards_and_backwards(self):
        folder = os.path.join(CHECKOUT, 'examples/tcam')
        client = started(os.path.join(folder, 'tcam.yaml'), '--packets', '60',
                         '--chip', os.path.join(folder, 'ixp1200-tcam.yaml'),
                         '--unit', 'tcam=' + os.environ['NPLAB_TCAM_UNIT'])
        cycles = []
        for before in (100, 30000, 100):
            client.evaluate(f'cycle {before}')
            client.event('stopped')
            self.assertRegex(client.evaluate('packet 12'), r'packet 12 has its verdict: cycle \d+')
            client.event('stopped')
            cycles.append(cycle(client))
        self.assertEqual(len(set(cycles)), 1)
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

    def test_the_holder_of_a_queue_s_lock_took_it_when_its_bit_was_set(self):
        client = started('abv-cmp-pipe', '--packets', '200', '--set', 'queues.received.primitive=test_and_set')

        def go(at):
            client.evaluate(f'cycle {at}')
            client.event('stopped')

        self.assertEqual(client.evaluate('who-holds received'), 'nobody holds received')
        self.assertIn('is not a lock', client.refused('evaluate', expression='who-holds sent'))
        found = 0
        for at in range(7850, 8700, 97):
            go(at)
            held = client.evaluate('who-holds received')
            for address, thread, since in re.findall(
                    r'sram:(0x\w+) bits 0x1: thread (\d\.\d) since cycle (\d+), mappings/library/queue\.h', held):
                bit = f'sram[{address}] & 1'
                self.assertEqual(client.evaluate(bit), '0x1 (1)')
                go(int(since) - 1)
                self.assertEqual(client.evaluate(bit), '0x0 (0)')
                go(int(since))
                self.assertEqual(client.evaluate(bit), '0x1 (1)')
                self.assertIn(f'sram:{address} bits 0x1: thread {thread} since cycle {since}',
                              client.evaluate('who-holds received'))
                go(at)
                found += 1
        self.assertGreaterEqual(found, 5)
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
            local = next(scope for scope in scopes(client, thread) if scope['name'].startswith('Local registers'))
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
        subprocess.run([sessions.PROGRAM, 'run', *self.OPTIONS, '--json', record], check=True,
                       stdout=subprocess.DEVNULL)
        with open(record) as read:
            self.assertEqual(mine, json.load(read)['state_hash'])

    def test_the_launch_request_may_name_what_is_debugged(self):
        client = Client([sessions.PROGRAM, 'debug', '--packets', '10'])
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
            frames = client.ask('stackTrace', threadId=stop['threadId'])['stackFrames']
            self.assertEqual([frame['name'].split(' ')[0] for frame in frames],
                             ['outside', 'misses', 'search', 'stage_classify', 'main'])
            self.assertEqual(frames[0]['source']['path'], task)
            self.assertEqual(frames[0]['line'], line_number)
            for expression in ('value', 'sram[record + 8 * dimension + 4]'):
                self.assertEqual(client.evaluate(expression, frameId=frames[0]['id']), '0x8 (8)', expression)
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
