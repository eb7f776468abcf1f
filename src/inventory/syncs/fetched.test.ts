/** Rows of a fetch take the way of a file, with what is known of the fetch: since when its data hold, and whether they are whole. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { bodyOf, grantsHeader, makeTenant, openFixture, peopleHeader, type TestTenant } from '../../../test/support/inventory.ts';
import type { FetchedFacts } from '../../lib/tables/fetched-table.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import { type FetchedFile, openFetched } from './rows/fetched-rows.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const earlier = new Date('2026-01-01T00:00:00Z');
const facts: FetchedFacts = { observedFrom: earlier, incompleteReason: '', warnings: [] };

function rowsOf(kind: 'PEOPLE' | 'GRANTS', header: string, lines: readonly string[], more: Partial<FetchedFacts>, file?: FetchedFile) {
  const rows = lines.map((line) => line.split(','));
  async function* batches() {
    yield await Promise.resolve(rows.slice(0, 2));
    yield rows.slice(2);
  }
  const opened = openFetched({ kind, columns: header.split(','), batches: batches() }, file);
  return { opened, facts: () => ({ ...facts, ...more }), fetchId: 'f1' };
}

const grants = (lines: readonly string[], more: Partial<FetchedFacts> = {}, file?: FetchedFile) =>
  importGrants(tenant.context(), { app: 'Wiki', allowRemovals: true }, rowsOf('GRANTS', grantsHeader, lines, more, file));
const grant = (account: string, entitlement: string) => `${account},,USER,ENABLED,role,Main,${entitlement},,`;

describe('fetched grants', () => {
  it('become what the same file would, and say what they are of', async () => {
    const done = await grants([grant('a\\b', 'read'), grant('Total', 'read'), grant('c', 'read')]);
    expect(done).toMatchObject({ added: 3, fileFormat: '', observedFrom: earlier, isComplete: true, incompleteReason: '', fetchId: 'f1' });
    expect(await tenant.grants([grant('a\\b', 'read'), grant('Total', 'read'), grant('c', 'read')])).toMatchObject({
      ...{ added: 0, changed: 0, removed: 0, isComplete: true, fetchId: null },
    });
  });

  it('of a file have its format and its hash', async () => {
    const file = { format: 'C1Z', sha256: 'ab' } as const;
    expect(await grants([grant('a', 'read')], {}, file)).toMatchObject({ fileFormat: 'C1Z', fileSha256: 'ab' });
  });

  it('end nothing where something may be missing, and what is missing from the next whole fetch ends then', async () => {
    const all = ['a', 'b', 'c'].map((name) => grant(name, 'read'));
    await grants(all);
    const part = await grants([grant('a', 'write')], { incompleteReason: 'INGEST_DROPPED', warnings: ['2 were dropped'] });
    expect(part).toMatchObject({ added: 1, removed: 0, isComplete: false, incompleteReason: 'INGEST_DROPPED', warningCount: 1 });
    expect(part.warnings).toEqual([{ line: 0, column: '', reason: '2 were dropped' }]);
    expect(part.counts.accounts).toMatchObject({ removed: 0 });
    expect(await grants(all)).toMatchObject({ added: 0, removed: 1, isComplete: true });
    expect(await grants(all, { warnings: ['slow'] })).toMatchObject({ removed: 0, unchanged: 3, warningCount: 1 });
    expect(await grants(all)).toMatchObject({ unchanged: 3, warningCount: 0 });
  });

  it('are never of a later moment than the import', async () => {
    const now = new Date('2026-05-01T00:00:00Z');
    const rows = rowsOf('GRANTS', grantsHeader, [grant('a', 'read')], { observedFrom: new Date('2027-01-01T00:00:00Z') });
    const done = await importGrants(tenant.context(now), { app: 'Wiki', allowRemovals: false }, rows);
    expect(done.observedFrom).toEqual(now);
  });

  it('with a row of more texts than columns are refused', async () => {
    await expect(grants([`${grant('a', 'read')},x`])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(grants([grant('a'.repeat(70_000), 'read')])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('fetched people', () => {
  const person = (name: string) => `${name}@x.example,${name},,,,ACTIVE`;
  const people = (lines: readonly string[], more: Partial<FetchedFacts> = {}) =>
    importPeople(tenant.context(), { source: '', allowRemovals: true }, rowsOf('PEOPLE', peopleHeader, lines, more));

  it('who may be missing stay as they are', async () => {
    await people(['ann', 'bob'].map(person));
    expect(await people([person('ann')], { incompleteReason: 'PARTIAL' })).toMatchObject({ removed: 0, isComplete: false });
    expect(await people([person('ann')])).toMatchObject({ removed: 1, isComplete: true, observedFrom: earlier });
  });
});

describe('an upload', () => {
  const send = (observedFrom: Date) =>
    importGrants(
      tenant.context(),
      { app: 'Wiki', allowRemovals: false, observedFrom },
      { body: bodyOf(`${grantsHeader}\n${grant('a', 'read')}\n`), encoding: '' },
    );

  it('is of the moment that it says, unless that is still to come', async () => {
    expect(await send(earlier)).toMatchObject({ observedFrom: earlier, isComplete: true, fetchId: null });
    await expect(send(new Date(Date.now() + 60_000))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      violations: [{ field: 'observedFrom', description: 'is in the future' }],
    });
  });
});
