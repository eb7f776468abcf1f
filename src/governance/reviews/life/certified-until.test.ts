/** Access that was certified until a date: which review asks about it again, when, and that it does so once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { updateTimeZone } from '../../../foundation/tenants/index.ts';
import { closeReview } from './close.ts';
import { listScopeEntries } from '../../snapshots/scope/store-scope-lists.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const all = ['a1,ann', 'a2,bob', 'a3,dan'].flatMap((who) =>
  ['pay', 'read'].map((what) => `${who}@mail.example,USER,ENABLED,role,Ledger,${what}`),
);

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
  await run.importGrants([header, ...all], 'Ledger');
});
afterAll(() => run.close());

/** Approves the item of an account, until then; amends what was decided before where `amend` says so. */
async function certify(reviewId: string, account: string, what: string, until: string, amend = false): Promise<void> {
  const [task] = await run.admin(
    `SELECT t.id, s.user_ids[1] AS asked FROM tasks t JOIN accounts a ON a.tenant_id = t.tenant_id AND a.app_id = t.app_id AND a.id = t.account_id
     JOIN entitlements e ON e.tenant_id = t.tenant_id AND e.app_id = t.app_id AND e.id = t.entitlement_id
     LEFT JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id
     WHERE t.review_id = $1 AND a.external_id = $2 AND e.external_id = $3`,
    [reviewId, account, what],
  );
  const decision = { taskId: String(task?.id), comment: amend ? 'Changed' : '', policyStepId: '', amend };
  await decideTask(
    run.as(String(task?.asked)),
    until === '' ? { ...decision, decision: 'DENY' } : { ...decision, decision: 'APPROVE', certifyUntil: new Date(until) },
  );
}

/** The reviews that ask again, each with its name, state and items. */
const followed = async (reviewId: string): Promise<string[]> =>
  (
    await run.admin(
      `SELECT r.state, r.document ->> 'displayName' AS name, (SELECT string_agg(a.external_id || ' ' || e.external_id, ', ' ORDER BY a.external_id, e.external_id)
         FROM tasks t JOIN accounts a ON a.tenant_id = t.tenant_id AND a.app_id = t.app_id AND a.id = t.account_id
         JOIN entitlements e ON e.tenant_id = t.tenant_id AND e.app_id = t.app_id AND e.id = t.entitlement_id WHERE t.review_id = r.id) AS items
       FROM reviews r WHERE r.duplicated_from_id = $1 ORDER BY r.id COLLATE "C"`,
      [reviewId],
    )
  ).map(({ state, name, items }) => `${state} ${name}: ${items}`);

const ends = async (reviewId: string): Promise<string[]> =>
  (
    await run.admin('SELECT data FROM events WHERE kind = \'review.certification_ended\' AND target_id = $1 ORDER BY id COLLATE "C"', [
      reviewId,
    ])
  ).map(({ data }) => {
    const { until, items, accessEnded } = data as { until: string; items: number; accessEnded: number };
    return `${until}: ${items} again, ${accessEnded} ended`;
  });

