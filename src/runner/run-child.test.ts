/** One run of a connector: how it is ended with what it started, and what is kept of its output. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { createLogTail } from './log-tail.ts';
import { type Run, runChild } from './run-child.ts';

describe('runChild', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-child-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function make(name: string, script: string, more: Partial<Run> = {}): Run {
    const binary = join(folder, name);
    writeFileSync(binary, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const env = { PATH: process.env['PATH'] ?? '' };
    const signal = new AbortController().signal;
    return { binary, args: [], env, folder, signal, residentBytes: 2 ** 40, print: () => undefined, ...more };
  }
  const pidIn = (name: string): Promise<number> =>
    until(() => {
      const pid = Number(readFileSync(join(folder, name), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      return pid;
    });
  const gone = (pid: number): Promise<void> => until(() => expect(() => process.kill(pid, 0)).toThrow());

  it('returns the exit code and the output', async () => {
    const { code, endedBy, log } = await runChild(make('fails', 'echo one; echo two >&2; exit 7'));
    expect([code, endedBy, log.text().split('\n').sort()]).toEqual([7, '', ['', 'one', 'two']]);
  });

  it('says why a program did not start', async () => {
    const { code, log } = await runChild({ ...make('none', ''), binary: join(folder, 'absent') });
    expect([code, log.lastLine()]).toEqual([null, expect.stringContaining('ENOENT')]);
  });

  it('kills the group where SIGTERM does not end it', async () => {
    const stop = new AbortController();
    const run = make(
      'stays',
      "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $! > other; echo $$ > own; while :; do sleep 1; done",
    );
    const running = runChild({ ...run, signal: stop.signal, graceMilliseconds: 50 });
    const pids = [await pidIn('own'), await pidIn('other')];
    stop.abort();
    expect(await running).toMatchObject({ code: null, endedBy: 'STOP' });
    await Promise.all(pids.map(gone));
  });

  it('ends what a connector leaves behind', async () => {
    expect(await runChild(make('leaves', 'sleep 60 & echo $! > left'))).toMatchObject({ code: 0, endedBy: '' });
    await gone(await pidIn('left'));
  });

  it('ends one that takes too long, or too much memory', async () => {
    expect(await runChild(make('long', 'exec sleep 60', { milliseconds: 20 }))).toMatchObject({ code: null, endedBy: 'TIME' });
    expect(await runChild(make('large', 'exec sleep 60', { residentBytes: 1000 }))).toMatchObject({ code: null, endedBy: 'MEMORY' });
  });
});

describe('createLogTail', () => {
  it('keeps the end, and the words about warnings wherever they stood', () => {
    const log = createLogTail();
    log.add(Buffer.from('{"msg":"Sync completed with'));
    log.add(Buffer.from(' warnings"}\n'));
    for (let count = 0; count < 20; count++) {
      log.add(Buffer.from(`${'x'.repeat(20_000)}\n`));
    }
    log.add(Buffer.from('the end\n'));
    const text = log.text();
    expect([text.length, text.startsWith('sync completed with warnings\n'), text.endsWith('x\nthe end\n')]).toEqual([65_536, true, true]);
    expect(log.lastLine()).toBe('the end');
  });
});
