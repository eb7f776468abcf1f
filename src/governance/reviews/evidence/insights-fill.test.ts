/** Insights into items, worked out manually over a small company: every term, and the review before. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { decideTask } from '../../tasks/decisions/decide.ts';
import { listInsights } from '../../tasks/views/insights.ts';
import { findShownTask } from '../../tasks/views/store.ts';
import { getAdvice, listTerms } from '../../tasks/task/store-terms.ts';
import { importGrants } from '../../../inventory/syncs/import-grants.ts';
import { importPeople } from '../../../inventory/syncs/import-people.ts';
import { closeReview } from '../life/close.ts';
import { createReview } from '../life/create.ts';
import { prepareReview } from '../life/prepare.ts';
import { startReview } from '../life/start.ts';
import type { ReviewRow } from '../record/store.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

type Row = readonly [
  account: string,
  owner: string,
  entitlement: string,
  used: string,
  facts?: { via?: string; until?: string; status?: string },
];

/** Accountant 0 holds what few or nearly all of the other 40 hold; clerk 0 has few of any kind beside; others stand out otherwise. */
const peopleOf = (titleOfOne = 'Acct', left = 'ACTIVE'): string =>
  [
    'email,display_name,department,job_title,manager_email,employment_status',
    'boss@c.test,Boss,,,,ACTIVE',
    'chief@c.test,Chief,,,,ACTIVE',
    ...upTo(40).map((n) => `a${n}@c.test,A ${n},Fin,${n === 1 ? titleOfOne : 'Acct'},boss@c.test,ACTIVE`),
    // Four others of the title and the department, three of the manager.
    ...upTo(5).map((n) => `c${n}@c.test,C ${n},Post,Clerk,${n < 4 ? 'chief@c.test' : ''},ACTIVE`),
    `gone@c.test,Gone,Fin,Acct,boss@c.test,${left}`,
  ].join('\n');

const grants: readonly Row[] = [
  ...upTo(3).map((n): Row => [`a${n}`, `a${n}@c.test`, 'pay', n === 0 ? ago(120) : ago(5)]),
  ...upTo(39).map((n): Row => [`a${n}`, `a${n}@c.test`, 'rep', ago(1)]),
  // A second account of a holder is no second holder.
  ['a1b', 'a1@c.test', 'pay', ago(5)],
  ['c0', 'c0@c.test', 'mid', ''],
  ['c4', 'c4@c.test', 'mid', ago(1)],
  ['robot', '', 'mid', ago(1)],
  ['guest', 'guest@elsewhere.test', 'mid', ago(1)],
  ['gone', 'gone@c.test', 'crit', ago(1)],
  ['off', 'boss@c.test', 'mid', ago(1), { status: 'DISABLED' }],
  ['boss', 'boss@c.test', 'via', ago(1), { via: 'role/R/mid' }],
  ['boss', 'boss@c.test', 'mid', ago(1), { until: '2099-01-01T00:00:00Z' }],
  // Its source still reports it.
  ['boss', 'boss@c.test', 'old', ago(1), { until: '2024-05-06T00:00:00Z' }],
];

const csv = (rows: readonly Row[]): string =>
  [
    'account,email,account_status,resource_type,resource,entitlement,last_used_at,granted_via,expires_at',
    ...rows.map(([account, email, entitlement, used, { via = '', until = '', status = 'ENABLED' } = {}]) =>
      [account, email, status, 'role', 'R', entitlement, used, via, until].join(','),
    ),
  ].join('\n');

let test: ReviewTest;
let appId: string;

async function bring(rows: readonly Row[], people: string): Promise<void> {
  const body = (text: string) => ({ body: Readable.from([Buffer.from(text)]), encoding: '' });
  await importPeople(test.admin(), { source: 'crew', allowRemovals: true }, body(people));
  ({ appId } = await importGrants(test.admin(), { app: 'Pay', allowRemovals: true }, body(csv(rows))));
}

beforeAll(async () => {
  test = await openReviewTest();
  await bring(grants, peopleOf());
  const { db, tenantId } = test.admin();
  for (const [entitlement, level] of [
    ['pay', 'High'],
    ['crit', ' CRITICAL'],
    ['mid', 'medium'],
  ] as const) {
    await db.run(
      `INSERT INTO classification_values (tenant_id, id, attribute_type_id, value, value_key, created_at, updated_at)
       VALUES ($1, $2, 'risk', $3, $3, now(), now())`,
      [tenantId, `level-${entitlement}`, level],
    );
    await db.run('UPDATE entitlements SET risk_level_value_id = $3 WHERE tenant_id = $1 AND app_id = $2 AND external_id = $4', [
      tenantId,
      appId,
      `level-${entitlement}`,
      entitlement,
    ]);
  }
  await db.run(`UPDATE accounts SET owner_by_former_address = true WHERE tenant_id = $1 AND app_id = $2 AND external_id = 'c4'`, [
    tenantId,
    appId,
  ]);
  await db.run(`UPDATE entitlements SET description = 'Said.' WHERE tenant_id = $1 AND app_id = $2 AND external_id <> 'crit'`, [
    tenantId,
    appId,
  ]);
});
afterAll(() => test.close());

