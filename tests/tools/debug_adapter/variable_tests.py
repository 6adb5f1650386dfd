"""Locals, globals and expressions of C over them."""
import random

from sessions import ProgramSessions, line, started

LOCALS = '''#include <microengine.h>
struct header {
  u16 source;
  u16 target;
  u32 kind : 4;
  u32 length : 28;
};
enum colour { RED, GREEN = 5 };
static __sram struct header table[3] = {{1, 2, 3, 4}, {0x1234, 0xffff, 15, 99}, {7, 8, 9, 10}};
static volatile __scratch u32 counter = 40;
static void show(u32 value) {
  *(volatile __sram u32 *)0x300 = value;
}
int main(void) {
  u32 sum = ctx() + 3;
  s32 negative = -(s32)sum;
  *(volatile __sram u32 *)0x310 = (u32)&table[sum - 2];
  __sram struct header *second = (__sram struct header *)*(volatile __sram u32 *)0x310;
  enum colour colour = sum == 3 ? GREEN : RED;
  for (u32 i = 0; i < 4; i++) {
    u32 square = i * i + sum;
    show(square);
    sum += square;
    counter += sum;
  }
  console_hex(sum);
  *(volatile __sram u32 *)0x304 = (u32)negative;
  *(volatile __sram u32 *)0x308 = (u32)second;
  *(volatile __sram u32 *)0x30c = colour;
  console_hex(second->length);
  return 0;
}
'''
SHOW, END = 12, 26


def locals_of(client, level=0, thread=1):
    frame = client.ask('stackTrace', threadId=thread)['stackFrames'][level]
    scope = next(one for one in client.ask('scopes', frameId=frame['id'])['scopes'] if one['name'] == 'Locals')
    variables = client.ask('variables', variablesReference=scope['variablesReference'])['variables']
    return {one['name']: one for one in variables}


def values_of(client, level=0):
    return {name: one['value'] for name, one in locals_of(client, level).items()}


def children(client, variable):
    parts = client.ask('variables', variablesReference=variable['variablesReference'])['variables']
    return {one['name']: one for one in parts}


