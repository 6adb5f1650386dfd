"""Breakpoints, steps and commands that go through the time of a program."""
import subprocess

import sessions
from sessions import WRITE_LINE, ProgramSessions, cycle, line, started


class OfAProgram(ProgramSessions):
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
        plain = subprocess.run([sessions.PROGRAM, 'exec', self.file], stdout=subprocess.PIPE).stdout.decode()
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
        self.assertEqual(client.evaluate('last-write sram:0x110'), answer)  # at its own stop
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