interface Found {
  readonly id: string;
  readonly item: string;
  readonly score: number;
  readonly flags: number;
  readonly peers: number;
  readonly peersWith: number;
  readonly previousTaskId: string | null;
}

/** Score, advice and terms of each task by "account entitlement". */
async function findings(reviewId: string): Promise<Record<string, string>> {
  const rows = await list(reviewId);
  return Object.fromEntries(
    rows.map((row) => {
      const terms = listTerms(row.flags);
      expect(row.score, row.item).toBe(terms.reduce((sum, { points }) => sum + points, 0));
      return [row.item, [row.score, getAdvice(row), ...terms.map(({ term }) => term)].join(' ')];
    }),
  );
}

function list(reviewId: string): Promise<Found[]> {
  return test.admin().db.rows<Found>(
    `SELECT t.id, a.external_id || ' ' || n.external_id AS item, t.score, t.flags, t.peers, t.peers_with AS "peersWith",
       t.previous_task_id AS "previousTaskId"
     FROM tasks t JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.account_id = t.account_id
     JOIN entitlements n ON n.tenant_id = $1 AND n.id = t.entitlement_id
     WHERE t.tenant_id = $1 AND t.review_id = $2 ORDER BY 2`,
    [test.ours.tenant.id, reviewId],
  );
}

async function staged(from = ''): Promise<ReviewRow> {
  const review =
    from === '' ? await test.draft({ singleApp: { appId } }) : await createReview(test.admin(), { displayName: 'Next' }, [], from);
  await prepareReview(test.admin(), review.id);
  return test.until(review.id, 'REVIEW');
}

