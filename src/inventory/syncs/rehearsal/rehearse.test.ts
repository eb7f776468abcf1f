/** Dry runs: what one says of a file is what the import of the same file then does, whatever stood before, and each leaves everything as it was. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../../test/support/database.ts';
import {
  bodyOf,
  grantsHeader,
  makeTenant,
  openFixture,
  peopleHeader,
  refusalOf,
  type TestTenant,
} from '../../../../test/support/inventory.ts';
import { importGrants } from '../import-grants.ts';
import { importPeople } from '../import-people.ts';
import { type Rehearsal, rehearse } from './rehearse.ts';

let test: TestDatabase;
let tenant: TestTenant;
beforeAll(async () => {
  test = await openFixture();
});
afterAll(() => test.close());
beforeEach(() => {
  tenant = makeTenant(test);
});

const upload = (header: string, lines: readonly string[]) => ({ body: bodyOf(`${[header, ...lines].join('\n')}\n`), encoding: '' });

function tryGrants(lines: readonly string[], after?: readonly string[], allowRemovals = true): Promise<Rehearsal> {
  const request = { app: 'Wiki', allowRemovals };
  return rehearse(after, (rehearsing) => importGrants(tenant.context(), request, upload(grantsHeader, lines), rehearsing));
}

function tryPeople(lines: readonly string[], allowRemovals = true): Promise<Rehearsal> {
  const request = { source: '', allowRemovals };
  return rehearse(undefined, (rehearsing) => importPeople(tenant.context(), request, upload(peopleHeader, lines), rehearsing));
}

const countsOf = ({ added, changed, removed, unchanged, rows, warningCount, counts }: Rehearsal['row']) => ({
  added,
  changed,
  removed,
  unchanged,
  rows,
  warningCount,
  counts,
});

/** The differences by what they are. */
function tally({ differences }: Rehearsal): Record<string, number> {
  const found: Record<string, number> = { ADDED: 0, CHANGED: 0, REMOVED: 0 };
  for (const { change } of differences) {
    found[change] = (found[change] ?? 0) + 1;
  }
  return found;
}

const grant = (account: string, entitlement: string, usedAt = '', email = ''): string =>
  `${account},${email},USER,ENABLED,role,Main,${entitlement},,${usedAt}`;
const person = (name: string, department = 'Law', status = 'ACTIVE'): string => `${name}@x.example,${name},,${department},Clerk,${status}`;

describe('a dry run of grants', () => {
  const before = [grant('a', 'read'), grant('a', 'pay'), grant('b', 'read'), grant('c', 'read'), grant('d', 'read')];

  it.each<[string, readonly string[]]>([
    ['the same file', before],
    ['one more', [...before, grant('e', 'read')]],
    ['one less', before.slice(1)],
    ['another time of use', [grant('a', 'read', '2026-01-01T00:00:00Z'), ...before.slice(1)]],
    ['an account with an owner', [...before.slice(0, 2), grant('b', 'read', '', 'ann@x.example'), ...before.slice(3)]],
    ['another account for one', [...before.slice(0, 4), grant('z', 'read')]],
    ['nothing that was there', [grant('y', 'write')]],
    ['the same grant twice', [...before, before[0] ?? '']],
  ])('says of %s what the import does', async (_name, lines) => {
    await tenant.people([person('ann')]);
    await tenant.grants(before);
    const tried = await tryGrants(lines);
    const again = await tryGrants(lines);
    const done = await tenant.grants(lines, { allowRemovals: true });
    expect(countsOf(tried.row)).toEqual(countsOf(done));
    expect(again.differences).toEqual(tried.differences);
    expect(tally(tried)).toEqual({ ADDED: done.added, CHANGED: done.changed, REMOVED: done.removed });
    expect((await tryGrants(lines)).differences).toEqual([]);
  });

  it('of the first file of an app makes no app', async () => {
    const tried = await tryGrants(before);
    expect(tally(tried)).toEqual({ ADDED: 5, CHANGED: 0, REMOVED: 0 });
    const apps = await tenant.context().db.rows('SELECT id FROM apps WHERE tenant_id = $1', [tenant.tenantId]);
    expect(apps).toEqual([]);
  });

  it('goes on behind any of its differences', async () => {
    await tenant.grants(before);
    const lines = [...before.slice(2), grant('e', 'read'), grant('f', 'read')];
    const whole = (await tryGrants(lines)).differences;
    expect(whole.map(({ account, change }) => `${change} ${account}`)).toEqual(['REMOVED a', 'REMOVED a', 'ADDED e', 'ADDED f']);
    for (const [index, { place, change }] of whole.entries()) {
      expect((await tryGrants(lines, [place, change])).differences).toEqual(whole.slice(index + 1));
    }
  });

  it('remembers what the guard would say, and refuses a file that is wrong', async () => {
    await tenant.grants(before);
    expect((await tryGrants(before.slice(3), undefined, false)).refusal).toMatch(/would end 3 of the 5 grants/);
    expect(await refusalOf(tryGrants([grant('', 'read')]))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    const syncs = await tenant.context().db.rows('SELECT state FROM syncs WHERE tenant_id = $1', [tenant.tenantId]);
    expect(syncs).toEqual([{ state: 'DONE' }]);
  });
});

describe('a dry run of people', () => {
  const before = [person('ann'), person('bob'), person('cyn'), person('dan'), person('eve')];

  it.each<[string, readonly string[]]>([
    ['the same file', before],
    ['one more', [...before, person('fay')]],
    ['one less', before.slice(1)],
    ['another department', [person('ann', 'Finance'), ...before.slice(1)]],
    ['somebody who left', [person('ann', 'Law', 'TERMINATED'), ...before.slice(1)]],
    ['others alone', [person('gus'), person('hal')]],
  ])('says of %s what the import does', async (_name, lines) => {
    await tenant.people(before);
    const tried = await tryPeople(lines);
    const done = await tenant.people(lines, { allowRemovals: true });
    expect(countsOf(tried.row)).toEqual(countsOf(done));
    expect(tried.differences).toHaveLength(done.added + done.changed + done.removed);
    expect((await tryPeople(lines)).differences).toEqual([]);
  });

  it('says which texts of a person become which', async () => {
    await tenant.people(before);
    const { differences } = await tryPeople([
      person('ann', 'Finance'),
      'bob@x.example,Robert,ann@x.example,Law,Clerk,ACTIVE',
      ...before.slice(2),
    ]);
    expect(differences.map(({ person: name, fields }) => [name, fields.map((field) => Object.values(field).join(' '))])).toEqual([
      ['ann', ['department Law Finance']],
      ['Robert', ['displayName bob Robert', 'manager  ann@x.example']],
    ]);
  });
});
