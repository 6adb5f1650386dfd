"""Requests beyond the protocol that a page makes: motions with a limit, the chip in one answer, texts of sources."""
import os
import random
import re
import subprocess
import unittest

import sessions
from sessions import WRITE_LINE, ProgramSessions, cycle, started

LOCKSTEP_STATES = {'ready', 'running', 'waiting', 'ended'}


class OfMotionsWithALimit(ProgramSessions):
    def stops(self, client, command, limits):
        """Cycles and reasons of all stops but those at a limit, and the end of time that is last."""
        found = []
        while True:
            before = cycle(client)
            limit = next(limits)
            arguments = {} if limit is None else {'cycles': limit}
            stop = client.move(command, threadId=1, **arguments)
            if stop['reason'] in ('begin', 'end'):
                return found, stop['reason']
            if stop['reason'] == 'step':
                self.assertEqual(abs(cycle(client) - before), limit)
            else:
                found.append((cycle(client), stop['reason']))

    def started_with_breakpoints(self):
        client = started(self.file)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': WRITE_LINE}])
        client.ask('setDataBreakpoints', breakpoints=[{'dataId': 'sram:0x10c', 'accessType': 'write'},
                                                      {'dataId': 'sram:0x110', 'accessType': 'write'}])
        return client

    def test_limits_leave_no_stop_out_and_add_none_in_both_directions(self):
        client = self.started_with_breakpoints()
        def always(limit):
            while True:
                yield limit
        forwards, end = self.stops(client, 'continue', always(None))
        self.assertEqual(end, 'end')
        self.assertGreaterEqual(len(forwards), 12)
        backwards, end = self.stops(client, 'reverseContinue', always(None))
        self.assertEqual(end, 'begin')
        self.assertEqual(backwards, forwards[::-1])
        drawn = random.Random(7)
        for limits in (always(1), always(50), always(2000), iter(lambda: drawn.randint(1, 40), 0)):
            self.assertEqual(self.stops(client, 'continue', limits), (forwards, 'end'))
            self.assertEqual(self.stops(client, 'reverseContinue', limits), (backwards, 'begin'))
        self.assertEqual(client.end(), 0)

    def test_a_limit_that_is_not_a_number_is_refused(self):
        client = started(self.file)
        self.assertIn('continue', client.refused('continue', threadId=1, cycles='many'))
        self.assertEqual(cycle(client), 0)
        client.end()

    def test_numbers_of_a_file_lie_in_memory_at_the_start(self):
        table = os.path.join(self.folder.name, 'table.txt')
        with open(table, 'w') as out:
            out.write('7 0x20  # and so on\n9\n')
        client = started(self.file, '--load', f'sram:0x200:{table}')
        self.assertEqual([client.evaluate(f'sram[{address}]').split()[0] for address in (0x200, 0x204, 0x208, 0x20c)],
                         ['0x7', '0x20', '0x9', '0x0'])
        client.end()

    def test_a_source_of_the_program_is_read_by_its_path_and_no_other_file(self):
        client = started(self.file)
        with open(self.file) as text:
            self.assertEqual(client.ask('source', source={'path': self.file}, sourceReference=0)['content'], text.read())
        self.assertIn('generated source 0', client.refused('source', source={'path': '/etc/passwd'}, sourceReference=0))
        client.end()