describe('what stands out', () => {
  let first: ReviewRow;
  it('is found with the snapshot, term by term, without a review before', async () => {
    first = await staged();
    const found = await findings(first.id);
    expect(found).toMatchObject({
      'a0 pay': '70 DENY DORMANT RISK OUTLIER',
      'a1 pay': '40 REVIEW RISK OUTLIER',
      'a1b pay': '40 REVIEW RISK OUTLIER',
      'a0 rep': '-20 APPROVE COMMON',
      // Four by title, four by department, three by manager: nobody to compare with.
      'c0 mid': '5 UNSPECIFIED RISK UNKNOWN_USE',
      'c4 mid': '25 REVIEW RISK FORMER_ADDRESS',
      'robot mid': '35 REVIEW ORPHAN RISK',
      'guest mid': '45 REVIEW ORPHAN RISK EXTERNAL',
      // Compared with the accountants beside them, of whom none holds it.
      'gone crit': '50 REVIEW RISK OUTLIER NO_DESCRIPTION',
      'off mid': '15 UNSPECIFIED RISK DISABLED_ACCOUNT',
      'boss via': '0 UNSPECIFIED INHERITED',
      'boss mid': '5 UNSPECIFIED RISK TEMPORARY',
      'boss old': '30 REVIEW PAST_END',
    });
    const rows = await list(first.id);
    const peersOf = (item: string) => rows.filter((row) => row.item === item).map(({ peers, peersWith }) => [peers, peersWith]);
    expect(peersOf('a0 pay')).toEqual([[40, 2]]);
    expect(peersOf('a0 rep')).toEqual([[40, 38]]);
    expect(peersOf('c0 mid')).toEqual([[0, 0]]);
  });

  it('is the same and in the same order for the same input', async () => {
    const ordered = async (id: string) =>
      (await list(id))
        .sort((left, right) => right.score - left.score || (left.item < right.item ? -1 : 1))
        .map(({ item, score, flags }) => [item, score, flags]);
    expect(await ordered((await staged()).id)).toEqual(await ordered(first.id));
  });

  it('compares with the review before: what was decided, what is new, what changed', async () => {
    await startReview(test.admin(), first.id);
    await test.until(first.id, 'OPEN');
    const tasks = new Map((await list(first.id)).map((row) => [row.item, row.id]));
    const decide = (item: string, decision: 'APPROVE' | 'DENY') =>
      decideTask(test.admin(), { taskId: tasks.get(item) ?? '', decision, comment: 'Seen.', policyStepId: '' });
    for (const item of ['a0 rep', 'a1 rep', 'boss via', 'a2 pay']) {
      await decide(item, 'APPROVE');
    }
    await decide('a0 pay', 'DENY');
    await closeReview(test.admin(), first.id, 'CLOSE_DECISION_SKIP');
    await test.until(first.id, 'CLOSED');
    // One has another title, one has left; what was inherited is held directly, one grant came and two accounts changed.
    const next = [
      ...grants
        .filter(([account, , entitlement]) => !(account === 'boss' && entitlement === 'via'))
        .map((row): Row => (row[0] === 'guest' ? ['guest', 'boss@c.test', 'mid', row[3]] : row)),
      ['boss', 'boss@c.test', 'via', ago(1)] as Row,
      ['c1', 'c1@c.test', 'mid', ago(1)] as Row,
    ];
    await bring(next, peopleOf('Lead', 'TERMINATED'));
    const second = await staged(first.id);
    expect(second.predecessorId).toBe(first.id);
    const found = await findings(second.id);
    expect(found).toMatchObject({
      'a0 pay': '110 DENY DENIED_BEFORE DORMANT RISK OUTLIER',
      'a0 rep': '-35 APPROVE COMMON CERTIFIED_BEFORE',
      // Moved: nobody else has the title, so the department is asked, and what was certified counts for nothing.
      'a1 rep': '-5 UNSPECIFIED COMMON MOVER',
      'a2 pay': '25 REVIEW RISK OUTLIER CERTIFIED_BEFORE',
      'a2 rep': '-20 APPROVE COMMON',
      'c1 mid': '15 UNSPECIFIED RISK NEW',
      'gone crit': '110 DENY LEAVER RISK OUTLIER NO_DESCRIPTION',
      'boss via': '0 UNSPECIFIED',
      'guest mid': '5 UNSPECIFIED RISK',
    });
    const rows = await list(second.id);
    expect(rows.filter(({ previousTaskId }) => previousTaskId === null).map(({ item }) => item)).toEqual(['c1 mid']);
    expect(rows.find(({ item }) => item === 'a0 rep')?.previousTaskId).toBe(tasks.get('a0 rep'));
    const sentencesOf = async (item: string): Promise<Record<string, string>> => {
      const task = await findShownTask(test.admin(), rows.find((row) => row.item === item)?.id ?? '');
      return Object.fromEntries((task === undefined ? [] : listInsights(task)).map(({ term, sentence }) => [term, sentence]));
    };
    expect((await sentencesOf('a0 pay')).DENIED_BEFORE).toMatch(
      /^Denied by .+ on \d{4}-\d\d-\d\d in the review before\. Comment: “Seen\.” The access is still there\.$/,
    );
    expect((await sentencesOf('a0 rep')).CERTIFIED_BEFORE).toMatch(
      /^Certified by .+ on \d{4}-\d\d-\d\d in the review before\. Comment: “Seen\.” Nothing has changed since\.$/,
    );
    expect((await sentencesOf('boss old')).PAST_END).toMatch(
      /^Its end has passed \(on 2024-05-06\), and sync \w{27} of \d{4}-\d\d-\d\d from “.+” still reports it\.$/,
    );
    expect((await sentencesOf('a1 rep')).MOVER).toBe('A 1 has moved since the review before. Title was Acct, now Lead.');
  });

  it('knows of conflicts that are active, and of none that is exempted until the exemption is ended', async () => {
    const { db, tenantId } = test.admin();
    await db.run(
      `INSERT INTO conflict_monitors (tenant_id, id, display_name, enabled, set_a_id, set_b_id, created_at, updated_at)
       VALUES ($1, 'pays', 'Pays', true, 'a', 'b', now(), now())`,
      [tenantId],
    );
    await db.run(
      `INSERT INTO conflict_entitlements (tenant_id, monitor_id, app_id, entitlement_id, side, created_at)
       SELECT $1, 'pays', $2, e.id, 'A', now() FROM entitlements e WHERE e.tenant_id = $1 AND e.app_id = $2 AND e.external_id = 'pay'`,
      [tenantId, appId],
    );
    await db.run(
      `INSERT INTO conflict_alerts (tenant_id, id, monitor_id, principal, user_id, state, activated_at, change_id, updated_at)
       SELECT $1, 'alert', 'pays', u.id, u.id, 'ACTIVE', now(), 'change', now() FROM users u WHERE u.tenant_id = $1 AND u.email_key = 'a1@c.test'`,
      [tenantId],
    );
    const inConflict = async (): Promise<string[]> =>
      Object.entries(await findings((await staged()).id)).flatMap(([item, terms]) => (terms.includes('CONFLICT') ? [item] : []));
    // Both accounts of the person hold it; nobody else who holds it is in conflict.
    expect(await inConflict()).toEqual(['a1 pay', 'a1b pay']);
    const exempt = (until: string) =>
      db.run(`UPDATE conflict_alerts SET state = 'EXEMPTED', exempt_until = $2 WHERE tenant_id = $1 AND id = 'alert'`, [tenantId, until]);
    await exempt('2099-01-01T00:00:00Z');
    expect(await inConflict()).toEqual([]);
    // Its time is over, and what ends it has not run yet: the alert says what holds.
    await exempt('2020-01-01T00:00:00Z');
    expect(await inConflict()).toEqual([]);
    await db.run(`UPDATE conflict_alerts SET state = 'ACTIVE', exempt_until = NULL WHERE tenant_id = $1 AND id = 'alert'`, [tenantId]);
    expect(await inConflict()).toEqual(['a1 pay', 'a1b pay']);
  });
});
