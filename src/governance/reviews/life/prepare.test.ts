/** The snapshot on the real database with the real queue: its tasks, numbers, reviewers and policies, what the preview said of them, and starting over. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { approve, useReviewRun } from '../../../../test/support/review-run.ts';
import { importInto, itemsAsked, itemsOf } from '../../../../test/support/review.ts';
import { inTransaction } from '../../../context.ts';
import type { Db } from '../../../db/types.ts';
import type { AppError } from '../../../errors.ts';
import { createPolicy } from '../../policies/create.ts';
import { updatePolicy } from '../../policies/update.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { beginPrepare, prepareReview } from './prepare.ts';
import { readProgress } from '../evidence/progress.ts';
import { previewReview, readSelections } from '../scope/preview.ts';
import { resetReview } from './reset.ts';
import { startReview } from './start.ts';

const run = useReviewRun();
const { app, events, outcomes, someTask, staged } = run;

describe('preparing', () => {
  it('answers at once, tells how far it is, and makes one task for each grant', async () => {
    const review = await run.test.draft(app());
    const moved = await prepareReview(run.test.admin(), review.id);
    expect(moved).toMatchObject({ state: 'PREPARING', phase: 'PREPARE', phaseError: '' });
    // Asked twice: it is under way, or was so quick that it is over, and then says just that.
    const again = await prepareReview(run.test.admin(), review.id).then(
      ({ state }) => state,
      (error: AppError) => error.code,
    );
    expect(['PREPARING', 'FAILED_PRECONDITION']).toContain(again);
    const ready = await run.test.until(review.id, 'REVIEW');
    expect(await itemsAsked(run.test.admin(), review.id)).toEqual(itemsOf(run.test.data.grants));
    expect(ready).toMatchObject({ expectedTicketCount: itemsOf(run.test.data.grants).length, phase: 'PREPARE', phaseError: '' });
    expect(await readProgress(run.test.admin(), ready)).toMatchObject({
      running: false,
      error: '',
      done: ready.expectedTicketCount,
      total: ready.expectedTicketCount,
    });
    expect(await events(review.id)).toEqual(
      expect.arrayContaining(['review.prepare_requested', 'review.snapshot_taken', 'review.tasks_made', 'review.prepared']),
    );
  });

  it('says in the event of each piece what it made, by a digest over account/entitlement in the order of the tasks', async () => {
    const review = await staged();
    const made = await run.test.admin().db.one<{ digest: string; count: number }>(
      `SELECT e.data ->> 'digest' AS digest, (e.data ->> 'count')::int AS count FROM events e
       WHERE e.tenant_id = $1 AND e.target_id = $2 AND e.kind = 'review.tasks_made'`,
      [run.test.ours.tenant.id, review.id],
    );
    const rows = await run.test
      .admin()
      .db.rows<{ item: string }>(
        `SELECT t.account_id || '/' || t.entitlement_id AS item FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id`,
        [run.test.ours.tenant.id, review.id],
      );
    expect(made).toEqual({
      count: rows.length,
      digest: createHash('sha256')
        .update(rows.map((row) => row.item).join(','))
        .digest('hex'),
    });
  });

  it('numbers tasks one after the other, and asks managers, never the person themselves', async () => {
    const review = await staged();
    const rows = await run.test
      .admin()
      .db.rows<{ numericId: number; userId: string | null; userIds: string[]; reason: string; managerId: string | null }>(
        `SELECT t.numeric_id AS "numericId", t.user_id AS "userId", s.user_ids AS "userIds", s.reason, m.id AS "managerId"
       FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = t.user_id
       LEFT JOIN users m ON m.tenant_id = $1 AND m.id = u.manager_id AND m.status = 'ENABLED'
       WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY t.id`,
        [run.test.ours.tenant.id, review.id],
      );
    const first = rows[0]?.numericId ?? 0;
    expect(rows.map((row) => row.numericId)).toEqual(rows.map((_, index) => first + index));
    for (const row of rows) {
      expect(row.userIds).not.toContain(row.userId);
      expect(row.userIds).toEqual(row.managerId === null ? [run.test.ours.adminId] : [row.managerId]);
      expect(row.reason).toBe(row.managerId === null ? 'REVIEW_OWNERS' : 'MANAGER');
    }
    expect(rows.some((row) => row.reason === 'MANAGER') && rows.some((row) => row.reason === 'REVIEW_OWNERS')).toBe(true);
  });

  it('shows its selections to those who see the review, page by page, and a draft has none', async () => {
    const review = await staged();
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = await readSelections(run.test.admin(), review.id, after, 100);
      seen.push(...page.map((row) => row.id));
      const last = page[page.length - 1];
      if (last === undefined) {
        break;
      }
      after = last.id;
    }
    expect(new Set(seen).size).toBe(itemsOf(run.test.data.grants).length);
    await resetReview(run.test.admin(), review.id);
    await expect(readSelections(run.test.admin(), review.id, '', 10)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it('keeps its snapshot when the inventory changes', async () => {
    const review = await staged();
    const fewer = run.test.data.grants.slice(5);
    const header = Object.keys(fewer[0] ?? {}).join(',');
    const csv = Buffer.from([header, ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(run.test.ours, { ...run.test.data, grantsCsv: csv }, 'Domino');
    expect(await itemsAsked(run.test.admin(), review.id)).toEqual(itemsOf(run.test.data.grants));
    await importInto(run.test.ours, run.test.data, 'Domino');
  });

  it('starts over after a reset, also one in the middle', async () => {
    const review = await run.test.draft(app());
    await prepareReview(run.test.admin(), review.id);
    await resetReview(run.test.admin(), review.id);
    await prepareReview(run.test.admin(), review.id);
    await run.test.until(review.id, 'REVIEW');
    await resetReview(run.test.admin(), review.id);
    await prepareReview(run.test.admin(), review.id);
    await run.test.until(review.id, 'REVIEW');
    expect(await itemsAsked(run.test.admin(), review.id)).toEqual(itemsOf(run.test.data.grants));
  });

  it('is reset while a piece of it is under way, without a deadlock, and the piece that follows does what is asked since', async () => {
    const review = await run.test.draft(app());
    const jobs = run.test.database.system();
    const moveJob = (db: Db, jobId: string, seconds: number) =>
      db.run('UPDATE jobs SET run_at = $2 WHERE id = $1', [jobId, new Date(Date.now() + seconds * 1000)]);
    const preparing = await inTransaction(run.test.admin(), async (inside) => {
      const begun = await beginPrepare(inside, review.id);
      await moveJob(inside.db, begun.phaseJobId, 3600);
      return begun;
    });
    // A piece holds its job, and asks for its review afterwards: whoever has the review must not wait for the job.
    await jobs.transaction(async (piece) => {
      await piece.one('SELECT id FROM jobs WHERE id = $1 FOR UPDATE', [preparing.phaseJobId]);
      expect(await resetReview(run.test.admin(), review.id)).toMatchObject({ state: 'DRAFT' });
      // Its job has not ended, and is not begun twice.
      expect(await prepareReview(run.test.admin(), review.id)).toMatchObject({ state: 'PREPARING', phaseJobId: preparing.phaseJobId });
    });
    await moveJob(jobs, preparing.phaseJobId, 0);
    await run.test.until(review.id, 'REVIEW');
    expect(await itemsAsked(run.test.admin(), review.id)).toEqual(itemsOf(run.test.data.grants));
  });
});

describe('policies', () => {
  const usersPolicy = async (name: string, userId: string): Promise<string> => {
    const policy = await createPolicy(run.test.admin(), {
      displayName: name,
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { users: { userIds: [userId] } } }] } },
    });
    return policy.id;
  };

  it('prefers those of entitlement, then app, where the review says so, and that of the review otherwise', async () => {
    const [first, second, third] = await Promise.all(run.test.data.people.slice(1, 4).map((person) => run.test.userId(person.email)));
    const ofEntitlement = await usersPolicy('entitlement', first as string);
    const ofApp = await usersPolicy('app', second as string);
    const ofReview = await usersPolicy('review', third as string);
    const { id: entitlementId } = await run.test
      .admin()
      .db.one<{ id: string }>(`SELECT e.id FROM entitlements e WHERE e.tenant_id = $1 AND NOT e.is_app_access ORDER BY e.id LIMIT 1`, [
        run.test.ours.tenant.id,
      ]);
    await run.test
      .admin()
      .db.run('UPDATE entitlements SET certify_policy_id = $3 WHERE tenant_id = $1 AND id = $2', [
        run.test.ours.tenant.id,
        entitlementId,
        ofEntitlement,
      ]);
    await run.test
      .admin()
      .db.run('UPDATE apps SET certify_policy_id = $3 WHERE tenant_id = $1 AND id = $2', [run.test.ours.tenant.id, run.test.appId, ofApp]);
    const used = async (document: object) => {
      const review = await staged(document);
      return run.test
        .admin()
        .db.rows<{ policyId: string; own: boolean }>(
          `SELECT DISTINCT t.policy_id AS "policyId", t.entitlement_id = $3 AS own FROM tasks t WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY own`,
          [run.test.ours.tenant.id, review.id, entitlementId],
        );
    };
    expect(await used({ policyId: ofReview })).toEqual([
      { policyId: ofReview, own: false },
      { policyId: ofReview, own: true },
    ]);
    expect(await used({ policyId: ofReview, usePolicyOverride: true })).toEqual([
      { policyId: ofApp, own: false },
      { policyId: ofEntitlement, own: true },
    ]);
    await run.test
      .admin()
      .db.run(`UPDATE apps SET certify_policy_id = '' WHERE tenant_id = $1 AND id = $2`, [run.test.ours.tenant.id, run.test.appId]);
    expect(await used({ policyId: ofReview, usePolicyOverride: true })).toEqual([
      { policyId: ofReview, own: false },
      { policyId: ofEntitlement, own: true },
    ]);
  });

  it('are frozen: a later change of the policy does not touch a staged review', async () => {
    const person = await run.test.userId(run.test.data.people[1]?.email ?? '');
    const policyId = await usersPolicy('frozen', person);
    const review = await staged({ policyId });
    await updatePolicy(run.test.admin(), policyId, { policySteps: { certify: { steps: [{ reject: { rejectMessage: 'no' } }] } } }, [
      'policySteps',
    ]);
    await startReview(run.test.admin(), review.id);
    await run.test.until(review.id, 'OPEN');
    const task = await someTask(review.id);
    await decideTask(run.test.admin(), approve(task.id));
    expect(await outcomes(review.id)).toContainEqual({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', count: 1 });
  });
});

describe('preview', () => {
  it('is refused inside an open transaction, which would keep what is to be thrown away', async () => {
    const review = await run.test.draft(app());
    const { db, tenantId } = run.test.admin();
    const count = async () =>
      (await db.one<{ n: number }>('SELECT count(*) AS n FROM review_accounts a WHERE a.tenant_id = $1', [tenantId])).n;
    const before = await count();
    const refused = inTransaction(run.test.admin(), (inside) => previewReview(inside, review.id).catch((error: AppError) => error.code));
    expect(await refused).toBe('INTERNAL');
    expect(await count()).toBe(before);
  });

  it('counts reviewers as the CSV says', async () => {
    const review = await run.test.draft(app());
    const counts = await previewReview(run.test.admin(), review.id);
    const people = new Map(run.test.data.people.map((person) => [person.email, person]));
    const expected = new Map<string, number>();
    for (const item of itemsOf(run.test.data.grants)) {
      const row = run.test.data.grants.find((grant) => grant.account === item.split(' ')[0]);
      const manager = people.get(people.get(row?.email ?? '')?.manager_email ?? '');
      const reviewer =
        manager !== undefined && manager.employment_status === 'ACTIVE' ? await run.test.userId(manager.email) : run.test.ours.adminId;
      expected.set(reviewer, (expected.get(reviewer) ?? 0) + 1);
    }
    expect(new Map(counts.reviewers.map((reviewer) => [reviewer.userId, reviewer.items]))).toEqual(expected);
    expect(counts).toMatchObject({
      items: itemsOf(run.test.data.grants).length,
      appCount: 1,
      apps: [{ appId: run.test.appId }],
      unassignedItems: 0,
      reviewerCount: expected.size,
      accounts: new Set(run.test.data.grants.map((grant) => grant.account)).size,
    });
    expect(await outcomes(review.id)).toEqual([]);
  });
});
