/** The end of grants that were given until a date: what is due and what is not ours to end, in chunks, and when the job looks again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { insertEntitlement, type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import type { ChunkResult, Job } from '../../jobs/index.ts';
import { inTransaction } from '../../context.ts';
import { newId } from '../../wire/ids.ts';
import { deleteApp } from './deletion/delete-app.ts';
import { addAccounts, giveGrants, takeRevision } from '../ledger/index.ts';
import { addMembers } from './add-members.ts';
import { changeDuration } from './change-duration.ts';
import { expireJob, expireKind, expiryChunk } from './expire.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const minute = 60_000;
const at = (minutes: number): Date => new Date(start + minutes * minute);

describe('expiry', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let app: ManualApp;
  let number = 0;

  /** One chunk of the job at this moment. */
  const look = (minutes: number): Promise<ChunkResult> =>
    tenant.context(at(minutes)).db.transaction((db) => expireJob.handler({ ...tenant.context(at(minutes)), db }, { done: 0 } as Job));
  const waiting = (): Promise<{ runAt: Date }[]> =>
    tenant
      .context()
      .db.rows(`SELECT run_at AS "runAt" FROM jobs WHERE tenant_id = $1 AND kind = $2 AND state = 'CALLED' ORDER BY run_at`, [
        tenant.tenantId,
        expireKind,
      ]);
  const accountOf = async (person: number): Promise<string> =>
    (
      await tenant
        .context()
        .db.one<{ id: string }>('SELECT id FROM accounts WHERE app_id = $1 AND user_id = $2', [app.appId, app.userIds[person]])
    ).id;
  const give = (entitlementId: string, ...people: number[]): Promise<unknown> =>
    addMembers(
      tenant.context(at(0)),
      app.appId,
      entitlementId,
      people.map((person) => app.userIds[person] ?? ''),
    );
  const until = async (entitlementId: string, person: number, minutes: number | null): Promise<void> =>
    changeDuration(
      tenant.context(at(0)),
      app.appId,
      { entitlementId, accountId: await accountOf(person) },
      minutes === null ? null : at(minutes),
    );
  const open = async (): Promise<number> =>
    (
      await tenant
        .context()
        .db.one<{ n: number }>('SELECT count(*) AS n FROM grants WHERE app_id = $1 AND removed_revision IS NULL', [app.appId])
    ).n;

  beforeAll(async () => {
    test = await openFixture();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    tenant = makeTenant(test);
    app = await makeManualApp(tenant.context(at(0)), `app${number++}`, 2, 3);
  });

  it('ends what is due and nothing else, and waits for the next date', async () => {
    const [first = '', second = ''] = app.entitlementIds;
    await give(first, 0, 1, 2);
    await give(second, 0);
    await until(first, 0, 10);
    await until(first, 1, 20);
    expect(await look(9)).toBe('finished');
    expect(await open()).toBe(7);
    expect(await look(10)).toMatchObject({ done: 1 });
    expect(await open()).toBe(6);
    // A chunk that is done again, or at the same moment, finds nothing.
    expect(await look(10)).toBe('finished');
    expect(await look(30)).toMatchObject({ done: 1 });
    expect(await look(30)).toBe('finished');
    expect(await open()).toBe(5);
    const causes = await tenant
      .context()
      .db.rows<{ cause: string; actor: string }>(
        'SELECT cause, actor_id AS actor FROM inventory_revisions WHERE app_id = $1 ORDER BY revision DESC LIMIT 2',
        [app.appId],
      );
    expect(causes).toEqual([
      { cause: 'EXPIRY', actor: '' },
      { cause: 'EXPIRY', actor: '' },
    ]);
  });

  it('ends a manual account with all it holds, when its app access is over', async () => {
    const [first = '', second = ''] = app.entitlementIds;
    await give(first, 0, 1);
    await give(second, 0);
    await until(app.appAccessId, 0, 10);
    await until(first, 0, 10);
    expect(await look(10)).toMatchObject({ done: 3 });
    expect(await look(10)).toBe('finished');
    expect(await open()).toBe(2);
    const { status } = await tenant.context().db.one<{ status: string }>('SELECT status FROM accounts WHERE id = $1', [await accountOf(0)]);
    expect(status).toBe('DELETED');
  });

  it('leaves to sources what is theirs, and to deleted apps what they had', async () => {
    const context = tenant.context(at(0));
    const told = await insertEntitlement(context, app.appId, 'told', 3);
    await give(app.entitlementIds[0] ?? '', 0);
    const ids = await inTransaction(context, async (inside) => {
      const change = { appId: app.appId, revision: await takeRevision(inside, app.appId, 'IMPORT'), sourceNo: 3 };
      const made = await addAccounts(inside, change, [{ externalId: 'x', email: '', displayName: '', userId: app.userIds[1] ?? '' }]);
      await giveGrants(inside, change, [{ entitlementId: told, accountId: made.get('x') ?? '' }], at(5));
      return [...made.values()];
    });
    await changeDuration(context, app.appId, { entitlementId: app.appAccessId, accountId: ids[0] ?? '' }, at(6));
    expect(await look(100)).toBe('finished');
    expect(await open()).toBe(4);
    await until(app.entitlementIds[0] ?? '', 0, 7);
    await deleteApp(tenant.context(at(1)), app.appId);
    expect(await look(100)).toBe('finished');
  });

  it('goes on in chunks, each a revision and an event', async () => {
    const context = tenant.context(at(0));
    const count = expiryChunk + 5;
    await inTransaction(context, async (inside) => {
      const change = { appId: app.appId, revision: await takeRevision(inside, app.appId, 'MANUAL'), sourceNo: 0 };
      const accounts = Array.from({ length: count }, (_, index) => ({
        externalId: `${newId(context.now)}-${index}`,
        email: '',
        displayName: '',
        userId: app.userIds[0] ?? '',
      }));
      const made = await addAccounts(inside, change, accounts);
      const pairs = [...made.values()].map((accountId) => ({ entitlementId: app.entitlementIds[0] ?? '', accountId }));
      await giveGrants(inside, change, pairs, at(1));
    });
    expect(await look(2)).toMatchObject({ done: expiryChunk });
    expect(await look(2)).toMatchObject({ done: 5 });
    expect(await look(2)).toBe('finished');
    expect(await open()).toBe(count);
    const events = await tenant
      .context()
      .db.rows<{ n: number }>(
        `SELECT (data ->> 'count')::int AS n FROM events WHERE tenant_id = $1 AND kind = 'grants.expired' ORDER BY id`,
        [tenant.tenantId],
      );
    expect(events.map(({ n }) => n)).toEqual([expiryChunk, 5]);
  });

  it('is called for by each change, and by the job at the earliest date that is left', async () => {
    const [first = ''] = app.entitlementIds;
    const callsAt = async (): Promise<number[]> => (await waiting()).map(({ runAt }) => (runAt.getTime() - start) / minute);
    await give(first, 0, 1);
    expect(await callsAt()).toEqual([]);
    await until(first, 0, 30);
    // At once: the job finds out when it is needed.
    expect(await callsAt()).toEqual([0]);
    await until(first, 0, null);
    expect(await callsAt()).toEqual([0]);
    await until(first, 1, 20);
    await until(first, 0, 40);
    // What was refused leaves nothing behind.
    await expect(until('0'.repeat(27), 0, 10)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await callsAt()).toEqual([0, 0, 0]);
    // As the runner does: the calls are taken when a job is made of them.
    await tenant.context().db.run("DELETE FROM jobs WHERE kind = $1 AND state = 'CALLED'", [expireKind]);
    expect(await look(1)).toBe('finished');
    expect(await look(1)).toBe('finished');
    expect(await callsAt()).toEqual([20]);
  });
});
