/**
 * Cost of one's own affairs and the search for anything where there is much: 60,000 people with 150,000 accounts, 100,000 removals and submissions.
 * Counted in rows that are passed over and pages of the database, as the role of production.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buffersOf, nodesOf, type PlanNode, watchPlans } from '../../../../test/support/plans.ts';
import { addAssignment, addTasksOf, askUsers } from '../../../../test/support/tasks.ts';
import { openTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import type { Context } from '../../../context.ts';
import { listCertifiedUntil, listDenied, listOutcomes } from '../../revocations/record/store-mine.ts';
import { listOwnSubmissions } from '../../tasks/decisions/store-submit.ts';
import { searchAll } from './search-all.ts';
import { listAskedRunning } from './store-my-reviews.ts';

/** Pages of the database that a person's own affairs may touch here. */
const mostBuffers = 8_000;

describe('with much in the tenant', () => {
  let two: TwoTenants;
  let me: Context;

  beforeAll(async () => {
    two = await openTwoTenants();
    const { system } = two.ours;
    const { db, tenantId } = system;
    const base = two.ours.admin;
    me = { ...base, actor: { ...base.actor, userId: two.ours.basicId, roles: new Set(['BASIC_USER']) } };
    await db.run(
      `INSERT INTO users (tenant_id, id, email, email_key, display_name, created_at, updated_at)
       SELECT $1, 'U' || lpad(n::text, 26, '0'), n || '@x', n || '@x', 'Person ' || n || CASE WHEN n % 1000 = 3 THEN ' kestrel' ELSE '' END, now(), now()
       FROM generate_series(1, 60000) n`,
      [tenantId],
    );
    await db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at)
       SELECT $1, 'app' || n, 'App ' || n, 'app ' || n, now(), now() FROM generate_series(1, 100) n`,
      [tenantId],
    );
    await db.run(
      `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, created_at, updated_at)
       SELECT $1, 'app' || (1 + n % 100), 'E' || lpad(n::text, 26, '0'), 'e' || n, 'Right ' || n || CASE WHEN n % 1000 = 3 THEN ' kestrel' ELSE '' END,
         now(), now() FROM generate_series(1, 20000) n`,
      [tenantId],
    );
    await db.run(
      `INSERT INTO accounts (tenant_id, app_id, id, external_id, display_name, created_at, updated_at, user_id)
       SELECT $1, 'app' || (1 + n % 100), 'A' || lpad(n::text, 26, '0'), 'acct' || n, 'Account ' || n || CASE WHEN n % 5000 = 3 THEN ' kestrel' ELSE '' END,
         now(), now(), 'U' || lpad((1 + n % 60000)::text, 26, '0') FROM generate_series(1, 150000) n`,
      [tenantId],
    );
    const reviewIds: string[] = [];
    for (let count = 0; count < 5; count++) {
      const reviewId = await addTasksOf(db, tenantId, { steps: [askUsers([], { allowDelegation: true })] });
      reviewIds.push(reviewId);
      const mine = await addAssignment(db, tenantId, reviewId, [two.ours.basicId]);
      const others = await addAssignment(db, tenantId, reviewId, ['somebody']);
      await db.run(
        `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, assignment_id, created_at, updated_at)
         SELECT $1, $2 || lpad(n::text, 8, '0'), $2, n, 'app1', 'e' || n % 1000, 'a' || n, 'policy', CASE WHEN n % 100 = 0 THEN $3 ELSE $4 END, now(), now()
         FROM generate_series(1, 20000) n`,
        [tenantId, reviewId, mine, others],
      );
    }
    await db.run(
      `INSERT INTO revocations (tenant_id, id, review_id, certify_task_id, app_id, entitlement_id, account_id, state, state_at, created_at, updated_at,
         denied_by_id)
       SELECT $1, 'R' || lpad(n::text, 26, '0'), ($2::text[])[1 + n % 5], 't' || n, 'app1', 'e1', 'a1', 'VERIFIED', now() - n * interval '1 minute', now(),
         now(), CASE WHEN n % 100 = 0 THEN $3 ELSE 'u' || n % 500 END FROM generate_series(1, 100000) n`,
      [tenantId, reviewIds, two.ours.basicId],
    );
    await db.run(
      `INSERT INTO submissions (tenant_id, review_id, id, user_id, submitted, certified, denied, refused, created_at)
       SELECT $1, ($2::text[])[1 + n % 5], 'S' || lpad(n::text, 26, '0'), CASE WHEN n % 1000 = 0 THEN $3 ELSE 'u' || n % 500 END, 1, 1, 0, 0, now()
       FROM generate_series(1, 100000) n`,
      [tenantId, reviewIds, two.ours.basicId],
    );
    await two.admin('ANALYZE');
  }, 240_000);
  afterAll(() => two.close());

  async function watch(what: (context: Context) => Promise<readonly unknown[]>): Promise<{ rows: number; plans: PlanNode[] }> {
    const { context, plans } = watchPlans(me);
    const rows = await what(context);
    return { rows: rows.length, plans };
  }

  it.each<[string, (context: Context) => Promise<readonly unknown[]>, number]>([
    ['the reviews that ask somebody', (context) => listAskedRunning(context, [context.actor.userId]), 5],
    ['what came of their denials', (context) => listOutcomes(context, undefined, 26), 1],
    ['their removals', (context) => listDenied(context, { reviewId: undefined, outcome: 'GONE' }, undefined, 26), 26],
    ['what they certified until a date', (context) => listCertifiedUntil(context, undefined, 26), 0],
    ['their submissions', (context) => listOwnSubmissions(context, undefined, 26), 26],
  ])('%s are found by whose they are', async (_name, what, count) => {
    const { rows, plans } = await watch(what);
    expect(rows).toBe(count);
    expect(buffersOf(plans)).toBeLessThan(mostBuffers);
    const big = ['tasks', 'revocations', 'submissions'];
    const read = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Seq Scan' && big.includes(node['Relation Name'] ?? ''));
    expect(read).toEqual([]);
  });

  it.each(['kestrel', 'person', 'acct', 'nothing of that', 'ri', '4711'])(
    'the search for anything reads no table for "%s"',
    async (query) => {
      const { context, plans } = watchPlans(two.ours.admin);
      await searchAll(context, query);
      const read = plans
        .flatMap(nodesOf)
        .filter((node) => node['Node Type'] === 'Seq Scan' && ['users', 'accounts', 'entitlements'].includes(node['Relation Name'] ?? ''));
      expect(read).toEqual([]);
      expect(buffersOf(plans)).toBeLessThan(mostBuffers);
    },
  );
});
