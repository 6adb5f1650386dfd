"""Sessions of the long tier."""
import os
import random
import unittest

from sessions import cycle, started


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
