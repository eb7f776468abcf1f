/** That the rules for documents which stand in no other file can fail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driftOfModules, unheldPoints, unknownLabels } from './house/documents.ts';

describe('the map of the modules', () => {
  const map =
    '| layer | module | its subject |\n|---|---|---|\n| one | `apps`, `people` | who `else` |\n\n`src/order.ts` has a place for `webhooks`.\n';

  it('names what is built, and what is not', () => {
    expect(driftOfModules(['apps', 'people', 'webhooks'], ['apps', 'people'], map)).toEqual([]);
  });

  it('is refused where it lacks a module, has one too many, or says that one is not built that is', () => {
    expect(driftOfModules(['apps', 'people', 'tasks', 'webhooks'], ['apps', 'people', 'tasks'], map)).toEqual([
      expect.stringContaining('tasks'),
    ]);
    expect(driftOfModules(['apps', 'webhooks'], ['apps'], map)).toEqual([expect.stringContaining('names people')]);
    expect(driftOfModules(['apps', 'people', 'webhooks'], ['apps', 'people', 'webhooks'], map)).toHaveLength(2);
  });
});

describe('the labels of a document', () => {
  it('are those of the console, a menu before its entry', () => {
    const named = (text: string) => unknownLabels({ path: 'docs/a.md', text }, ['Settings', 'Roles', 'Submit {count, plural, other {#}}']);
    expect(named('Press *Settings*, then *Settings, Roles* and *Submit*. It is *not* one, **Nor this**.')).toEqual([]);
    expect(named('Press *Set-up*.')).toEqual(['docs/a.md names Set-up: no text of the console says that']);
    expect(named('Press *Settings, Role*.')).toHaveLength(1);
  });
});

describe('the size of an installation', () => {
  it('is the same in README.md and in docs/operations.md', () => {
    const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
    const [, toRun, toDevelop] = /about (\d+) MB on disk.*adds (\d+) MB for developers/s.exec(read('README.md')) ?? [];
    const rowOf = (way: string): number =>
      Number(new RegExp(`^\\| a clone, \`${way}\` \\| (\\d+) MB`, 'm').exec(read('docs/operations.md'))?.[1]);
    expect([Number(toRun), Number(toRun) + Number(toDevelop)]).toEqual([rowOf('npm run demo'), rowOf('npm ci')]);
  });
});

describe('a point of 21 CFR Part 11 about signatures', () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

  it('that the product has a part in is held by a test that is named by it', () => {
    expect(unheldPoints(read('docs/compliance.md'), read('test/api/part-11.test.ts'))).toEqual([]);
  });

  it('is named where it has no test, and a test where it has no point', () => {
    const table = '### Signatures: 11.50\n| 50(a) | x | product | y |\n| 70 | x | both | y |\n| 100(b) | x | you | y |\n### What to set up';
    expect(unheldPoints(table, "it('11.50(a), 11.300(c): x', () => {});")).toEqual([
      'no test is named by 11.70',
      '11.300(c) has a test and no row',
    ]);
  });
});