describe('access that is certified until a date', () => {
  it('is asked about again by one review for all of a day, which has exactly those items and starts by itself', async () => {
    const id = await run.open({ displayName: 'June', completionDate: '2026-06-15T12:00:00Z', reviewInstructions: 'Look.' });
    await certify(id, 'a1', 'read', '2026-07-10T15:00:00Z');
    await certify(id, 'a2', 'pay', '2026-07-10T08:00:00Z');
    await certify(id, 'a1', 'pay', '2026-07-20T08:00:00Z');
    await certify(id, 'a3', 'pay', '2026-07-20T08:00:00Z');
    await run.finish(id, 'max');
    await closeReview(run.as(), id, '');
    await run.settle();
    await run.moveTo('2026-07-10T14:59:00Z');
    // The last of the day has not come.
    expect(await followed(id)).toEqual([]);
    await run.moveTo('2026-07-10T15:10:00Z');
    expect(await followed(id)).toEqual(['OPEN June, certified until 2026-07-10: a1 read, a2 pay']);
    const [next] = await run.admin('SELECT * FROM reviews WHERE duplicated_from_id = $1', [id]);
    expect(next).toMatchObject({
      predecessor_id: id,
      created_by_id: run.ours.adminId,
      document: { reviewInstructions: 'Look.', scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_UNSPECIFIED', autoCloseCampaign: false },
    });
    // As many days as the one before had.
    expect(next).toMatchObject({ document: { completionDate: expect.stringMatching(/^2026-07-24T/) } });
    expect(await listScopeEntries(run.as(), String(next?.id))).toHaveLength(2);
    // What has ended meanwhile is not asked about.
    await run.importGrants([header, ...all.filter((line) => !line.startsWith('a1') || !line.endsWith('pay'))], 'Ledger');
    await run.moveTo('2026-07-21T00:00:00Z');
    expect(await followed(id)).toEqual([
      'OPEN June, certified until 2026-07-10: a1 read, a2 pay',
      'OPEN June, certified until 2026-07-20: a3 pay',
    ]);
    expect(await ends(id)).toEqual(['2026-07-10: 2 again, 0 ended', '2026-07-20: 1 again, 1 ended']);
    await run.importGrants([header, ...all], 'Ledger');
  });

  it('is asked about again after a time in which nothing ran, each day by its own review, and once', async () => {
    const id = await run.open({ displayName: 'July' });
    await certify(id, 'a1', 'pay', '2026-08-02T08:00:00Z');
    await certify(id, 'a2', 'pay', '2026-08-01T08:00:00Z');
    await certify(id, 'a3', 'pay', '2026-08-03T08:00:00Z');
    // Amended: only what stands in the end counts.
    await certify(id, 'a3', 'pay', '', true);
    await run.wakeAt('2026-08-20T08:00:00Z');
    await run.moveTo('2026-08-20T08:10:00Z');
    const both = ['OPEN July, certified until 2026-08-01: a2 pay', 'OPEN July, certified until 2026-08-02: a1 pay'];
    expect(await followed(id)).toEqual(both);
    await run.wakeAt('2026-09-20T08:00:00Z');
    expect(await followed(id)).toEqual(both);
    expect(await ends(id)).toEqual(['2026-08-01: 1 again, 0 ended', '2026-08-02: 1 again, 0 ended']);
  });

  it('ends with the day where the tenant is', async () => {
    const { db, tenantId } = run.as();
    await updateTimeZone(db, tenantId, 'America/New_York');
    const id = await run.open({ displayName: 'Zone' });
    // The same day there, and two in UTC.
    await certify(id, 'a1', 'pay', '2026-10-05T23:00:00Z');
    await certify(id, 'a2', 'pay', '2026-10-06T03:00:00Z');
    await run.moveTo('2026-10-05T23:30:00Z');
    expect(await followed(id)).toEqual([]);
    await run.moveTo('2026-10-06T03:10:00Z');
    expect(await followed(id)).toEqual(['OPEN Zone, certified until 2026-10-05: a1 pay, a2 pay']);
  });

  it('is asked about again where a resource passes it on', async () => {
    const via = (line: string): string => (line.startsWith('a1') && line.endsWith('read') ? `${line},role/Ledger/pay` : `${line},`);
    await run.importGrants([`${header},granted_via`, ...all.map(via)], 'Ledger');
    const id = await run.open({ displayName: 'Links', scopeV2: { principalTypeFilter: 'PRINCIPAL_TYPE_FILTER_RESOURCES' } });
    const [task] = await run.admin("SELECT id FROM tasks WHERE review_id = $1 AND principal_kind = 'R'", [id]);
    const decision = { taskId: String(task?.id), decision: 'APPROVE' as const, comment: '', policyStepId: '' };
    await decideTask(run.as(), { ...decision, certifyUntil: new Date('2026-10-20T12:00:00Z') });
    await run.moveTo('2026-10-20T12:10:00Z');
    const found = await run.admin(
      'SELECT r.state, t.principal_kind AS kind FROM reviews r JOIN tasks t ON t.review_id = r.id WHERE r.duplicated_from_id = $1',
      [id],
    );
    expect(found).toEqual([{ state: 'OPEN', kind: 'R' }]);
    await run.importGrants([header, ...all], 'Ledger');
  });

  it('of a review that was deleted is not asked about', async () => {
    const id = await run.open({ displayName: 'Gone' });
    await certify(id, 'a1', 'pay', '2026-11-05T12:00:00Z');
    await run.admin("UPDATE reviews SET state = 'DELETED' WHERE id = $1", [id]);
    await run.moveTo('2026-11-06T00:00:00Z');
    expect([await followed(id), await ends(id)]).toEqual([[], []]);
  });

  it('is asked about again of what it went on as, where a name was stored twice', async () => {
    await run.importGrants([header, ...all, 'a2,bob@mail.example,USER,ENABLED,role,Ledger,pay2'], 'Ledger');
    const id = await run.open({ displayName: 'Merged' });
    await certify(id, 'a2', 'pay2', '2026-11-20T12:00:00Z');
    await run.admin("UPDATE entitlements SET external_id = 'pay ', twin = 1 WHERE external_id = 'pay2'");
    await run.importGrants([header, ...all], 'Ledger');
    await run.moveTo('2026-11-20T12:10:00Z');
    expect(await followed(id)).toEqual(['OPEN Merged, certified until 2026-11-20: a2 pay']);
  });
});