class OfVariables(ProgramSessions):
    def stopped_at(self, source, number):
        with open(self.file, 'w') as out:
            out.write(source)
        client = started(self.file)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[{'line': number}])
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'breakpoint')
        return client

    def test_locals_of_a_frame_have_their_types_and_places(self):
        client = self.stopped_at(LOCALS, END)
        found = locals_of(client)
        self.assertEqual(set(found), {'sum', 'negative', 'second', 'colour'})
        self.assertEqual(found['negative']['value'], '0xfffffffd (-3)')
        self.assertEqual(found['colour']['value'], 'GREEN (5)')
        self.assertEqual(found['second']['type'].split(',')[0], 'struct header __sram *')
        self.assertRegex(found['second']['value'], '^sram:0x[0-9a-f]+$')
        self.assertRegex(found['negative']['type'], '^s32, in [ab$][0-9]+$')
        target = children(client, found['second'])['*']
        members = children(client, target)
        self.assertEqual(members['source']['value'], '0x1234 (4660)')
        self.assertEqual(members['kind']['value'], '0xf (15)')
        self.assertEqual(members['length']['value'], '0x63 (99)')
        client.end()

    def test_variables_of_blocks_are_seen_inside_them_and_by_the_frames_around_copies(self):
        client = self.stopped_at(LOCALS, SHOW)
        self.assertEqual(set(locals_of(client)), {'value'})
        outer = values_of(client, level=1)
        self.assertEqual(set(outer), {'sum', 'negative', 'second', 'colour', 'i', 'square'})
        self.assertEqual(values_of(client)['value'], '0x3 (3)')
        seen = ['0x3 (3)']
        while client.move('continue', threadId=1)['reason'] == 'breakpoint':
            if (value := values_of(client)['value']) != seen[-1]:
                seen.append(value)
        self.assertEqual(seen, ['0x3 (3)', '0x7 (7)', '0x11 (17)', '0x27 (39)'])
        client.end()

    def test_globals_are_shown_with_their_elements(self):
        client = self.stopped_at(LOCALS, END)
        frame = client.ask('stackTrace', threadId=1)['stackFrames'][0]
        scope = next(one for one in client.ask('scopes', frameId=frame['id'])['scopes'] if one['name'] == 'Globals')
        found = {one['name']: one for one in
                 client.ask('variables', variablesReference=scope['variablesReference'])['variables']}
        self.assertEqual(set(found), {'table', 'counter'})
        third = children(client, children(client, found['table'])['[2]'])
        self.assertEqual([one['value'] for one in third.values()], ['0x7 (7)', '0x8 (8)', '0x9 (9)', '0xa (10)'])
        client.end()

    def test_expressions_are_those_of_c_over_variables_registers_and_memory(self):
        client = self.stopped_at(LOCALS, END)
        for expression, value in [
                ('negative', '0xfffffffd (-3)'),
                ('negative * 2 + 1', '0xfffffffb (-5)'),
                ('negative < 0', '0x1 (1)'),
                ('(u32)negative < 0', '0x0 (0)'),
                ('-7 / 2', '0xfffffffd (-3)'),
                ('-7 >> 1', '0xfffffffc (-4)'),
                ('-7 % 4', '0xfffffffd (-3)'),
                ('~0u >> 28', '0xf (15)'),
                ('second->length', '0x63 (99)'),
                ('(*second).kind == 15 && colour == GREEN', '0x1 (1)'),
                ('table[2].source + table[0].target', '0x9 (9)'),
                ('second[1].target', '0x8 (8)'),
                ('second - table', '0x1 (1)'),
                ('&second[1] > second ? 11 : 22', '0xb (11)'),
                ('sizeof(struct header) + sizeof table', '0x20 (32)'),
                ('(u8)(second->source)', "0x34 (52, '4')"),
                ('*(__sram u16 *)second', '0x1234 (4660)'),
                ('((__sram u8 *)second)[1]', "0x34 (52, '4')"),
                ('1ull << 40', '0x10000000000 (1099511627776)'),
                ('sram[(u32)second] == 0x1234ffff', '0x1 (1)'),
                ('b15 - b15 + $0 - $0', '0x0 (0)'),
                ('colour', 'GREEN (5)'),
                ("'a' + 1", '0x62 (98)'),
                ('!negative || 0', '0x0 (0)')]:
            self.assertEqual(client.evaluate(expression), value, expression)
        self.assertEqual(client.evaluate('table[1]'), '{source: 0x1234 (4660), target: 0xffff (65535), '
                                                      'kind: 0xf (15), length: 0x63 (99)}')
        shown = client.ask('evaluate', expression='table', context='watch')
        self.assertEqual(len(client.ask('variables', variablesReference=shown['variablesReference'])['variables']), 3)
        for part in children(client, shown).values():
            self.assertEqual(client.evaluate(part['evaluateName']), part['value'])
        client.end()

    def test_wrong_expressions_are_refused_at_their_column(self):
        client = self.stopped_at(LOCALS, END)
        for expression, text in [
                ('sum + nothing', "column 7: use of undeclared identifier 'nothing'"),
                ('second->size', 'column 9: no member named'),
                ('sum +', 'column 6: expected expression'),
                ('sum = 3', 'column 5: an expression here changes nothing'),
                ('sum++', 'column 4: an expression here changes nothing'),
                ('1 + show(3)', "column 5: call to undeclared function 'show'"),
                ('1 / (negative - negative)', 'column 3: division by zero'),
                ('1 << 40', 'column 3: a shift by 40 of 32 bits'),
                ('sram', 'column 1: a memory needs an address'),
                ('sram[2]', 'column 1: sram has no longword at 0x2'),
                ('*(__sram u32 *)0xfffffff0', 'column 1: sram:0xfffffff0 lies outside the memory'),
                ('&negative', 'column 1: this is not in memory and has no address'),
                ('*negative', 'column 1: indirection requires pointer operand'),
                ('return 1', 'should not return a value'),
                ('int x', 'column 1:'),
                ('1; } int other(void) { 2', 'column 22: function definition is not allowed here'),
                ('\n', 'column 1: an expression of C on one line is expected'),
                ('(' * 1900, 'bracket nesting level exceeded'),
                ('~' * 5000 + '1', 'an expression has at most 2000 characters')]:
            self.assertIn(text, client.refused('evaluate', expression=expression), expression)
        self.assertEqual(client.evaluate('1 + 1'), '0x2 (2)')
        client.end()

    def test_data_breakpoints_watch_variables_in_memory(self):
        client = self.stopped_at(LOCALS, SHOW)
        frame = client.ask('stackTrace', threadId=1)['stackFrames'][1]
        info = client.ask('dataBreakpointInfo', name='counter', frameId=frame['id'])
        self.assertRegex(info['dataId'], '^scratch:0x[0-9a-f]+$')
        self.assertIsNone(client.ask('dataBreakpointInfo', name='sum', frameId=frame['id'])['dataId'])
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[])
        client.ask('setDataBreakpoints', breakpoints=[{'dataId': info['dataId'], 'accessType': 'write'}])
        self.assertEqual(client.move('continue', threadId=1)['reason'], 'data breakpoint')
        self.assertEqual(client.evaluate('counter'), '0x2e (46)')
        client.end()

    def test_conditions_and_log_messages_take_variables(self):
        with open(self.file, 'w') as out:
            out.write(LOCALS)
        client = started(self.file)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[
            {'line': SHOW, 'condition': 'value == 17'},
            {'line': END, 'logMessage': 'negative {negative}, second {second->kind}, {no}'}])
        client.move('continue', threadId=1)
        self.assertEqual(values_of(client)['value'], '0x11 (17)')
        client.events.clear()
        client.move('continue', threadId=1)
        said = [one['body']['output'] for one in client.events if one['event'] == 'output']
        self.assertTrue(any('negative 0xfffffffd (-3), second 0xf (15), {column 1: use of undeclared' in text
                            for text in said), said)
        client.end()

    def test_without_optimization_locals_have_their_values_in_every_frame(self):
        client = started('ls', '--packets', '20', '--set', 'optimize=0', '--set', 'variables={sram: 512}')
        task = next(one for one in client.ask('loadedSources')['sources'] if one['name'].endswith('linear-search/search.c'))
        with open(task['path']) as source:
            number = 1 + next(at for at, text in enumerate(source) if 'return value > range_end' in text)
        client.ask('setBreakpoints', source=task, breakpoints=[{'line': number}])
        stop = client.move('continue', threadId=1)
        self.assertEqual(stop['reason'], 'breakpoint')
        found = locals_of(client, thread=stop['threadId'])
        self.assertEqual(set(found), {'record', 'dimension', 'value'})
        frames = client.ask('stackTrace', threadId=stop['threadId'])['stackFrames']
        stage = next(level for level, frame in enumerate(frames) if frame['name'].startswith('stage_classify'))
        fields = locals_of(client, stage, stop['threadId'])
        self.assertEqual(found['value']['value'], fields['field_' + found['dimension']['value'].split()[0][2:]]['value'])
        client.end()

    def test_a_value_that_is_lost_is_said_to_be_optimized_out(self):
        source = ('#include <microengine.h>\nint main(void) {\n  u32 gone = ctx() + 9;\n'
                  '  console_hex(gone);\n  console_hex(1);\n  for (u32 i = 0; i < 9; i++)\n'
                  '    *(volatile __sram u32 *)(0x100 + 4 * i) = i;\n  return 0;\n}\n')
        client = self.stopped_at(source, 7)
        client.ask('setBreakpoints', source={'path': self.file}, breakpoints=[])
        seen = set()
        for _ in range(60):
            if client.move('stepIn', threadId=1, granularity='instruction')['reason'] == 'end':
                break
            if client.ask('stackTrace', threadId=1)['stackFrames'][0]['line'] != 0:
                seen.add(values_of(client).get('gone'))
                if values_of(client).get('gone') == '<optimized out>':
                    self.assertEqual(client.refused('evaluate', expression='1 + gone'),
                                     'column 5: the value is optimized out')
        self.assertLessEqual(seen, {'0x9 (9)', '<optimized out>', None})
        self.assertIn('<optimized out>', seen)
        client.end()

    def test_what_is_shown_of_random_programs_is_what_they_store(self):
        shown = total = 0
        for seed in range(12):
            source, stores = random_program(random.Random(seed))
            with open(self.file, 'w') as out:
                out.write(source)
            client = started(self.file)
            client.ask('setBreakpoints', source={'path': self.file},
                       breakpoints=[{'line': number} for number in stores])
            last = {}
            while client.move('continue', threadId=1)['reason'] == 'breakpoint':
                address, name = stores[line(client, 1)]
                value = values_of(client).get(name, '<optimized out>')
                total += 1
                shown += value != '<optimized out>'
                last[address] = name, value
            # All stores are done.
            for address, (name, value) in last.items():
                if value != '<optimized out>':
                    self.assertEqual(client.evaluate('sram[0x%x]' % address), value, (seed, name, source))
            client.end()
        self.assertGreater(total, 200)
        self.assertGreater(shown / total, 0.6, (shown, total))


