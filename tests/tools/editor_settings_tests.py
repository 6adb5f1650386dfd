#!/usr/bin/env python3
"""Settings that `nplab new EDITOR` writes.
usage: editor_settings_tests.py PROGRAM"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ''
WRONG = 'int main(void) {\n  return nothing;\n}\n'


def nplab(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class OfEditors(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name

    def tearDown(self):
        self.temporary.cleanup()

    def written(self, editor):
        done = nplab(self.folder, 'new', editor, 'ls')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        files = done.stdout.split()
        self.assertTrue(all(os.path.isfile(os.path.join(self.folder, name)) for name in files), files)
        return files

    def text_of(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def message(self):
        """What nplab says of a wrong program."""
        with open(os.path.join(self.folder, 'wrong.c'), 'w') as out:
            out.write(WRONG)
        return nplab(self.folder, 'cc', 'wrong.c', '-S').stderr.splitlines()[0]

    def test_vscode_gets_sessions_tasks_whose_errors_are_found_and_schemas(self):
        self.assertEqual([name for name in self.written('vscode') if not name.startswith('.nplab/')],
                         ['.vscode/launch.json', '.vscode/tasks.json', '.vscode/settings.json'])
        launch = json.loads(self.text_of('.vscode/launch.json'))
        self.assertEqual([one['program'] for one in launch['configurations']], ['ls', '${file}'])
        tasks = json.loads(self.text_of('.vscode/tasks.json'))['tasks']
        self.assertEqual([one['args'] for one in tasks], [['check', 'ls'], ['run', 'ls'], ['cc', '${file}', '-S']])
        pattern = tasks[0]['problemMatcher']['pattern']
        found = re.match(pattern['regexp'], self.message())
        self.assertEqual([found[pattern[key]] for key in ('file', 'line', 'column', 'severity')],
                         ['wrong.c', '2', '10', 'error'])
        schemas = json.loads(self.text_of('.vscode/settings.json'))['yaml.schemas']
        self.assertEqual(schemas['./.nplab/schemas/manifest.json'], ['manifest.yaml'])
        for schema in schemas:
            kind = os.path.basename(schema)[:-len('.json')]
            self.assertEqual(self.text_of(schema), nplab(self.folder, 'schema', kind).stdout)

    def test_the_extension_of_vscode_has_the_same_problem_matcher(self):
        self.written('vscode')
        package = os.path.join(os.path.dirname(__file__), '../../editors/vscode/package.json')
        with open(package) as file:
            mine = json.load(file)['contributes']['problemMatchers'][0]
        task = json.loads(self.text_of('.vscode/tasks.json'))['tasks'][0]
        self.assertEqual(task['problemMatcher']['pattern'], mine['pattern'])

    def test_neovim_gets_a_session_and_the_form_of_errors(self):
        self.assertIn('.nvim.lua', self.written('neovim'))
        text = self.text_of('.nvim.lua')
        self.assertIn("program = 'ls'", text)
        for opening, closing in ['{}', '()', '[]']:
            self.assertEqual(text.count(opening), text.count(closing), opening)
        if shutil.which('luac'):
            subprocess.run(['luac', '-p', os.path.join(self.folder, '.nvim.lua')], check=True)

    def test_emacs_gets_a_session_and_the_form_of_errors(self):
        self.assertIn('nplab.el', self.written('emacs'))
        text = self.text_of('nplab.el')
        self.assertIn(':program "ls"', text)
        expression = re.search(r"'\(nplab (\"\^.*\") 1 2 3", text)[1]
        # From Emacs' notation of groups to Python's.
        pattern = json.loads(expression).replace(r'\(', '(').replace(r'\)', ')').replace(r'\|', '|')
        self.assertEqual(re.match(pattern, self.message()).groups(), ('wrong.c', '2', '10', None))
        if shutil.which('emacs'):
            subprocess.run(['emacs', '--batch', '-l', os.path.join(self.folder, 'nplab.el')], check=True)

    def test_settings_that_exist_are_left_as_they_are(self):
        for editor, name in [('vscode', '.vscode/launch.json'), ('neovim', '.nvim.lua'), ('emacs', 'nplab.el')]:
            self.written(editor)
            path = os.path.join(self.folder, name)
            with open(path, 'w') as out:
                out.write('mine')
            again = nplab(self.folder, 'new', editor)
            self.assertEqual(again.returncode, 2)
            self.assertIn(f'{name}: error: already exists', again.stderr)
            self.assertEqual(self.text_of(name), 'mine')

    def test_clangd_gets_no_settings_for_a_mapping_that_is_not_there(self):
        done = nplab(self.folder, 'new', 'clangd', 'ls', 'bv9')
        self.assertEqual(done.returncode, 2)
        self.assertIn('bv9: error', done.stderr)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == '__main__':
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
