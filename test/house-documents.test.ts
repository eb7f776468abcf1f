/** That the rules for documents which stand in no other file can fail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driftOfModules, unknownLabels } from './house/documents.ts';

describe('the map of the modules', () => {
  const map =
    '| layer | module | its subject |\n|---|---|---|\n| one | `apps`, `people` | who `else` |\n\n`src/domains/order.ts` has a place for `webhooks`.\n';

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
