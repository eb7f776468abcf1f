/**
 * Proof by absence in what a connector reads: it may have failed to read a resource, and says so in its own log alone. Every sync at a moment the test sets.
 */
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { importGrants } from '../../inventory/syncs/import-grants.ts';
import { getRevocation } from './act.ts';
import { explainUnknown } from './record/unknown.ts';

const removals = useRemovals(['ann', 'bob', 'cyn']);
const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';

const setKind = (app: string, kind: string): Promise<unknown> =>
  removals.test.ours.system.db.run(
    `UPDATE sources s SET kind = $3 FROM apps p WHERE p.tenant_id = $1 AND p.display_name = $2 AND s.tenant_id = $1 AND s.app_id = p.id`,
    [removals.test.ours.tenant.id, app, kind],
  );

/** Imports rows of "account resource entitlement" as a source whose connector speaks to us would bring them. */
async function sync(app: string, rows: readonly string[], now: Date): Promise<void> {
  const lines = rows
    .map((row) => row.split(' '))
    .map(([account, resource, held]) => `${account},${account}@example.com,USER,ENABLED,role,${resource},${held},,`);
  await setKind(app, 'FILE');
  await importGrants(
    removals.at(now),
    { app, allowRemovals: true },
    { body: Readable.from([[header, ...lines, ''].join('\n')]), encoding: '' },
  );
  await setKind(app, 'BATON');
  await removals.verify(now);
}
const stateOf = async (id: string): Promise<string> => (await removals.read(id)).state;
const unknownOf = async (id: string): Promise<string> => explainUnknown(await getRevocation(removals.at(june(28)), id));
const others = ['bob Side read', 'cyn Side read'];

it('where nobody else holds anything on the resource takes a second sync, an hour later or more', async () => {
  await sync('Alone', ['ann Main pay', ...others], june(1));
  const id = await removals.request('Alone', 'ann', 'pay', june(5));
  await sync('Alone', others, june(6, 12));
  expect(await stateOf(id)).toBe('IN_PROGRESS');
  expect(await unknownOf(id)).toMatch(/^Not known: sync \w+ no longer has it, nor anything on the same resource, .* Another sync/);
  await sync('Alone', [...others, 'bob Side write'], new Date(june(6, 12).getTime() + 59 * 60_000));
  expect(await stateOf(id)).toBe('IN_PROGRESS');
  await sync('Alone', [...others, 'bob Side write'], june(6, 13));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('where others still hold something on the resource is proven at once', async () => {
  await sync('Shared', ['ann Main pay', 'bob Main read', ...others], june(1));
  const id = await removals.request('Shared', 'ann', 'pay', june(5));
  await sync('Shared', ['bob Main read', ...others], june(6));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('that its connector carried out is proven at once', async () => {
  await sync('Carried', ['ann Main pay', ...others], june(1));
  const id = await removals.request('Carried', 'ann', 'pay', june(5));
  await removals.test.ours.system.db.run(
    `INSERT INTO removal_sendings (tenant_id, revocation_id, source_id, way, state, planned_at) VALUES ($1, $2, 's', 'GRANT', 'DONE', $3)`,
    [removals.test.ours.tenant.id, id, june(5)],
  );
  await sync('Carried', others, june(6));
  expect(await stateOf(id)).toBe('VERIFIED');
});

it('of before the request counts by the same rule', async () => {
  await sync('Before', ['ann Main pay', 'cyn Main pay', ...others], june(1));
  await removals.deny('Before', 'ann', 'pay', june(5));
  await sync('Before', ['cyn Main pay', ...others], june(6));
  await removals.close(june(7));
  const { db } = removals.test.ours.system;
  const [row] = await db.rows<{ state: string }>(
    `SELECT r.state FROM revocations r JOIN apps p ON p.tenant_id = $1 AND p.id = r.app_id WHERE r.tenant_id = $1 AND p.display_name = 'Before'`,
    [removals.test.ours.tenant.id],
  );
  expect(row?.state).toBe('VERIFIED');
  await sync('Once', ['ann Main pay', ...others], june(1));
  await removals.deny('Once', 'ann', 'pay', june(5));
  await sync('Once', others, june(6));
  await removals.close(june(7));
  const [once] = await db.rows<{ id: string; state: string }>(
    `SELECT r.id, r.state FROM revocations r JOIN apps p ON p.tenant_id = $1 AND p.id = r.app_id WHERE r.tenant_id = $1 AND p.display_name = 'Once'`,
    [removals.test.ours.tenant.id],
  );
  expect(once?.state).toBe('IN_PROGRESS');
  await sync('Once', others, june(8));
  expect(await stateOf(once?.id ?? '')).toBe('VERIFIED');
});
