"""Frames of functions that were inlined or called, and leaving them."""
import os

from sessions import ProgramSessions, cycle, started

COPIES = '''#include <microengine.h>
static u32 mark(u32 x) {
  *(__sram u32 *)0x200 = x;
  return x ^ 0x55;
}
static u32 twice(u32 x) {
  return mark(x) * 2;
}
int main(void) {
  u32 sum = twice(*(__sram u32 *)0x208);
  *(__sram u32 *)0x204 = sum;
  return 0;
}
'''
CALLS = '''#include <microengine.h>
static __attribute__((noinline)) u32 leaf(u32 x) {
  *(__sram u32 *)0x200 = x;
  return x * 3 + 1;
}
static __attribute__((noinline)) u32 middle(u32 x) {
  u32 y = leaf(x + 1);
  return y + leaf(y);
}
int main(void) {
  u32 sum = 5;
  sum += middle(sum);
  *(__sram u32 *)0x204 = sum;
  return 0;
}
'''


def frames(client):
    return client.ask('stackTrace', threadId=1)['stackFrames']


def functions(client):
    return [frame['name'].split(' (')[0] for frame in frames(client)]


def lines(client):
    return [frame['line'] for frame in frames(client)]


class OfStacks(ProgramSessions):
    def stop_at(self, client, line):
        body = client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': line}])
        self.assertEqual(body['breakpoints'][0]['line'], line)
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'breakpoint')
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[])

    def started_on(self, source):
        with open(self.file, 'w') as out:
            out.write(source)
        return started(self.file)

    def test_copies_of_inlined_functions_have_frames_with_the_lines_of_their_calls(self):
        client = self.started_on(COPIES)
        self.stop_at(client, 3)
        self.assertEqual(functions(client), ['mark', 'twice', 'main'])
        self.assertEqual(lines(client), [3, 7, 10])
        self.assertEqual([frame['source']['path'] for frame in frames(client)], 3 * [os.path.abspath(self.file)])
        self.assertEqual(len({frame['id'] for frame in frames(client)}), 3)
        client.end()

    def test_stepping_out_of_a_copy_ends_where_the_thread_has_left_it(self):
        client = self.started_on(COPIES)
        self.stop_at(client, 3)
        before = cycle(client)
        self.assertEqual(client.move('stepOut', threadId=1)['reason'], 'step')
        self.assertNotIn('mark', functions(client))
        self.assertEqual(functions(client)[-1], 'main')
        self.assertGreater(cycle(client), before)
        client.end()

    def test_called_functions_have_frames_up_to_main_with_the_lines_of_their_calls(self):
        client = self.started_on(CALLS)
        self.stop_at(client, 3)
        self.assertEqual(functions(client), ['leaf', 'middle', 'main'])
        self.assertEqual(lines(client), [3, 7, 12])
        client.end()

    def test_stepping_out_of_a_called_function_ends_in_its_caller_after_the_call(self):
        client = self.started_on(CALLS)
        self.stop_at(client, 3)
        client.move('stepOut', threadId=1)
        self.assertEqual(functions(client), ['middle', 'main'])
        self.assertEqual(client.evaluate('sram[0x200]'), '0x6 (6)')
        client.move('stepOut', threadId=1)
        self.assertEqual(functions(client), ['main'])
        self.assertEqual(client.evaluate('sram[0x200]'), '0x13 (19)')
        self.assertEqual(client.evaluate('sram[0x204]'), '0x0 (0)')
        client.end()

    def test_the_outermost_function_cannot_be_left_and_the_session_goes_on(self):
        client = self.started_on(CALLS)
        self.assertEqual(client.refused('stepOut', threadId=1),
                         'the thread is in its outermost function, which it does not leave')
        self.stop_at(client, 13)
        self.assertEqual(functions(client), ['main'])
        client.end()

    def test_a_client_may_ask_for_some_of_the_frames(self):
        client = self.started_on(CALLS)
        self.stop_at(client, 3)
        some = client.ask('stackTrace', threadId=1, startFrame=1, levels=1)
        self.assertEqual(some['totalFrames'], 3)
        self.assertEqual([frame['line'] for frame in some['stackFrames']], [7])
        client.end()
