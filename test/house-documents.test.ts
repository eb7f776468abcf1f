/** That the rules for documents which stand in no other file can fail. */
import { describe, expect, it } from 'vitest';
import { driftOfModules } from './house/documents.ts';

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
