/**
 * The run of a review on the real database with the real queue: prepare, start, decide, close, reset, and what happens to it in between.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actorOf } from '../../../test/support/tenants.ts';
import { importInto, itemsAsked, itemsOf, openReviewTest, type ReviewTest } from '../../../test/support/review.ts';
import type { Scope } from '../../scope.ts';
import { createPolicy } from '../policies/create.ts';
import { updatePolicy } from '../policies/update.ts';
import { decideTask } from '../tasks/decide.ts';
import { closeReview } from './close.ts';
import { prepareReview } from './prepare.ts';
import { readProgress } from './progress.ts';
import { previewReview, readSelections } from './preview.ts';
import { resetReview } from './reset.ts';
import { startReview } from './start.ts';
import type { ReviewRow } from './store.ts';
import { changeReview } from './update.ts';

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest();
});
afterAll(() => test.close());

const app = () => ({ singleApp: { appId: test.appId } });

async function staged(document: object = {}): Promise<ReviewRow> {
  const review = await test.draft({ ...app(), ...document } as never);
  await prepareReview(test.admin(), review.id);
  return test.until(review.id, 'REVIEW', 'PENDING');
}

async function opened(document: object = {}): Promise<ReviewRow> {
  const review = await staged(document);
  await startReview(test.admin(), review.id);
  return test.until(review.id, 'OPEN');
}

interface Count {
  readonly state: string;
  readonly outcome: string;
  readonly endReason: string;
  readonly count: number;
}

function outcomes(reviewId: string): Promise<Count[]> {
  return test.admin().db.rows<Count>(
    `SELECT t.state, t.outcome, t.end_reason AS "endReason", count(*) AS count FROM tasks t WHERE t.tenant_id = $1 AND t.batch_id = $2
     GROUP BY 1, 2, 3 ORDER BY 3`,
    [test.ours.tenant.id, reviewId],
  );
}

async function events(reviewId: string): Promise<string[]> {
  const rows = await test
    .admin()
    .db.rows<{ kind: string }>('SELECT e.kind FROM events e WHERE e.tenant_id = $1 AND e.target_id = $2 ORDER BY e.id', [
      test.ours.tenant.id,
      reviewId,
    ]);
  return rows.map((row) => row.kind);
}

async function someTask(reviewId: string): Promise<{ id: string; reviewerId: string }> {
  return test.admin().db.one(
    `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
     WHERE t.tenant_id = $1 AND t.batch_id = $2 AND t.state = 'OPEN' ORDER BY t.id LIMIT 1`,
    [test.ours.tenant.id, reviewId],
  );
}

const as = (userId: string): Scope => ({ ...test.admin(), actor: actorOf(userId) });
const approve = (taskId: string) => ({ taskId, decision: 'APPROVE' as const, comment: '', policyStepId: '' });

describe('preparing', () => {
  it('answers at once, tells how far it is, and makes one task for each grant', async () => {
    const review = await test.draft(app() as never);
    const moved = await prepareReview(test.admin(), review.id);
    expect(moved).toMatchObject({ state: 'PREPARING', phase: 'PREPARE', phaseError: '' });
    expect(['PREPARING', 'REVIEW']).toContain((await prepareReview(test.admin(), review.id).catch(() => ({ state: 'REVIEW' }))).state);
    const ready = await test.until(review.id, 'REVIEW');
    expect(await itemsAsked(test.admin(), review.id)).toEqual(itemsOf(test.data.grants));
    expect(ready).toMatchObject({ expectedTicketCount: itemsOf(test.data.grants).length, phase: 'PREPARE', phaseError: '' });
    expect(await readProgress(test.admin(), ready)).toMatchObject({
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
    const made = await test.admin().db.one<{ digest: string; count: number }>(
      `SELECT e.data ->> 'digest' AS digest, (e.data ->> 'count')::int AS count FROM events e
       WHERE e.tenant_id = $1 AND e.target_id = $2 AND e.kind = 'review.tasks_made'`,
      [test.ours.tenant.id, review.id],
    );
    const rows = await test
      .admin()
      .db.rows<{ item: string }>(
        `SELECT t.account_id || '/' || t.entitlement_id AS item FROM tasks t WHERE t.tenant_id = $1 AND t.batch_id = $2 ORDER BY t.id`,
        [test.ours.tenant.id, review.id],
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
    const rows = await test
      .admin()
      .db.rows<{ numericId: number; userId: string | null; userIds: string[]; reason: string; managerId: string | null }>(
        `SELECT t.numeric_id AS "numericId", t.user_id AS "userId", s.user_ids AS "userIds", s.reason, m.id AS "managerId"
       FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = t.user_id
       LEFT JOIN users m ON m.tenant_id = $1 AND m.id = u.manager_id AND m.status = 'ENABLED'
       WHERE t.tenant_id = $1 AND t.batch_id = $2 ORDER BY t.id`,
        [test.ours.tenant.id, review.id],
      );
    const first = rows[0]?.numericId ?? 0;
    expect(rows.map((row) => row.numericId)).toEqual(rows.map((_, index) => first + index));
    for (const row of rows) {
      expect(row.userIds).not.toContain(row.userId);
      expect(row.userIds).toEqual(row.managerId === null ? [test.ours.adminId] : [row.managerId]);
      expect(row.reason).toBe(row.managerId === null ? 'REVIEW_OWNERS' : 'MANAGER');
    }
    expect(rows.some((row) => row.reason === 'MANAGER') && rows.some((row) => row.reason === 'REVIEW_OWNERS')).toBe(true);
  });

  it('shows its selections to those who see the review, page by page, and a draft has none', async () => {
    const review = await staged();
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const page = await readSelections(test.admin(), review.id, after, 100);
      seen.push(...page.map((row) => row.id));
      const last = page[page.length - 1];
      if (last === undefined) {
        break;
      }
      after = last.id;
    }
    expect(new Set(seen).size).toBe(itemsOf(test.data.grants).length);
    await resetReview(test.admin(), review.id);
    await expect(readSelections(test.admin(), review.id, '', 10)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it('keeps its snapshot when the inventory changes', async () => {
    const review = await staged();
    const fewer = test.data.grants.slice(5);
    const header = Object.keys(fewer[0] ?? {}).join(',');
    const csv = Buffer.from([header, ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(test.ours, { ...test.data, grantsCsv: csv }, 'Domino');
    expect(await itemsAsked(test.admin(), review.id)).toEqual(itemsOf(test.data.grants));
    await importInto(test.ours, test.data, 'Domino');
  });

  it('starts over after a reset, also one in the middle', async () => {
    const review = await test.draft(app() as never);
    await prepareReview(test.admin(), review.id);
    await resetReview(test.admin(), review.id);
    await prepareReview(test.admin(), review.id);
    await test.until(review.id, 'REVIEW');
    await resetReview(test.admin(), review.id);
    await prepareReview(test.admin(), review.id);
    await test.until(review.id, 'REVIEW');
    expect(await itemsAsked(test.admin(), review.id)).toEqual(itemsOf(test.data.grants));
  });
});

describe('starting', () => {
  it('hides the tasks until then', async () => {
    const review = await staged();
    const task = await someTask(review.id);
    await expect(decideTask(as(task.reviewerId), approve(task.id))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await startReview(test.admin(), review.id);
    const open = await test.until(review.id, 'OPEN');
    expect(open.startedAt).toBeInstanceOf(Date);
    await decideTask(as(task.reviewerId), approve(task.id));
    expect((await startReview(test.admin(), review.id)).state).toBe('OPEN');
  });

  it('is refused where signatures are required', async () => {
    const review = await staged({ signatureConfig: { requireSignature: true } });
    await expect(startReview(test.admin(), review.id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('signatureConfig.requireSignature'),
    });
  });

  it('happens at its date where one is set, and a reset unschedules it', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const review = await staged({ autoStartCampaign: true, scheduledStartDate: soon });
    expect(review.state).toBe('PENDING');
    await test.until(review.id, 'OPEN');
    const later = await staged({ autoStartCampaign: true, scheduledStartDate: '2099-01-01T00:00:00Z' });
    expect(later.state).toBe('PENDING');
    expect((await resetReview(test.admin(), later.id)).state).toBe('DRAFT');
  });
});

describe('closing', () => {
  const table = [
    ['CLOSE_DECISION_REVOKED', '', 'DECERTIFIED', 'REVOKED_AT_CLOSE'],
    ['CLOSE_DECISION_SKIP', '', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
    ['CLOSE_DECISION_NO_ACTION', '', '', 'NO_ACTION_AT_CLOSE'],
    ['CLOSE_DECISION_UNSPECIFIED', '', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
    ['', 'CLOSE_DECISION_REVOKED', 'DECERTIFIED', 'REVOKED_AT_CLOSE'],
    ['CLOSE_DECISION_SKIP', 'CLOSE_DECISION_REVOKED', 'CANCELLED', 'SKIPPED_AT_CLOSE'],
  ] as const;
  it.each(table)('close %s, autoCloseDecision %s: %s, %s', async (decision, autoCloseDecision, outcome, endReason) => {
    const review = await opened(autoCloseDecision === '' ? {} : { autoCloseDecision });
    const task = await someTask(review.id);
    await decideTask(as(task.reviewerId), approve(task.id));
    await closeReview(test.admin(), review.id, decision);
    const closed = await test.until(review.id, 'CLOSED');
    expect(closed).toMatchObject({ closing: false, phase: 'CLOSE' });
    const all = itemsOf(test.data.grants).length;
    expect(await outcomes(review.id)).toEqual(
      expect.arrayContaining([
        { state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', count: 1 },
        { state: 'CLOSED', outcome, endReason, count: all - 1 },
      ]),
    );
    expect((await closeReview(test.admin(), review.id, 'CLOSE_DECISION_SKIP')).state).toBe('CLOSED');
  });

  it('takes no decision from the moment it is accepted, and each task ends once', async () => {
    const review = await opened();
    const tasks = await test.admin().db.rows<{ id: string; reviewerId: string }>(
      `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.batch_id = $2 ORDER BY t.id DESC LIMIT 60`,
      [test.ours.tenant.id, review.id],
    );
    const [, ...results] = await Promise.all([
      closeReview(test.admin(), review.id, 'CLOSE_DECISION_REVOKED'),
      ...tasks.map((task) =>
        decideTask(as(task.reviewerId), approve(task.id)).then(
          () => 'certified',
          (error: { code: string }) => error.code,
        ),
      ),
    ]);
    await test.until(review.id, 'CLOSED');
    const certified = results.filter((result) => result === 'certified').length;
    expect(results.every((result) => ['certified', 'FAILED_PRECONDITION', 'CONFLICT'].includes(result))).toBe(true);
    const counts = await outcomes(review.id);
    expect(counts.find((count) => count.outcome === 'CERTIFIED')?.count ?? 0).toBe(certified);
    expect(counts.reduce((sum, count) => sum + count.count, 0)).toBe(itemsOf(test.data.grants).length);
    expect(counts.every((count) => count.state === 'CLOSED')).toBe(true);
  });

  it('happens by itself at completionDate where autoCloseCampaign is on', async () => {
    const review = await opened({
      autoCloseCampaign: true,
      completionDate: new Date(Date.now() - 1000).toISOString(),
      autoCloseDecision: 'CLOSE_DECISION_REVOKED',
    });
    await test.admin().db.run(`UPDATE jobs SET run_at = $2 WHERE subject_id = $1 AND kind = 'review.watch'`, [review.id, new Date()]);
    await test.until(review.id, 'CLOSED');
    expect((await outcomes(review.id)).map((count) => count.endReason)).toEqual(['REVOKED_AT_CLOSE']);
  });
});

describe('while it is open', () => {
  const look = (reviewId: string) =>
    test
      .admin()
      .db.run(`UPDATE jobs SET run_at = $2 WHERE subject_id = $1 AND kind = 'review.watch' AND state = 'WAITING'`, [reviewId, new Date()]);

  async function eventually(check: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 250; attempt++) {
      if (await check()) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('it did not come to be');
  }

  it('hands the tasks of a disabled reviewer on, with an event', async () => {
    const review = await opened();
    const task = await test.admin().db.one<{ id: string; reviewerId: string }>(
      `SELECT t.id, s.user_ids[1] AS "reviewerId" FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.batch_id = $2 AND s.reason = 'MANAGER' ORDER BY t.id LIMIT 1`,
      [test.ours.tenant.id, review.id],
    );
    await test
      .admin()
      .db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [test.ours.tenant.id, task.reviewerId]);
    await look(review.id);
    await eventually(async () => (await events(review.id)).includes('review.reviewer_handed_over'));
    const left = await test.admin().db.one<{ count: number }>(
      `SELECT count(*) AS count FROM tasks t JOIN task_assignments s ON s.tenant_id = $1 AND s.id = t.assignment_id
       WHERE t.tenant_id = $1 AND t.batch_id = $2 AND t.state = 'OPEN' AND $3 = ANY (s.user_ids)`,
      [test.ours.tenant.id, review.id, task.reviewerId],
    );
    expect(left.count).toBe(0);
    await test
      .admin()
      .db.run(`UPDATE users SET status = 'ENABLED' WHERE tenant_id = $1 AND id = $2`, [test.ours.tenant.id, task.reviewerId]);
    await decideTask(test.admin(), approve(task.id));
  });

  it('ends tasks whose access is gone, and says so', async () => {
    const review = await opened();
    const fewer = test.data.grants.slice(7);
    const csv = Buffer.from([Object.keys(fewer[0] ?? {}).join(','), ...fewer.map((row) => Object.values(row).join(','))].join('\n'));
    await importInto(test.ours, { ...test.data, grantsCsv: csv }, 'Domino');
    await look(review.id);
    const gone = itemsOf(test.data.grants).length - itemsOf(fewer).length;
    await eventually(async () => (await outcomes(review.id)).some((count) => count.endReason === 'GRANT_GONE' && count.count === gone));
    await importInto(test.ours, test.data, 'Domino');
  });

  it('asks for a transition by naming state in a mask', async () => {
    const review = await staged();
    await changeReview(test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_OPEN' }, ['state']);
    await test.until(review.id, 'OPEN');
    await changeReview(test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_CLOSED' }, ['state']);
    await test.until(review.id, 'CLOSED');
    await expect(changeReview(test.admin(), review.id, { state: 'ACCESS_REVIEW_STATE_DRAFT' }, ['state'])).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
    });
  });
});

describe('who may', () => {
  it('another tenant: 404; a person without a part in it: 404; only an owner or Super Administrator moves it', async () => {
    const review = await staged();
    const theirs: Scope = { ...test.theirs.admin, now: new Date() };
    for (const move of [prepareReview, startReview, resetReview, (scope: Scope, id: string) => closeReview(scope, id, '')]) {
      await expect(move(theirs, review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(move(as(test.ours.basicId), review.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const reader = { ...test.admin(), actor: actorOf(test.ours.basicId, ['READ_ONLY_ADMINISTRATOR']) };
      await expect(move(reader, review.id)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
  });
});

describe('policies', () => {
  const usersPolicy = async (name: string, userId: string): Promise<string> => {
    const policy = await createPolicy(test.admin(), {
      displayName: name,
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { users: { userIds: [userId] } } }] } },
    });
    return policy.id;
  };

  it('prefers those of entitlement, then app, where the review says so, and that of the review otherwise', async () => {
    const [first, second, third] = await Promise.all(test.data.people.slice(1, 4).map((person) => test.userId(person.email)));
    const ofEntitlement = await usersPolicy('entitlement', first as string);
    const ofApp = await usersPolicy('app', second as string);
    const ofReview = await usersPolicy('review', third as string);
    const { id: entitlementId } = await test
      .admin()
      .db.one<{ id: string }>(`SELECT e.id FROM entitlements e WHERE e.tenant_id = $1 AND NOT e.is_app_access ORDER BY e.id LIMIT 1`, [
        test.ours.tenant.id,
      ]);
    await test
      .admin()
      .db.run('UPDATE entitlements SET certify_policy_id = $3 WHERE tenant_id = $1 AND id = $2', [
        test.ours.tenant.id,
        entitlementId,
        ofEntitlement,
      ]);
    await test
      .admin()
      .db.run('UPDATE apps SET certify_policy_id = $3 WHERE tenant_id = $1 AND id = $2', [test.ours.tenant.id, test.appId, ofApp]);
    const used = async (document: object) => {
      const review = await staged(document);
      return test
        .admin()
        .db.rows<{ policyId: string; own: boolean }>(
          `SELECT DISTINCT t.policy_id AS "policyId", t.entitlement_id = $3 AS own FROM tasks t WHERE t.tenant_id = $1 AND t.batch_id = $2 ORDER BY own`,
          [test.ours.tenant.id, review.id, entitlementId],
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
    await test.admin().db.run(`UPDATE apps SET certify_policy_id = '' WHERE tenant_id = $1 AND id = $2`, [test.ours.tenant.id, test.appId]);
    expect(await used({ policyId: ofReview, usePolicyOverride: true })).toEqual([
      { policyId: ofReview, own: false },
      { policyId: ofEntitlement, own: true },
    ]);
  });

  it('are frozen: a later change of the policy does not touch a staged review', async () => {
    const person = await test.userId(test.data.people[1]?.email ?? '');
    const policyId = await usersPolicy('frozen', person);
    const review = await staged({ policyId });
    await updatePolicy(test.admin(), policyId, { policySteps: { certify: { steps: [{ reject: { rejectMessage: 'no' } }] } } }, [
      'policySteps',
    ]);
    await startReview(test.admin(), review.id);
    await test.until(review.id, 'OPEN');
    const task = await someTask(review.id);
    await decideTask(test.admin(), approve(task.id));
    expect(await outcomes(review.id)).toContainEqual({ state: 'CLOSED', outcome: 'CERTIFIED', endReason: 'DECIDED', count: 1 });
  });
});

describe('preview', () => {
  it('counts reviewers as the CSV says', async () => {
    const review = await test.draft(app() as never);
    const counts = await previewReview(test.admin(), review.id);
    const people = new Map(test.data.people.map((person) => [person.email, person]));
    const expected = new Map<string, number>();
    for (const item of itemsOf(test.data.grants)) {
      const row = test.data.grants.find((grant) => grant.account === item.split(' ')[0]);
      const manager = people.get(people.get(row?.email ?? '')?.manager_email ?? '');
      const reviewer =
        manager !== undefined && manager.employment_status === 'ACTIVE' ? await test.userId(manager.email) : test.ours.adminId;
      expected.set(reviewer, (expected.get(reviewer) ?? 0) + 1);
    }
    expect(new Map(counts.reviewers.map((reviewer) => [reviewer.userId, reviewer.items]))).toEqual(expected);
    expect(counts).toMatchObject({
      items: itemsOf(test.data.grants).length,
      appCount: 1,
      apps: [{ appId: test.appId }],
      unassignedItems: 0,
      reviewerCount: expected.size,
      accounts: new Set(test.data.grants.map((grant) => grant.account)).size,
    });
    expect(await outcomes(review.id)).toEqual([]);
  });
});
