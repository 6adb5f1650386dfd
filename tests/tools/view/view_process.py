"""`nplab view` as a process that serves a page."""
import os
import re
import signal
import subprocess

PROGRAM = ''  # set by view_tests.py


class View:
    def __init__(self, *words, environment=None):
        self.process = subprocess.Popen([PROGRAM, 'view', *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        start_new_session=True, env={**os.environ, **(environment or {})})
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.match(r'http://127\.0\.0\.1:(\d+)/', self.address).group(1)) if self.address else None

    def end(self, timeout=60):
        """(exit status, standard error) of a process that is about to end."""
        _, errors = self.process.communicate(timeout=timeout)
        return self.process.returncode, errors

    def interrupt(self):
        """As Ctrl-C: to all processes of the terminal."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.end()

    def processes(self):
        """Those of its group that are left: the session and the copies of the run."""
        return subprocess.run(['pgrep', '-g', str(self.process.pid)], stdout=subprocess.PIPE, text=True).stdout.split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
