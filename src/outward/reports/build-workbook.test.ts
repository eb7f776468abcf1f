/** Reports as Excel files of reviews that ran: each sheet tells what the rest of the program tells, and a job that is killed loses nothing. */
import { expect, describe, it } from 'vitest';
import { makeReport } from '../../../test/support/make-report.ts';
import { readXlsx } from '../../../test/support/read-xlsx.ts';
import { approve, useReviewRun } from '../../../test/support/review-run.ts';
import { addTasksOf } from '../../../test/support/tasks.ts';
import { newId } from '../../wire/ids.ts';
import { signNow } from '../../foundation/log-proofs/index.ts';
import { closeReview } from '../../governance/reviews/life/close.ts';
import { listSourceCounts } from '../../governance/snapshots/index.ts';
import { decideTask } from '../../governance/tasks/decisions/decide.ts';
import { type ExclusionRow, listExclusions } from './store-left.ts';

const run = useReviewRun();
const maximum = { maxExpansion: 1_000, maxRowBytes: 1e6 };

async function readObjects(file: Buffer, sheet: string): Promise<Record<string, string>[]> {
  const { rows, faults } = await readXlsx(file, sheet, maximum);
  expect(faults).toEqual([]);
  const [head = [], ...rest] = rows;
  return rest.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}

