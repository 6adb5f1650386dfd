"""Variables, registers and memory that are changed."""
import os
import random

from sessions import ProgramSessions, cycle, started
from variable_tests import children, locals_of, values_of

STORES = '''#include <microengine.h>
struct pair {
  u32 high : 12;
  u32 low : 20;
};
static volatile __sram struct pair table[2] = {{1, 2}, {3, 4}};
static volatile __scratch u32 counter = 40;
static volatile __sram u64 wide = 5;
int main(void) {
  u32 value = *(volatile __sram u32 *)0x800 + 5;
  u32 times = *(volatile __sram u32 *)0x804 + 6;
  for (u32 i = 0; i < times; i++) {
    *(volatile __sram u32 *)(0x900 + 4 * i) = value + i;
    value += counter;
  }
  u64 read = wide;
  *(volatile __sram u32 *)0x980 = (u32)(read >> 32);
  *(volatile __sram u32 *)0x984 = (u32)read;
  *(volatile __sram u32 *)0x988 = table[1].low;
  return 0;
}
'''
STORE = 13


def scope_of(client, name):
    frame = client.ask('stackTrace', threadId=1)['stackFrames'][0]
    return next(one for one in client.ask('scopes', frameId=frame['id'])['scopes'] if one['name'] == name)


class OfChanges(ProgramSessions):
    def setUp(self):
        super().setUp()
        with open(self.file, 'w') as out:
            out.write(STORES)

    def stopped_at(self, number, *words):
        client = started(self.file, *words)
        self.break_at(client, number)
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'breakpoint')
        return client

    def break_at(self, client, *numbers):
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': number} for number in numbers])

    def go(self, client, at):
        client.evaluate('cycle %d' % at)
        client.event('stopped')

    def set(self, client, scope, name, value):
        return client.ask('setVariable', variablesReference=scope_of(client, scope)['variablesReference'], name=name, value=value)

    def end_of(self, client):
        """The hash at the end of the run."""
        self.break_at(client)
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'end')
        return client.evaluate('hash')

    def test_a_local_in_a_register_has_its_new_value_from_there_on_and_its_old_one_before(self):
        client = self.stopped_at(STORE)
        at = cycle(client)
        self.assertEqual(values_of(client)['value'], '0x5 (5)')
        self.assertEqual(self.set(client, 'Locals', 'value', '100 + sizeof(u32)')['value'], '0x68 (104)')
        self.assertEqual(values_of(client)['value'], '0x68 (104)')
        end = self.end_of(client)
        stored = [client.evaluate('sram[0x%x]' % address) for address in (0x900, 0x904, 0x908)]
        self.assertEqual(stored, ['0x68 (104)', '0x91 (145)', '0xba (186)'])
        self.go(client, at - 1)
        self.assertEqual(values_of(client)['value'], '0x5 (5)')
        self.go(client, at)
        self.assertEqual(values_of(client)['value'], '0x68 (104)')
        self.assertEqual(self.end_of(client), end)
        client.end()

    def test_a_change_forgets_those_of_later_cycles(self):
        client = self.stopped_at(STORE)
        first = cycle(client)
        client.move('continue', threadId=1)
        while values_of(client)['value'] == '<optimized out>':  # in the slot of a branch
            client.move('stepIn', threadId=1, granularity='instruction')
        self.assertEqual(values_of(client)['value'], '0x2d (45)')
        self.set(client, 'Locals', 'value', '1000')
        self.go(client, first)
        self.set(client, 'Locals', 'value', '7')
        self.end_of(client)
        self.assertEqual([client.evaluate('sram[0x%x]' % address) for address in (0x900, 0x904)], ['0x7 (7)', '0x30 (48)'])
        client.end()

    def test_parts_of_what_is_in_memory_are_changed_by_themselves(self):
        client = self.stopped_at(STORE)
        table = client.ask('evaluate', expression='table')
        second = children(client, table)['[1]']
        answer = client.ask('setVariable', variablesReference=second['variablesReference'], name='low', value='0xabcde')
        self.assertEqual(answer['value'], '0xabcde (703710)')
        self.assertEqual(client.evaluate('sram[(u32)&table[1]]'), '0x3abcde (3849438)')
        self.set(client, 'Globals', 'counter', '-1')
        self.assertEqual(client.ask('setExpression', expression='((__scratch u8 *)&counter)[3]', value='1')['value'], '0x1 (1)')
        self.assertEqual(client.evaluate('counter'), '0xffffff01 (4294967041)')
        self.end_of(client)
        self.assertEqual(client.evaluate('sram[0x988]'), '0xabcde (703710)')
        client.end()

    def test_a_value_of_two_longwords_is_changed_in_both(self):
        client = self.stopped_at(STORE)
        self.assertEqual(self.set(client, 'Globals', 'wide', '0x123456789abcull')['value'], '0x123456789abc (20015998343868)')
        self.end_of(client)
        self.assertEqual(client.evaluate('sram[0x980]'), '0x1234 (4660)')
        self.assertEqual(client.evaluate('sram[0x984]'), '0x56789abc (1450744508)')
        client.end()

    def test_registers_are_changed_by_their_names(self):
        client = self.stopped_at(STORE)
        place = locals_of(client)['value']['type'].split(' in ')[1]
        self.set(client, 'General-purpose registers', place, '9')
        self.assertEqual(values_of(client)['value'], '0x9 (9)')
        client.ask('setExpression', expression='$3', value='0x77')
        self.assertEqual(client.evaluate('$3'), '0x77 (119)')
        client.end()

    def test_memory_that_is_changed_at_the_start_is_memory_that_is_loaded(self):
        table = os.path.join(self.folder.name, 'table.txt')
        with open(table, 'w') as out:
            out.write('1234\n')
        loaded = started(self.file, '--load', f'sram:0x800:{table}')
        changed = started(self.file)
        changed.ask('setExpression', expression='sram[0x800]', value='1234')
        self.assertEqual(self.end_of(changed), self.end_of(loaded))
        self.assertNotEqual(self.end_of(started(self.file)), loaded.evaluate('hash'))
        self.go(changed, 0)
        self.assertEqual(changed.evaluate('sram[0x800]'), '0x4d2 (1234)')
        changed.end()
        loaded.end()

    def test_a_value_that_is_set_to_itself_changes_nothing(self):
        plain = started(self.file)
        end = self.end_of(plain)
        last = cycle(plain)
        plain.end()
        client = started(self.file)
        drawn = random.Random(3)
        for _ in range(15):
            self.go(client, drawn.randrange(last))
            for place in ('a%d' % drawn.randrange(16), '$$%d' % drawn.randrange(8), 'sram[0x%x]' % (4 * drawn.randrange(0x300))):
                client.ask('setExpression', expression=place, value=place)
        self.assertEqual(self.end_of(client), end)
        client.end()

    def test_what_cannot_be_changed_is_refused(self):
        client = self.stopped_at(STORE)
        for expression, value, text in [
                ('counter + 1', '3', 'cannot be changed: no register and no memory holds just this value'),
                ('table', '3', 'is not a number; change its parts'),
                ('value', 'table', 'is not a number'),
                ('value', '3 +', 'column 4: expected expression'),
                ('value', '', 'an expression of C on one line is expected'),
                ('nothing', '3', "use of undeclared identifier 'nothing'")]:
            self.assertIn(text, client.refused('setExpression', expression=expression, value=value), expression)
        queue = scope_of(client, 'Local registers, signals and condition codes')
        self.assertIn('engine cannot be changed', client.refused(
            'setVariable', variablesReference=queue['variablesReference'], name='engine', value='3'))
        self.assertIn('there is no variable gone here', client.refused(
            'setVariable', variablesReference=queue['variablesReference'], name='gone', value='3'))
        self.end_of(client)
        self.assertIn('at the end of the run', client.refused('setExpression', expression='sram[0x100]', value='3'))
        client.end()
