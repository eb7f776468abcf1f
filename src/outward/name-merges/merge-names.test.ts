/** Accounts of one app that were stored under two spellings of one name, as a release before did, are made one. */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { addTask, addTasksOf } from '../../../test/support/tasks.ts';
import { inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { getRevocation } from '../../governance/revocations/act.ts';
import { findUnknown } from '../../governance/revocations/record/unknown.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { hasAccess } from '../../governance/tasks/batches/store-gone.ts';
import { mergeNamesJob } from './merge-names.ts';

const removals = useRemovals(['tom']);
const crowd = Array.from({ length: 8 }, (_, index) => `u${index},,Gate`);
const [nfc, nfd] = ['T\u00f6m', 'To\u0308m'];

async function sync(app: string, rows: readonly string[], now: Date): Promise<unknown> {
  const body = Readable.from([['account,email,entitlement', ...crowd, ...rows, ''].join('\n')]);
  const { added, removed, counts } = await importGrants(removals.at(now), { app, allowRemovals: true, source: '' }, { body, encoding: '' });
  await removals.verify(now);
  return { added, removed, accounts: counts?.accounts };
}
/** Imports the rows of two accounts, the first of them long before. */
async function store(app: string, rows: readonly string[]): Promise<void> {
  await sync(
    app,
    rows.filter((row) => row.startsWith('one')),
    june(1),
  );
  await sync(app, rows, june(2));
}
const tenantId = (): string => removals.test.ours.tenant.id;
const merge = (now: Date): Promise<number> => removals.run(mergeNamesJob, tenantId(), now);

/** Stores an account under another spelling of the first one's name; `older` has the key of it. */
async function respell(
  app: string,
  names: readonly [string, string],
  isHolderOlder: boolean,
): Promise<Record<'older' | 'younger', string>> {
  const rows = await removals.test.admin(
    `SELECT a.id FROM accounts a JOIN apps p ON p.tenant_id = a.tenant_id AND p.id = a.app_id WHERE p.display_name = $1 AND a.external_id = ANY ($2)
     ORDER BY array_position($2, a.external_id)`,
    [app, ['one', 'two']],
  );
  const [older, younger] = rows.map(({ id }) => String(id)).sort() as [string, string];
  const set = (id: string, name: string, twin: number) =>
    removals.test.admin('UPDATE accounts SET external_id = $2, twin = $3, display_name = $2 WHERE id = $1', [id, name, twin]);
  await set(older, names[0], isHolderOlder ? 0 : 1);
  await set(younger, names[1], isHolderOlder ? 1 : 0);
  return { older, younger };
}

const accountsOf = (ids: readonly string[]): Promise<Record<string, unknown>[]> =>
  removals.test.admin(
    `SELECT a.id, a.external_key AS key, a.status, a.merged_into_id AS into, (SELECT array_agg(e.external_id ORDER BY e.external_id) FROM grants g
       JOIN entitlements e ON e.tenant_id = g.tenant_id AND e.id = g.entitlement_id AND NOT e.is_app_access
       WHERE g.tenant_id = a.tenant_id AND g.account_id = a.id AND g.removed_revision IS NULL) AS held
     FROM accounts a WHERE a.id = ANY ($1) ORDER BY a.id`,
    [ids],
  );

it.each([
  ['the oldest has the key', true],
  ['the youngest has it', false],
])('with what both hold, where %s', async (what, isHolderOlder) => {
  await store(what, ['one,,Pay', 'two,,Pay', 'two,,Wiki']);
  const ids = await respell(what, [nfc, nfd], isHolderOlder);
  await sync(`${what} else`, ['one,,Pay'], june(2));
  expect(await merge(june(3))).toBe(1);
  expect(await accountsOf([ids.older, ids.younger])).toEqual([
    { id: ids.older, key: nfc, status: 'ENABLED', into: null, held: ['Pay', 'Wiki'] },
    { id: ids.younger, key: `${nfc}\u001f${isHolderOlder ? 1 : -1}`, status: 'DELETED', into: ids.older, held: null },
  ]);
  expect(
    await removals.test.admin(`SELECT target_id, data FROM events WHERE kind = 'account.merged' AND target_id = $1`, [ids.older]),
  ).toEqual([
    {
      target_id: ids.older,
      data: expect.objectContaining({ fromId: ids.younger, fromName: `"${nfd}"`, name: `"${nfc}"`, grantsGained: 1 }),
    },
  ]);
  const counts = await removals.test.admin(
    `SELECT e.grant_count = (SELECT count(*) FROM grants g WHERE g.tenant_id = e.tenant_id AND g.entitlement_id = e.id AND g.removed_revision IS NULL) AS ok,
       p.user_count = (SELECT count(*) FROM accounts a WHERE a.tenant_id = p.tenant_id AND a.app_id = p.id AND a.status <> 'DELETED') AS all
     FROM entitlements e JOIN apps p ON p.tenant_id = e.tenant_id AND p.id = e.app_id WHERE p.display_name = $1`,
    [what],
  );
  expect(counts.every(({ ok, all }) => ok === true && all === true)).toBe(true);
  // Once more, and in whichever spelling the source writes it, nothing is added and nothing ends.
  expect(await merge(june(4))).toBe(0);
  for (const [day, name] of [
    [5, nfd],
    [6, nfc],
  ] as const) {
    expect(await sync(what, [`${name},,Pay`, `${name},,Wiki`], june(day))).toMatchObject({
      added: 0,
      removed: 0,
      accounts: { added: 0, removed: 0 },
    });
  }
});

it('and what asks about the younger one follows: removals, and tasks of reviews that run', async () => {
  await store('Asked', ['one,,Pay', 'two,,Pay', 'two,,Wiki', 'two,,Door']);
  const open = await removals.request('Asked', 'two', 'Wiki', june(3));
  const { db } = removals.test.ours.system;
  const found = await removals.find('Asked', 'two', 'Door');
  const reviewId = await addTasksOf(db, tenantId());
  const taskId = await addTask(db, tenantId(), { reviewId, ...found, isHeld: false });
  const ids = await respell('Asked', [nfc, nfd], true);
  expect(found.accountId).toBe(ids.younger);
  await merge(june(4));
  await removals.verify(june(4));
  const accountOf = async (id: string): Promise<unknown> =>
    (await removals.test.admin('SELECT account_id AS id, state FROM revocations WHERE id = $1', [id]))[0];
  expect(await accountOf(open)).toEqual({ id: ids.older, state: 'IN_PROGRESS' });
  expect(await hasAccess(removals.at(june(4)), taskId)).toBe(true);
  // Denied only now, it is removed from the account that is there.
  await removals.decide(taskId, 'DECERTIFIED', june(5));
  const [denied] = await removals.test.admin('SELECT account_id AS id, state FROM revocations WHERE certify_task_id = $1', [taskId]);
  expect(denied).toEqual({ id: ids.older, state: 'HELD' });
  // Held under the other spelling it is not proven; without it, it is.
  expect(await sync('Asked', [`${nfd},,Pay`, `${nfd},,Wiki`, `${nfd},,Door`], june(15))).toMatchObject({ added: 0, removed: 0 });
  expect(await accountOf(open)).toMatchObject({ state: 'IN_PROGRESS' });
  expect(findUnknown(await getRevocation(removals.at(june(15)), open))?.reason).not.toBe('LOOKS_THE_SAME');
  await sync('Asked', [`${nfd},,Pay`, `${nfd},,Door`], june(16));
  expect(await accountOf(open)).toMatchObject({ state: 'VERIFIED' });
});

it('and a piece that was killed is done again, whole', async () => {
  await store('Killed', ['one,,Pay', 'two,,Wiki']);
  const ids = await respell('Killed', [nfc, nfd], true);
  const before = await accountsOf([ids.older, ids.younger]);
  const killed = new Error('killed');
  const job = { subjectId: tenantId(), cursor: {}, done: 0, total: 0 } as unknown as Job;
  await inTransaction({ ...removals.test.ours.system, now: june(2) }, async (inside) => {
    await mergeNamesJob.handler(inside, job);
    throw killed;
  }).catch((error: unknown) => expect(error).toBe(killed));
  expect(await accountsOf([ids.older, ids.younger])).toEqual(before);
  await merge(june(2));
  expect(await accountsOf([ids.older, ids.younger])).toMatchObject([{ held: ['Pay', 'Wiki'] }, { status: 'DELETED', held: null }]);
});

it('but of a name whose key a deleted account has, whoever is there gets it', async () => {
  await store('Gone', ['one,,Pay', 'two,,Pay']);
  const ids = await respell('Gone', [nfc, nfd], true);
  await removals.test.admin(`UPDATE accounts SET status = 'DELETED', deleted_at = $2 WHERE id = $1`, [ids.older, june(2)]);
  await merge(june(3));
  expect(await accountsOf([ids.older, ids.younger])).toMatchObject([
    { status: 'DELETED', into: null },
    { key: nfc, status: 'ENABLED', into: null },
  ]);
});
