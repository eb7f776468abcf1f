/** Log lines on a disk that is full, and on one that has space again. */
import { openSync } from 'node:fs';
import { platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createLogDestination } from './log-destination.ts';

function failing(code: string): never {
  throw Object.assign(new Error(code), { code });
}

describe('a destination of log lines', () => {
  it('leaves out what does not fit, and says how much when it can write again', () => {
    const written: string[] = [];
    let isFull = false;
    const log = createLogDestination(1, ((_descriptor: number, bytes: Buffer) => {
      if (isFull) {
        failing('ENOSPC');
      }
      written.push(bytes.toString());
      return bytes.length;
    }) as never);
    log.write('one\n');
    isFull = true;
    log.write('two\n');
    log.write('three\n');
    isFull = false;
    log.write('four\n');
    expect(written).toEqual(['one\n', expect.stringMatching(/"level":"warn".*"lines":2.*are lost"}\n$/), 'four\n']);
  });

  it('begins a new line behind one that was cut off', () => {
    let text = '';
    let left = 6;
    const log = createLogDestination(1, ((_descriptor: number, bytes: Buffer) => {
      const size = Math.min(left, bytes.length);
      if (size === 0) {
        failing('ENOSPC');
      }
      text += bytes.toString('utf8', 0, size);
      left -= size;
      return size;
    }) as never);
    log.write('one\n');
    log.write('second\n');
    left = 1_000;
    log.write('third\n');
    expect(text.split('\n')).toEqual(['one', 'se', expect.stringContaining('"lines":1'), 'third', '']);
  });

  it('waits for a reader that is slow', () => {
    let tries = 0;
    const log = createLogDestination(1, ((_descriptor: number, bytes: Buffer) =>
      ++tries < 3 ? failing('EAGAIN') : bytes.length) as never);
    log.write('one\n');
    expect(tries).toBe(3);
  });

  it.skipIf(platform() !== 'linux')('does not throw where the device is full', () => {
    const log = createLogDestination(openSync('/dev/full', 'w'));
    log.write('one\n');
    log.write('two\n');
  });
});
