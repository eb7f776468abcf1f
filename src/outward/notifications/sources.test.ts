/** Mails about sources that fetch, over a real mail server, with files in a real folder and a clock that is moved. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../test/support/mail-run.ts';
import { readMessage } from '../../../test/support/mail-server.ts';
import { enqueueJob } from '../../jobs/index.ts';
import { createConnectorCredential } from '../../foundation/credentials/index.ts';
import { createFetchEffect, fetchKind, jobKinds as fetchJobs, lookKind } from '../../inventory/fetches/index.ts';
import { confirmFetch, discardFetch } from '../../inventory/fetches/hold.ts';
import { setSchedule } from '../../inventory/fetches/set-schedule.ts';
import { changeSource, createSource, setPaused } from '../../inventory/sources/change-source.ts';
import { changeNotificationSettings, everybody } from './settings/settings.ts';

const root = mkdtempSync(join(tmpdir(), 'care-'));
const installation = { importDir: root, settleMs: 0, outgoing: { allowed: [], allowsLocal: true } };

let run: MailRun;
let folder: string;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T07:50:00Z', {
    handlers: fetchJobs,
    effects: (clock) => new Map([[fetchKind, createFetchEffect(installation, clock)]]),
  });
  folder = join(root, run.ours.tenant.host.split(':')[0] ?? '');
  mkdirSync(folder);
  // What the company is made of grows old, too.
  await run.admin('UPDATE sources SET stale_after = 34560000');
});
afterAll(async () => {
  await run.close();
  rmSync(root, { recursive: true });
});

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement\n';
/** Writes a file with this many grants, as it would have been written at a moment. */
function write(name: string, grants: number, at: string): void {
  const rows = Array.from({ length: grants }, (_, n) => `a${n},,USER,ENABLED,role,R${n},read\n`);
  writeFileSync(join(folder, name), header + rows.join(''));
  utimesSync(join(folder, name), new Date(at), new Date(at));
}
async function make(displayName: string, owner?: string): Promise<string> {
  const config = { '@type': 'type.googleapis.com/countersign.v1.FolderSettings', pattern: `${displayName}.csv` };
  const userIds = owner === undefined ? [] : [await run.userId(owner)];
  const { id } = await createSource(run.as(), run.appId, { displayName, config, userIds });
  await setSchedule(run.as(), run.appId, id, { cronSpec: '0 * * * *', timezone: 'UTC' });
  return id;
}
async function lookAt(moment: string): Promise<void> {
  await run.moveTo(moment);
  const { db, tenantId, now } = run.as();
  await enqueueJob(db, { tenantId, kind: lookKind, subjectId: tenantId }, now);
  await run.moveTo(new Date(now.getTime() + 6 * 60_000).toISOString());
}
const news = (): string[] => run.news().map((line) => line.slice(18));
const states = async (id: string): Promise<string[]> =>
  (await run.admin('SELECT state FROM fetches WHERE source_id = $1 ORDER BY id', [id])).map(({ state }) => String(state));

