#!/usr/bin/env python3
"""Runs a command that serves a page until it is stopped: waits for the address that it prints, fetches the page, and stops it
as Ctrl-C does. Its exit status is the command's, or 1 when the page is not served.
usage: served.py COMMAND..."""
import signal
import subprocess
import sys
import urllib.request

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
address = process.stdout.readline().strip()
served = False
try:
    if address:
        print(address)
        served = "<title>nplab view</title>" in urllib.request.urlopen(address, timeout=60).read().decode()
finally:
    process.send_signal(signal.SIGINT)
status = process.wait(timeout=60)
sys.exit(status if served or status != 0 else 1)