def random_program(rng):
    """A program and, by line, what it stores there: the address and the variable."""
    lines = ['#include <microengine.h>', '#define STORE(at, value) *(volatile __sram u32 *)(at) = (value)',
             'int main(void) {', '  u32 v0 = *(volatile __sram u32 *)0x800 + %d;' % rng.randrange(1000)]
    names, stores = ['v0'], {}

    def value():
        one = '%s %s %s' % (rng.choice(names), rng.choice(['+', '-', '^', '&', '|', '*']),
                            rng.choice(names + [str(rng.randrange(1, 5000))]))
        return rng.choice([one, '(%s) >> %d' % (one, rng.randrange(1, 9)),
                           '*(__sram u32 *)(0x804 + 4 * (%s & 7)) + %s' % (rng.choice(names), one)])

    def block(depth, indent):
        mine = len(names)
        for _ in range(rng.randrange(3, 6)):
            kind = rng.randrange(6)
            if kind < 2 or depth == 3:
                name = 'v%d' % len(names)
                if name in ' '.join(lines):
                    name = 'v%dx%d' % (len(names), len(lines))
                lines.append('%su32 %s = %s;' % (indent, name, value()))
                names.append(name)
            elif kind == 2:
                lines.append("%s%s = %s;" % (indent, rng.choice([one for one in names if one[0] == "v"]), value()))
            elif kind == 3:
                lines.append('%sif (%s & %d) {' % (indent, rng.choice(names), rng.randrange(1, 9)))
                block(depth + 1, indent + '  ')
                lines.append(indent + '}')
            elif kind == 4 and depth < 2:
                counter = 'n%d' % len(lines)
                lines.append('%sfor (u32 %s = 0; %s < %d; %s++) {' % (indent, counter, counter, rng.randrange(2, 5),
                                                                     counter))
                names.append(counter)
                block(depth + 1, indent + '  ')
                names.remove(counter)
                lines.append(indent + '}')
            name, address = rng.choice(names), 0x1000 + 4 * len(lines)
            lines.append('%sSTORE(%d, %s);' % (indent, address, name))
            stores[len(lines)] = (address, name)
        del names[mine:]

    block(0, '  ')
    lines += ['  return 0;', '}', '']
    return '\n'.join(lines), stores