describe('mails about sources', () => {
  it('tell its owner when fetches fail, once and then each day, and when they work again', async () => {
    const id = await make('failing', 'bob');
    await run.moveTo('2026-06-01T08:20:00Z');
    expect((await states(id)).slice(0, 3)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect(news()).toEqual(['bob: Fetches of "Ledger: failing" fail']);
    expect(readMessage(run.mail.to('bob@mail.example').at(-1)?.raw ?? '').text).toContain('No file fits "failing.csv"');
    await run.moveTo('2026-06-01T10:30:00Z');
    expect(news()).toEqual([]);
    await run.wakeAt('2026-06-02T09:30:00Z');
    await run.moveTo('2026-06-02T09:40:00Z');
    expect(news()).toEqual(['bob: Fetches of "Ledger: failing" fail']);
    write('failing.csv', 1, '2026-06-02T09:00:00Z');
    await run.moveTo('2026-06-02T12:10:00Z');
    expect((await states(id)).at(-1)).toMatch(/DONE|UNCHANGED/);
    expect(news()).toEqual(['bob: Fetches of "Ledger: failing" work again']);
    await setPaused(run.as(), run.appId, id, true);
  });

  it('tell once that a dead export grew old, though it is looked at each hour', async () => {
    await run.wakeAt('2026-06-08T07:50:00Z');
    const id = await make('dead', 'dan');
    await run.admin('UPDATE sources SET stale_after = 86400 WHERE id = $1', [id]);
    write('dead.csv', 1, '2026-06-08T07:00:00Z');
    await run.moveTo('2026-06-08T08:10:00Z');
    expect(await states(id)).toEqual(['DONE']);
    await run.wakeAt('2026-06-10T08:10:00Z');
    await lookAt('2026-06-10T09:10:00Z');
    expect((await states(id)).slice(1)).toEqual(['UNCHANGED', 'UNCHANGED']);
    expect(news()).toEqual(['dan: The data of "Ledger: dead" are too old']);
    await lookAt('2026-06-10T10:10:00Z');
    await lookAt('2026-06-10T11:10:00Z');
    expect(news()).toEqual([]);
    await run.wakeAt('2026-06-11T10:00:00Z');
    await lookAt('2026-06-11T10:10:00Z');
    expect(news()).toEqual(['dan: The data of "Ledger: dead" are too old']);
    write('dead.csv', 1, '2026-06-11T10:30:00Z');
    await run.moveTo('2026-06-11T11:10:00Z');
    await run.wakeAt('2026-06-12T11:10:00Z');
    expect(news()).toEqual([]);
    await setPaused(run.as(), run.appId, id, true);
  });

  it('tell that a fetch is held once a day, whatever takes its place, and nothing once it is decided', async () => {
    await run.wakeAt('2026-06-15T07:50:00Z');
    const id = await make('held');
    // Whoever made it is its owner; without one the Super Administrators are told.
    await changeSource(run.as(), run.appId, id, { userIds: [] }, ['userIds']);
    write('held.csv', 20, '2026-06-15T07:00:00Z');
    await run.moveTo('2026-06-15T08:10:00Z');
    write('held.csv', 5, '2026-06-15T08:30:00Z');
    await run.moveTo('2026-06-15T09:10:00Z');
    expect(await states(id)).toEqual(['DONE', 'HELD']);
    expect(news()).toEqual(['admin@ours.example: A fetch of "Ledger: held" is held']);
    write('held.csv', 4, '2026-06-15T09:30:00Z');
    await run.moveTo('2026-06-15T10:10:00Z');
    expect(await states(id)).toEqual(['DONE', 'SUPERSEDED', 'HELD']);
    expect(news()).toEqual([]);
    await run.wakeAt('2026-06-16T09:10:00Z');
    await run.moveTo('2026-06-16T09:20:00Z');
    expect(news()).toEqual(['admin@ours.example: A fetch of "Ledger: held" is held']);
    const [held] = await run.admin("SELECT id FROM fetches WHERE source_id = $1 AND state = 'HELD'", [id]);
    await discardFetch(run.as(), String(held?.id), 'An export of a test');
    await run.wakeAt('2026-06-17T09:30:00Z');
    await run.moveTo('2026-06-17T09:40:00Z');
    // The same file again is not held again.
    expect(await states(id)).toEqual(['DONE', 'SUPERSEDED', 'DISCARDED', 'UNCHANGED', 'UNCHANGED']);
    expect(news()).toEqual([]);
    // Who wants no such mail gets none.
    const off = { email: { enabled: true, connectorIssues: { enabled: false } } };
    await changeNotificationSettings(run.as(), everybody, off);
    write('held.csv', 3, '2026-06-17T09:45:00Z');
    await run.moveTo('2026-06-17T10:10:00Z');
    expect((await states(id)).at(-1)).toBe('HELD');
    expect(news()).toEqual([]);
    await changeNotificationSettings(run.as(), everybody, {});
    const [last] = await run.admin("SELECT id FROM fetches WHERE source_id = $1 AND state = 'HELD'", [id]);
    await confirmFetch(run.as(), run.appId, id, String(last?.id));
    await setPaused(run.as(), run.appId, id, true);
  });

  it('tell once that nobody uses a credential of a connector, and that one ends', async () => {
    await run.wakeAt('2026-06-22T08:00:00Z');
    const config = { '@type': 'type.googleapis.com/countersign.v1.BatonSettings', program: 'baton-demo' };
    const { id } = await createSource(run.as(), run.appId, { displayName: 'talks', config, userIds: [await run.userId('ann')] });
    const of = { sourceId: id, appId: run.appId };
    const { row } = await createConnectorCredential(run.as(), of, { host: 'ours.example', displayName: '', secretLabel: 'test' });
    await run.moveTo('2026-06-22T08:10:00Z');
    expect(news()).toEqual([]);
    await run.wakeAt('2026-09-21T08:00:00Z');
    await run.moveTo('2026-09-21T08:30:00Z');
    expect(news()).toEqual(['ann: A credential of "Ledger: talks" is not used']);
    expect(readMessage(run.mail.to('ann@mail.example').at(-1)?.raw ?? '').text).toContain(row.clientId);
    await run.admin("UPDATE personal_clients SET expires_at = '2026-09-23T00:00:00Z' WHERE id = $1", [row.id]);
    await run.wakeAt('2026-09-22T08:00:00Z');
    await run.moveTo('2026-09-22T08:30:00Z');
    expect(news()).toEqual(['ann: A credential of "Ledger: talks" ends']);
    await run.wakeAt('2026-09-23T08:00:00Z');
    await run.moveTo('2026-09-23T08:30:00Z');
    expect(news()).toEqual([]);
  });
});
