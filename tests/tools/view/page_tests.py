"""The page in a browser."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser, browser_program
from view_process import View

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), '../../..'))
CYCLE = "Number(document.getElementById('cycle').textContent.replace(/[^0-9]/g, ''))"
STATUS = "document.getElementById('status').textContent"
STANDS = ("document.getElementById('step').getAttribute('aria-disabled') === 'false' && document.body.dataset.ready === 'true' && "
          "document.body.getAttribute('aria-busy') === 'false'")


def accessibility_checker(folder):
    """The script of axe-core, fetched from the npm registry for the tests alone; None without npm or the registry."""
    npm = shutil.which('npm')
    if not npm:
        return None
    packed = subprocess.run([npm, 'pack', 'axe-core@4.10.3', '--silent', '--fetch-retries=0', '--fetch-timeout=30000'],
                            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if packed.returncode != 0:
        return None
    subprocess.run(['tar', '-xzf', packed.stdout.split()[-1]], cwd=folder, check=True)
    with open(os.path.join(folder, 'package/axe.min.js')) as script:
        return script.read()


@unittest.skipUnless(browser_program(), 'no Chromium is installed (tests/packages.txt)')
class OfThePage(unittest.TestCase):
    def open(self, *words, width=1280, height=1000, dark=False, environment=None):
        self.view = View(*words, environment=environment)
        self.addCleanup(self.view.__exit__)
        self.browser = Browser(browser_program())
        self.addCleanup(self.browser.close)
        self.browser.size(width, height, dark)
        self.browser.open(self.view.address)
        self.browser.wait(STANDS)
        return self.browser

    def click(self, selector):
        self.browser.run(f'document.querySelector({selector!r}).click()')

    def choose(self, id_, value):
        self.browser.run(f"(() => {{ const list = document.getElementById({id_!r}); list.value = {value!r}; "
                         "list.dispatchEvent(new Event('change', {bubbles: true})); })()")

    def ask(self, expression):
        self.browser.run(f"(() => {{ document.getElementById('expression').value = {expression!r}; "
                         "document.getElementById('ask').requestSubmit(); })()")

    def go_to(self, cycle):
        self.browser.run(f"(() => {{ document.getElementById('go-to-cycle').value = '{cycle}'; "
                         "document.getElementById('go-to').requestSubmit(); })()")
        self.browser.wait(f'{CYCLE} === {cycle} && {STANDS}')

    def move(self, button):
        """Until the motion is over: the cycle there."""
        self.click(f'#{button}')
        self.browser.wait(STANDS)
        return self.browser.run(CYCLE)

    def assert_no_problems(self):
        self.assertEqual(self.browser.problems(), [])

    def test_source_assembly_and_threads_show_where_each_thread_is(self):
        browser = self.open('bv1', '--packets', '60')
        self.go_to(20000)
        threads = browser.run("[...document.querySelectorAll('#threads tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))")
        self.assertEqual(len(threads), 24)
        self.assertEqual([row[0] for row in threads[:5]], ['0.0', '0.1', '0.2', '0.3', '1.0'])
        self.assertTrue(any(re.fullmatch(r'waiting for \w+, [\d,]+ cycles?', row[2]) for row in threads), threads)
        self.click('#threads tbody tr:nth-child(13) button')  # 3.0
        browser.wait(f"document.getElementById('state-thread').textContent === '3.0' && {STANDS}")
        name, line = browser.run("document.querySelectorAll('#threads tbody tr')[12].cells[3].innerText").split(':')
        self.assertEqual(browser.run("document.querySelectorAll('#assembly-words .mark.chosen').length"), 1)
        self.assertEqual(browser.run("document.getElementById('engine').value"), '3')
        shown = browser.run("document.querySelector('#source-lines .line.chosen .label').textContent")
        self.assertEqual(shown, line)
        self.assertTrue(browser.run("document.getElementById('file').selectedOptions[0].textContent").endswith(name))
        text = browser.run("document.querySelector('#source-lines .line.chosen code').textContent")
        path = browser.run("document.getElementById('file').value")
        if path.startswith('/'):
            with open(path) as source:
                self.assertEqual(source.read().split('\n')[int(line) - 1], text)
        marks = browser.run("[...document.querySelectorAll('#assembly-words .mark')].map(mark => mark.textContent).sort()")
        self.assertEqual(marks, ['3.0', '3.1', '3.2', '3.3'])
        self.assert_no_problems()

    def test_steps_go_on_and_back_by_line_instruction_and_cycle(self):
        browser = self.open('bv1', '--packets', '60')
        self.go_to(20000)
        for granularity in ('statement', 'instruction', 'cycle'):
            self.choose('granularity', granularity)
            begin = browser.run(CYCLE)
            on = [self.move('step') for _ in range(3)]
            self.assertEqual(on, sorted({begin + 1, *on} - {begin} if granularity == 'cycle' else set(on)))
            self.assertGreater(on[0], begin)
            self.assertEqual([self.move('step-back') for _ in range(2)], on[1::-1])
            if granularity == 'cycle':
                self.assertEqual(on, [begin + 1, begin + 2, begin + 3])
        self.assert_no_problems()

    def test_both_ends_of_time_are_said(self):
        browser = self.open('ls', '--packets', '40')
        self.assertEqual(self.move('step-back'), 0)
        self.assertEqual(browser.run(STATUS), 'This is the beginning of the run, cycle 0.')
        end = self.move('continue')
        self.assertRegex(browser.run(STATUS), rf'^The run has ended at cycle {end}: ')
        self.assertEqual(self.move('step'), end)
        self.assertLess(self.move('step-back'), end)
        self.assertRegex(browser.run(STATUS), r'^Stands at cycle [\d,]+, thread \d\.\d$')
        self.assert_no_problems()

    def test_it_plays_at_a_speed_in_both_directions_until_it_is_paused(self):
        browser = self.open('bv1', '--packets', '400')  # does not end while it plays
        self.go_to(20000)
        self.choose('speed', '1000')
        self.click('#play')
        browser.wait(f'{CYCLE} >= 20500')
        self.assertEqual(browser.run(STATUS), 'Playing')
        self.click('#pause')
        browser.wait(STANDS)
        at = browser.run(CYCLE)
        self.assertEqual(at % 100, 0)  # a tenth of a second at 1,000 cycles per second
        self.assertLess(at, 60000)
        self.click('#play-back')
        browser.wait(f'{CYCLE} <= {at - 300}')
        self.click('#pause')
        browser.wait(STANDS)
        self.assertEqual(browser.run(CYCLE) % 100, 0)
        self.assert_no_problems()

    def test_play_stops_at_a_breakpoint_that_was_set_by_the_keyboard(self):
        browser = self.open('bv1', '--packets', '60')
        self.choose('engine', '1')
        browser.wait("document.getElementById('assembly-words').getAttribute('aria-label').startsWith('Assembly of engine 1')")
        browser.run("document.getElementById('assembly-words').focus()")
        for _ in range(30):
            browser.press('ArrowDown')
        browser.press('Enter')
        browser.wait(f"{STATUS} === 'Breakpoint at word 30 of engine 1'")
        self.choose('speed', '100000')
        browser.press('F9')
        browser.wait(f"{STATUS}.includes('instruction breakpoint')")
        browser.wait(STANDS)
        self.assertEqual(browser.run("document.querySelector('#assembly-words .line.chosen').dataset.index"), '30')
        stopped = browser.run(CYCLE)
        browser.press('F8', shift=True)
        browser.wait(f"{STATUS} === 'This is the beginning of the run, cycle 0.'")
        browser.press('F8')
        browser.wait(f'{CYCLE} === {stopped} && {STANDS}')
        self.assert_no_problems()

    def test_a_packet_is_clicked_and_followed_to_its_verdict_and_out_of_the_chip(self):
        browser = self.open('bv1', '--packets', '400')
        self.go_to(20000)
        number = browser.run("Number([...document.querySelectorAll('#packets tbody tr')].find(row => "
                             "row.cells[2].innerText === 'no verdict yet').cells[0].innerText)")
        self.click(f'#packets [data-key="{number}"]')
        browser.wait(f"document.querySelector('#followed h3')?.textContent === 'Packet {number}'")
        facts = browser.run("Object.fromEntries([...document.querySelectorAll('#followed dt')].map(name => [name.textContent, name.nextSibling.textContent]))")
        for name in ('Where it is', 'Verdict', 'Rule of the reference', 'Source', 'Destination', 'Protocol'):
            self.assertIn(name, facts)
        self.assertRegex(facts['Source'], r'^\d+\.\d+\.\d+\.\d+$')
        self.click('#followed [data-key=verdict]')
        browser.wait(f"{STANDS} && "
                     "/rule \\d+|no match/.test(document.querySelector('#followed dl').children[7].textContent)")
        facts = browser.run("Object.fromEntries([...document.querySelectorAll('#followed dt')].map(name => [name.textContent, name.nextSibling.textContent]))")
        self.assertEqual(facts['Verdict'], facts['Rule of the reference'])
        self.assertRegex(facts['Where it is'], r'^thread [1-4]\.[0-3], buffer in ')
        carrier = re.match(r'thread (\S+),', facts['Where it is']).group(1)
        self.assertEqual(browser.run("document.querySelector('#picture .thread.followed title').textContent").split(':')[0], f'thread {carrier}')
        self.choose('speed', '10000')
        self.click('#play')
        browser.wait("document.querySelector('#followed dd').textContent.startsWith('not in the chip')")
        self.click('#pause')
        browser.wait(STANDS)
        self.assert_no_problems()

    def test_the_picture_shows_engines_queues_and_units_as_they_fill(self):
        browser = self.open('bv1', '--packets', '400')
        self.assertEqual(browser.run("document.querySelectorAll('#picture .engine').length"), 6)
        self.assertEqual(browser.run("[...document.querySelectorAll('#picture .queue > text')].map(text => text.textContent)"),
                         ['received: 0 of 2,048', 'classified: 0 of 256'])
        self.go_to(30000)
        self.ask('queues')
        said = browser.wait("/received: \\[/.test(document.getElementById('log').innerText) && document.getElementById('log').innerText")
        wanted = {name: sum(map(int, counts.split(','))) for name, counts in re.findall(r'(\w+): \[([\d,]+)\]', said)}
        self.assertGreater(sum(wanted.values()), 0)
        self.assertEqual(browser.run("[...document.querySelectorAll('#picture .queue > text')].map(text => text.textContent)"),
                         [f"received: {wanted['received']} of 2,048", f"classified: {wanted['classified']} of 256"])
        heights = browser.run("[...document.querySelectorAll('#picture .queue')].map(queue => [...queue.querySelectorAll('.level')].filter(level => level.getAttribute('height') > 0).length)")
        self.assertEqual([height > 0 for height in heights], [wanted['received'] > 0, wanted['classified'] > 0])
        self.assertIn('queue received', browser.run("document.querySelector('#picture svg').getAttribute('aria-label')"))
        self.assert_no_problems()

    def test_a_misclassified_packet_is_followed_back_to_its_line(self):
        """docs/debugging/README.md: a comparison of linear search is wrong by one. NPLAB_SCREENSHOTS: a folder for the picture."""
        data = tempfile.TemporaryDirectory()
        self.addCleanup(data.cleanup)
        for folder in ('mappings', 'workloads', 'simulator/chips', 'isa'):
            shutil.copytree(os.path.join(CHECKOUT, folder), os.path.join(data.name, folder))
        task = os.path.join(data.name, 'mappings/linear-search/search.c')
        with open(task) as read:
            text = read.read()
        wrong = text.replace('return value > range_end', 'return value >= range_end')
        self.assertNotEqual(text, wrong)
        with open(task, 'w') as out:
            out.write(wrong)
        line = wrong[:wrong.index('return value >= range_end')].count('\n') + 1
        browser = self.open('ls', '--packets', '500', environment={'NPLAB_DATA': data.name})
        self.move('continue')
        self.assertRegex(browser.run(STATUS), r'^Stopped at cycle [\d,]+ by exception, thread \d\.\d: packet 14 .* the reference says rule 3')
        packet = browser.run("[...document.querySelectorAll('#packets tbody tr')].find(row => row.cells[0].innerText === '14').cells[2].innerText")
        self.assertEqual(packet, 'no match, wrong')
        self.choose('file', task)
        browser.wait(f"document.getElementById('source-lines').getAttribute('aria-label').includes('search.c') && "
                     f"!!document.querySelector('#source-lines [data-index=\"{line - 1}\"]')")
        self.click(f'#source-lines [data-index="{line - 1}"] .label')
        browser.wait(f"{STATUS}.endsWith('search.c:{line}')")
        self.move('reverse-continue')
        self.assertRegex(browser.run(STATUS), r'^Stopped at cycle [\d,]+ by breakpoint, thread ')
        browser.wait(f"document.querySelector('#source-lines .line.chosen .label')?.textContent === '{line}'")
        self.assert_no_problems()
        if 'NPLAB_SCREENSHOTS' in os.environ:
            browser.run("document.querySelector('#packets [data-key=\"14\"]').click()")
            browser.wait("!!document.querySelector('#followed h3')")
            browser.screenshot(os.path.join(os.environ['NPLAB_SCREENSHOTS'], 'view.png'))

    def test_a_second_page_says_that_another_shows_the_run(self):
        browser = self.open('ls', '--packets', '40')
        second = Browser(browser_program())
        self.addCleanup(second.close)
        second.open(self.view.address)
        second.wait(f"{STATUS}.startsWith('Another page shows this run')")
        self.assertEqual(self.move('step-back'), 0)
        self.assertEqual(browser.run(STATUS), 'This is the beginning of the run, cycle 0.')

    def test_a_page_loaded_again_goes_on_where_the_run_is_and_its_button_ends_the_command(self):
        browser = self.open('bv1', '--packets', '60')
        self.go_to(4321)
        browser.page('Page.reload')
        browser.wait(f'{STANDS} && {CYCLE} === 4321')
        self.click('#quit')
        browser.wait(f"{STATUS} === 'The session has ended.'")
        self.assertEqual(self.view.end()[0], 0)
        self.assert_no_problems()

    def test_a_program_by_itself_is_shown_with_its_registers_and_output(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, 'hello.c')
        with open(file, 'w') as out:
            out.write('#include <microengine.h>\nint main(void) {\n  for (u32 i = 0; i < 3; i++)\n    console_hex(ctx());\n  return 0;\n}\n')
        browser = self.open(file, '--threads', '2')
        self.assertEqual(browser.run("document.querySelectorAll('#threads tbody tr').length"), 2)
        self.assertTrue(browser.run("document.getElementById('packets').hidden"))
        browser.run("[...document.querySelectorAll('#scopes summary')].find(each => each.textContent.startsWith('General')).click()")
        browser.wait("document.querySelectorAll('#scopes table tr').length >= 16")
        self.move('continue')
        browser.wait("document.getElementById('log').textContent.includes('0x00000001')")
        self.assertRegex(browser.run(STATUS), 'all threads have ended')
        self.assert_no_problems()

    def test_everything_fits_narrow_and_wide_windows(self):
        browser = self.open('bv1', '--packets', '60')
        self.go_to(20000)
        for width in (1280, 800, 390, 320):
            browser.size(width, 900)
            self.assertLessEqual(browser.run('document.documentElement.scrollWidth'), width, width)
            cut = browser.run("[...document.querySelectorAll('header button, header select, header input, main button, main select')]"
                              ".filter(each => !each.closest('.scroll, #scopes')).filter(each => { const box = each.getBoundingClientRect();"
                              " return box.width > 0 && (box.left < 0 || box.right > innerWidth); }).map(each => each.outerHTML)")
            self.assertEqual(cut, [], width)

    def test_all_that_the_mouse_does_is_reached_by_the_tab_key(self):
        browser = self.open('bv1', '--packets', '60')
        self.go_to(20000)
        browser.run("document.activeElement.blur()")
        met, first = [], None
        for _ in range(120):
            browser.press('Tab')
            here = browser.run("(() => { const e = document.activeElement; return e.id || `${e.closest('[id]')?.id} ${e.tagName} ${e.textContent.slice(0, 12)}`; })()")
            if here == first:
                break
            first = first or here
            met.append(here)
        for id_ in ('reverse-continue', 'play-back', 'step-back', 'pause', 'step', 'play', 'continue', 'granularity', 'thread', 'speed',
                    'go-to-cycle', 'misclassified', 'quit', 'file', 'engine', 'source-lines', 'assembly-words', 'expression'):
            self.assertIn(id_, met)
        self.assertIn('threads BUTTON 3.2', met)
        self.assertTrue(any(name.startswith('packets BUTTON') for name in met), met)

    def test_an_accessibility_checker_finds_nothing_serious_light_and_dark(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        checker = accessibility_checker(folder.name)
        if checker is None:
            self.skipTest('npm cannot fetch axe-core (no npm, or no registry)')
        browser = self.open('bv1', '--packets', '60')
        self.go_to(20000)
        self.click('#packets tbody button')
        browser.wait("!!document.querySelector('#followed h3')")
        browser.run("document.querySelectorAll('#scopes details').forEach(details => { details.open = true; })")
        # Of lines and words the first and the marked are enough: its time grows with the square of the page.
        browser.run("document.querySelectorAll('.listing').forEach(list => [...list.children].slice(12).filter(line => !line.matches('.current')).forEach(line => line.remove()))")
        browser.run(checker + '; 1')
        for width, dark in ((1280, False), (1280, True), (390, False)):
            browser.size(width, 1000, dark)
            found = browser.run("axe.run(document, {resultTypes: ['violations']}).then(({violations, passes}) => ({rules: passes.length, "
                                "grave: violations.filter(({impact}) => impact === 'serious' || impact === 'critical')"
                                ".map(({id, nodes}) => `${id}: ${nodes.map(node => node.html).join(', ')}`)}))")
            self.assertEqual(found['grave'], [], (width, dark))
            self.assertGreater(found['rules'], 15)
