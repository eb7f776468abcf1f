/** The list of unsteady tests: what a line says, how many there may be, and how long they count. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readUnsteady, stillUnsteady } from './unsteady.ts';

const line = 'test/api/roles.test.ts | roles > may do this | 2026-11-01 | expected 200 to be 403 | of three';

describe('test/unsteady.txt', () => {
  it('reads what a line says, and leaves comments alone', () => {
    expect(readUnsteady(`# a comment\n\n${line}\n`)).toEqual([
      {
        file: 'test/api/roles.test.ts',
        test: 'roles > may do this',
        date: new Date('2026-11-01'),
        message: 'expected 200 to be 403 | of three',
      },
    ]);
  });

  it.each([
    'test/api/roles.test.ts',
    'test/api/roles.test.ts | a | yesterday | b',
    'a.ts | a | 2026-11-01 | b',
    'a.test.ts | a | 2026-11-01 | ',
  ])('refuses "%s"', (one) => {
    expect(() => readUnsteady(one)).toThrow('file | test | date | message');
  });

  it('refuses more than ten', () => {
    expect(readUnsteady(`${line}\n`.repeat(10))).toHaveLength(10);
    expect(() => readUnsteady(`${line}\n`.repeat(11))).toThrow('more than 10');
  });

  it('counts for a month', () => {
    const all = readUnsteady(line);
    expect(stillUnsteady(all, new Date('2026-12-01T12:00:00Z'))).toHaveLength(1);
    expect(stillUnsteady(all, new Date('2026-12-03T00:00:00Z'))).toHaveLength(0);
  });

  it('names files that are there', () => {
    const top = join(import.meta.dirname, '../..');
    const missing = readUnsteady(readFileSync(join(top, 'test/unsteady.txt'), 'utf8')).filter(({ file }) => !existsSync(join(top, file)));
    expect(missing).toEqual([]);
  });
});
