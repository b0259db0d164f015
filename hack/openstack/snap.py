#!/usr/bin/python3
# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0
"""snap.py save|reset RUN: copies every database to or from RUN/saved.

SQLite's own backup is safe while the servers run: it takes the locks, and a
connection that is open sees the other contents at its next transaction.
"""
import glob
import os
import sqlite3
import sys
import time

how, run = sys.argv[1:]
began = time.monotonic()
saved = run + '/saved'
os.makedirs(saved, exist_ok=True)
files = glob.glob(run + '/db/*.sqlite')
if not files:
    sys.exit('no databases in %s: are the servers up?' % run)
for live in files:
    copy = os.path.join(saved, os.path.basename(live))
    here, there = (live, copy) if how == 'save' else (copy, live)
    source, target = sqlite3.connect(here), sqlite3.connect(there, timeout=10)
    target.execute('PRAGMA synchronous=off')
    source.backup(target)
    source.close()
    target.close()
print('%s in %.3f s' % (how, time.monotonic() - began))