/** The person whose accounts hold the most. */
function findHolder(): Promise<{ id: string }> {
  return run.test.admin().db.one<{ id: string }>(
    `SELECT a.user_id AS id FROM accounts a JOIN grants g ON g.tenant_id = $1 AND g.account_id = a.id
     WHERE a.tenant_id = $1 AND a.user_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    [run.test.ours.tenant.id],
  );
}

describe('a report as an Excel file', () => {
  it('has the same bytes and hash wherever its job was killed, and every item once', async () => {
    const context = run.test.admin();
    const { db, tenantId } = context;
    const reviewId = await addTasksOf(db, tenantId);
    const count = 4_321;
    await db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
       SELECT $1, $2 || id_suffix(n), $3, n, 'app', 'e' || n, 'acc', 'policy', $4, $4 FROM generate_series(1, $5::bigint) n`,
      [tenantId, newId(new Date()).slice(0, 19), reviewId, new Date(), count],
    );
    const whole = await makeReport(context, reviewId, 'XLSX');
    expect(whole.chunks).toBeGreaterThan(3);
    const killed = await makeReport(context, reviewId, 'XLSX', true);
    expect(killed.sha256).toBe(whole.sha256);
    expect(killed.file.equals(whole.file)).toBe(true);
    const items = await readObjects(whole.file, 'Decisions 1');
    expect(items.map(({ Task }) => Number(Task))).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it('tells of reviewers, sources, what was left out and what was removed', async () => {
    const someone = await findHolder();
    const review = await run.opened({ scopeV2: { selectedUsers: { userIds: [someone.id] } } });
    const first = await run.someTask(review.id);
    await decideTask(run.test.admin(), approve(first.id));
    const second = await run.someTask(review.id);
    await decideTask(run.test.admin(), { ...approve(second.id), decision: 'DENY', comment: '=left' });
    await closeReview(run.test.admin(), review.id, 'CLOSE_DECISION_SKIP');
    await run.test.until(review.id, 'CLOSED');
    await signNow(run.test.admin());
    const { file } = await makeReport(run.test.admin(), review.id, 'XLSX');

    const items = await readObjects(file, 'Decisions 1');
    expect(items.map(({ Outcome }) => Outcome)).toEqual(expect.arrayContaining(['Certified', 'Revoked']));
    const summary = await readXlsx(file, 'Summary', maximum);
    expect(summary.rows).toEqual(
      expect.arrayContaining([
        ['Items', String(items.length)],
        ['Certified', '1'],
        ['Denied or revoked', '1'],
        ['Skipped when the review was closed', String(items.length - 2)],
        ['Share decided by people', String(2 / items.length)],
        ['Owners', expect.stringContaining('admin@ours.example')],
        ['Asks about', 'Every entitlement of Domino but having an account.'],
        ['Held by', expect.stringMatching(/^These people: .+; and no account without an owner\.$/)],
        ['Applications', '1'],
        ['Accounts left out by a filter', expect.stringMatching(/^[1-9]\d*$/)],
        ['Removals that follow from denials', '1'],
        ['Checkpoint of the log: events', expect.stringMatching(/^[1-9]\d*$/)],
      ]),
    );
    const reviewers = await readObjects(file, 'Reviewers');
    expect(reviewers.find(({ Email }) => Email === 'admin@ours.example')).toMatchObject({
      'Certified by them, with those undone': '1',
      'Denied by them, with those undone': '1',
    });
    const sources = await readObjects(file, 'Sources');
    const [source] = sources;
    expect(source).toMatchObject({ Application: 'Domino', 'Last result': 'DONE', 'Age in days': '0', Rejected: '0' });
    expect(source?.['SHA-256 of the file']).toMatch(/^[0-9a-f]{64}$/);
    const counts = await listSourceCounts(run.test.admin(), review.id);
    const shown = (count: (typeof counts)[number]) => ({
      Application: 'Domino',
      Source: count.displayName || 'App access that follows from accounts',
      Rows: count.syncId === '' ? '' : String(count.rows),
      Accepted: count.syncId === '' ? '' : String(count.accepted),
      'Named again': count.syncId === '' ? '' : String(count.duplicates),
      'Held when frozen': String(count.held),
      Revision: count.revision === null ? '' : String(count.revision),
    });
    expect(counts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['DERIVED']));
    const ofApps = sources.filter(({ Application }) => Application !== 'People');
    expect(ofApps).toHaveLength(counts.length);
    expect(sources).toEqual(expect.arrayContaining(counts.map((count) => expect.objectContaining(shown(count)))));
    const exclusions = await readObjects(file, 'Exclusions 1');
    const accounts = await run.test
      .admin()
      .db.one<{ count: number }>(
        'SELECT count(*) AS count FROM accounts WHERE tenant_id = $1 AND user_id IS DISTINCT FROM $2 AND deleted_at IS NULL',
        [run.test.ours.tenant.id, someone.id],
      );
    expect(exclusions).toHaveLength(accounts.count);
    expect(exclusions[0]).toMatchObject({ Application: 'Domino', Entitlement: 'all', Reason: 'filter of people' });
    const denied = items.find(({ Outcome }) => Outcome === 'Revoked');
    expect(denied?.['Decisions']).toMatch(/ Denied by Ada Admin <admin@ours.example> \(step 1\): =left$/);
    expect(await readObjects(file, 'Revocations 1')).toEqual([
      expect.objectContaining({ Task: denied?.['Task'], Account: denied?.['Account'], 'Denied by': 'Ada Admin', Outcome: 'denied' }),
    ]);
  });

  it('names who issued what access was denied through, and what its removal was claimed through', async () => {
    const review = await run.opened();
    const { id } = await run.someTask(review.id);
    const { admin, ours } = run.test;
    const issued = {
      ...admin(),
      actor: { ...admin().actor, kind: 'issued_session' as const, issuerId: ours.basicId, issuedMayAnswer: true },
    };
    await decideTask(issued, { ...approve(id), decision: 'DENY', comment: 'left' });
    await admin().db.run(
      'UPDATE revocations SET claimed_by_id = $3, claimed_issuer_id = $4 WHERE tenant_id = $1 AND certify_task_id = $2',
      [ours.tenant.id, id, ours.adminId, ours.basicId],
    );
    const { display_name: issuer } = await admin().db.one<{ display_name: string }>(
      `SELECT coalesce(nullif(u.display_name, ''), u.email) AS display_name FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
      [ours.tenant.id, ours.basicId],
    );
    const { file } = await makeReport(admin(), review.id, 'XLSX');
    const named = `Ada Admin (access issued by ${issuer})`;
    expect(await readObjects(file, 'Revocations 1')).toEqual([expect.objectContaining({ 'Denied by': named, 'Said removed by': named })]);
  });

  it('goes through all that was left out page by page, accounts before entitlements', async () => {
    const context = run.test.admin();
    const review = await run.staged({ scopeV2: { selectedUsers: { userIds: [(await findHolder()).id] } } });
    await context.db.run('UPDATE review_entitlements SET is_excluded = true WHERE tenant_id = $1 AND review_id = $2', [
      context.tenantId,
      review.id,
    ]);
    const all = await listExclusions(context, review.id, undefined, 100_000);
    const paged: ExclusionRow[] = [];
    for (let found = 7; found === 7; ) {
      const page = await listExclusions(context, review.id, paged.at(-1), 7);
      paged.push(...page);
      found = page.length;
    }
    expect(paged).toEqual(all);
    const kinds = all.map(({ kind }) => kind);
    expect(kinds).toEqual([...kinds].sort());
    expect(new Set(kinds).size).toBe(2);
  });
});
