/** Schedules, pauses and ages with a clock that stands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Job } from '../../jobs/index.ts';
import { reactions } from '../../reactions.ts';
import { ensureApp } from '../catalog/index.ts';
import { importGrants } from '../syncs/import-grants.ts';
import { createSource, setPaused } from '../sources/change-source.ts';
import { findFetchSource } from '../sources/index.ts';
import { followKind, jobKinds, lookKind } from './jobs.ts';
import { setSchedule } from './set-schedule.ts';
import { listFetches } from './store.ts';
import { Readable } from 'node:stream';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at\n';

describe('the jobs of fetches', () => {
  let test: TwoTenants;
  let appId: string;
  const at = (moment: string): Context => ({ ...test.ours.system, now: new Date(moment) });
  const asAdmin = (moment: string): Context => ({ ...test.ours.admin, now: new Date(moment) });
  const run = (kind: string, moment: string, subjectId: string) =>
    inTransaction(
      at(moment),
      (inside) => jobKinds.get(kind)?.handler(inside, { subjectId, cursor: {} } as unknown as Job) ?? Promise.reject(),
    );
  const make = async (moment: string): Promise<string> => {
    const config = { '@type': 'type.googleapis.com/countersign.v1.FolderSettings', pattern: 'a.csv' };
    return (await createSource(asAdmin(moment), appId, { config })).id;
  };
  const states = async (id: string) =>
    (await listFetches(test.ours.system, { sourceId: id }, undefined, 50)).map(({ state, reason }) => `${reason} ${state}`);
  const nextOf = async (id: string) => (await findFetchSource(test.ours.system, id))?.nextAt?.toISOString().slice(0, 16);
  const events = async (id: string, kind: string) =>
    test.admin(`SELECT data FROM events WHERE target_id = '${id}' AND kind = '${kind}' ORDER BY id`);

  beforeAll(async () => {
    test = await openTwoTenants(reactions);
    appId = (await inTransaction(test.ours.admin, (inside) => ensureApp(inside, 'Wiki'))).id;
  });
  afterAll(() => test.close());

  it('fetch once after three days without service, and count what was missed', async () => {
    const id = await make('2026-05-01T00:00:00Z');
    await setSchedule(asAdmin('2026-05-01T00:30:00Z'), appId, id, { cronSpec: '0 */4 * * *', timezone: 'UTC' });
    expect(await nextOf(id)).toBe('2026-05-01T04:00');
    await run('fetch.due', '2026-05-01T03:59:59Z', id);
    expect(await states(id)).toEqual([]);
    await run('fetch.due', '2026-05-04T03:59:00Z', id);
    expect(await states(id)).toEqual(['SCHEDULED WAITING']);
    expect(await events(id, 'connector.fetch_missed')).toMatchObject([{ data: { count: 17 } }]);
    expect(await nextOf(id)).toBe('2026-05-04T04:00');
    // The first still waits.
    await run('fetch.due', '2026-05-04T04:00:00Z', id);
    expect(await states(id)).toEqual(['SCHEDULED SKIPPED', 'SCHEDULED WAITING']);
  });

  it('end what waits of a source that is paused, and go on by the schedule when it is resumed', async () => {
    const id = await make('2026-05-01T00:00:00Z');
    await run(followKind, '2026-05-01T00:00:01Z', id);
    const next = await nextOf(id);
    expect(next).toMatch(/^2026-05-01T00:/);
    // One moment has come, whichever minute follows from the id.
    await run('fetch.due', '2026-05-01T00:15:59Z', id);
    await setPaused(asAdmin('2026-05-01T00:17:00Z'), appId, id, true);
    await run(followKind, '2026-05-01T00:17:01Z', id);
    expect(await states(id)).toEqual(['SCHEDULED SKIPPED']);
    expect(await nextOf(id)).toBeUndefined();
    await setPaused(asAdmin('2026-05-02T00:00:00Z'), appId, id, false);
    await run(followKind, '2026-05-02T00:00:01Z', id);
    expect(await nextOf(id)).toMatch(/^2026-05-02T00:/);
    expect(await events(id, 'connector.fetch_missed')).toEqual([]);
  });

  it('say once that data are too old, and take it back when they are not', async () => {
    const sent = (text: string) => ({ body: Readable.from([Buffer.from(text)]), encoding: '' });
    const upload = (moment: string, text: string) => importGrants(at(moment), { app: 'Old', allowRemovals: true }, sent(header + text));
    const { sourceId } = await upload('2026-05-01T00:00:00Z', 'a,,USER,ENABLED,role,A,read,,\n');
    const stale = async () => (await test.admin(`SELECT stale_since FROM sources WHERE id = '${sourceId}'`))[0]?.stale_since;
    await run(lookKind, '2026-05-07T23:59:00Z', test.ours.system.tenantId);
    expect(await stale()).toBeNull();
    await run(lookKind, '2026-05-08T00:00:00Z', test.ours.system.tenantId);
    await run(lookKind, '2026-05-09T00:00:00Z', test.ours.system.tenantId);
    expect(await stale()).toEqual(new Date('2026-05-08T00:00:00Z'));
    expect(await events(sourceId, 'connector.stale')).toHaveLength(1);
    await upload('2026-05-10T00:00:00Z', 'a,,USER,ENABLED,role,A,read,,\n');
    await run(lookKind, '2026-05-10T01:00:00Z', test.ours.system.tenantId);
    expect(await stale()).toBeNull();
  });
});