class OfTheChip(unittest.TestCase):
    OPTIONS = ['bv1', '--packets', '60']

    def test_the_chip_in_one_answer_is_what_single_requests_say(self):
        client = started(*self.OPTIONS)
        client.evaluate('cycle 20000')
        client.event('stopped')
        chip = client.ask('nplab/chip')
        self.assertEqual((chip['cycle'], chip['running'], chip['over'], chip['target']), (20000, False, False, 'bv1'))
        self.assertEqual([thread['id'] for thread in chip['threads']],
                         [thread['id'] for thread in client.ask('threads')['threads']])
        for thread in chip['threads']:
            self.assertIn(thread['state'], LOCKSTEP_STATES)
            frame = client.ask('stackTrace', threadId=thread['id'])['stackFrames'][0]
            self.assertEqual((thread['line'], thread.get('source')), (frame['line'], frame.get('source')))
        queues = dict(re.findall(r'(\w+): (\[[\d,]*\])', client.evaluate('queues')))
        self.assertEqual({queue['name']: str(queue['entries']).replace(' ', '') for queue in chip['queues']}, queues)
        self.assertEqual([(queue['producers'], queue['consumers']) for queue in chip['queues']],
                         [([0], [1, 2, 3, 4]), ([1, 2, 3, 4], [5])])
        units = {queue['name']: queue for queue in chip['unit_queues']}
        self.assertIn('sram.order_queue', units)
        self.assertTrue(all(0 <= queue['entries'] <= queue['size'] for queue in units.values()))
        client.end()

    def chip_at(self, client, at):
        """The chip; queues' entries by (queue, ring, number), with the packet of each that has one."""
        client.evaluate(f'cycle {at}')
        client.event('stopped')
        chip = client.ask('nplab/chip')
        taken = {queue['name']: queue['taken'] for queue in chip['queues']}
        entries = {(queue['name'], ring, taken[queue['name']][ring] + ahead): None for queue in chip['queues']
                   for ring, count in enumerate(queue['entries']) for ahead in range(count)}
        for packet in chip['packets']:
            for place in packet['places']:
                if 'queue' in place:
                    key = place['queue'], place['ring'], taken[place['queue']][place['ring']] + place['ahead']
                    self.assertIsNone(entries[key])  # and it is an entry
                    entries[key] = packet['packet']
        return entries

    def test_each_entry_of_a_queue_is_the_place_of_one_packet_once_memory_has_it(self):
        client = started('bv1', '--packets', '400')
        seen = late = 0
        for at in range(3000, 60000, 1900):
            entries = self.chip_at(client, at)
            # An entry counts as put when its thread issues the write.
            missing = [key for key, packet in entries.items() if packet is None]
            for key, packet in self.chip_at(client, at + 60).items() if missing else ():
                if key in missing:
                    self.assertIsNotNone(packet, (at, key))
            seen += len(entries)
            late += len(missing)
        self.assertGreater(seen, 50)
        self.assertLess(late, seen / 20)
        client.end()

    def stretches_of(self, packet):
        """What `trace`, which goes by references and annotations, says of a packet: (thread, first and last cycle)."""
        text = subprocess.run([sessions.PROGRAM, 'trace', 'packet', str(packet), *self.TRACED], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        return [(name, int(begin), int(end)) for name, begin, end in
                re.findall(r'^thread (\S+) \(\w+\), cycles (\d+) to (\d+)', text, re.MULTILINE)]

    TRACED = ['bv1', '--packets', '200']

    def test_a_packet_is_in_one_place_which_is_where_its_trace_has_it(self):
        client = started(*self.TRACED)
        shown = looked = 0
        for number in (20, 77, 140):
            works = {name: (begin, end) for name, begin, end in self.stretches_of(number)}
            begins, ends = zip(*works.values())
            self.assertEqual([name[0] in engines for name, engines in zip(works, ('0', '1234', '5'))], [True] * 3)
            # An entry is in memory before its producer has done with the packet.
            works |= {'received': begins[:2], 'classified': begins[1:]}
            for at in range(begins[0], ends[-1], 61):
                client.evaluate(f'cycle {at}')
                client.event('stopped')
                packet = next((one for one in client.ask('nplab/chip')['packets'] if one['packet'] == number), None)
                places = packet['places'] if packet else []
                self.assertLessEqual(len(places), 1, (number, at, places))
                looked += 1
                for place in places:
                    shown += 1
                    name = place['queue'] if 'queue' in place else f"{place['engine']}.{place['context']}"
                    begin, end = works[name]
                    self.assertTrue(begin <= at <= end, (number, at, place, begin, end))
        self.assertGreater(shown / looked, 0.85, (shown, looked))
        client.end()

    def test_a_packet_goes_through_the_stages_in_their_order(self):
        client = started(*self.OPTIONS)
        met = []
        for at in range(0, 40000, 100):
            client.evaluate(f'cycle {at}')
            client.event('stopped')
            chip = client.ask('nplab/chip')
            packet = next((packet for packet in chip['packets'] if packet['packet'] == 14), None)
            if packet is None:
                if met:
                    break
                continue
            roles = {engine['engine']: engine['role'] for engine in chip['engines']}
            for place in packet['places']:
                name = place['queue'] if 'queue' in place else roles[place['engine']]
                if name not in met:
                    met.append(name)
        self.assertEqual([name for name in met if name != 'received'], ['receive', 'classify', 'classified', 'transmit'])
        client.end()
