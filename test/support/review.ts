/**
 * A tenant with the domino data imported and a runner beside it: for tests of a review's run at the level of rules, without HTTP.
 */
import { Readable } from 'node:stream';
import type { JsonObject } from '@bufbuild/protobuf';
import { importGrants } from '../../src/inventory/syncs/import-grants.ts';
import { importPeople } from '../../src/inventory/syncs/import-people.ts';
import { ensureBuiltinPolicy } from '../../src/governance/policies/index.ts';
import { createReview } from '../../src/governance/reviews/life/create.ts';
import { jobKinds as reviewJobs } from '../../src/governance/reviews/index.ts';
import { jobKinds as taskJobs } from '../../src/governance/tasks/index.ts';
import { changeReview } from '../../src/governance/reviews/life/update.ts';
import { findReview, type ReviewRow } from '../../src/governance/reviews/record/store.ts';
import { createRunner, type JobKind, type Runner } from '../../src/jobs/index.ts';
import { reactions } from '../../src/reactions.ts';
import { type Context, silentLogger } from '../../src/context.ts';
import { type DataSet, type GrantRecord, readDataSet } from './data-sets.ts';
import { openTwoTenants, type TestTenant, type TwoTenants } from './tenants.ts';

/** Tools for tests of a run. */
export interface ReviewTest extends Omit<TwoTenants, 'admin'> {
  readonly data: DataSet;
  readonly appId: string;
  readonly runner: Runner;
  /** Runs SQL as a superuser, past row-level security. */
  superuser(sql: string): Promise<unknown>;
  /** Acts as the Super Administrator, now. */
  admin(): Context;
  userId(email: string): Promise<string>;
  /** A draft of this document, owned by the administrator. */
  draft(document: JsonObject): Promise<ReviewRow>;
  /** Waits until the review is in one of these states. */
  until(id: string, ...states: string[]): Promise<ReviewRow>;
}

/** Imports people and grants of a data set into a tenant, as its administrator. */
export async function importInto(tenant: TestTenant, data: DataSet, app: string, now = new Date()): Promise<void> {
  const context = { ...tenant.admin, now };
  await importPeople(context, { source: '', allowRemovals: false }, { body: Readable.from([data.peopleCsv]), encoding: '' });
  await importGrants(context, { app, allowRemovals: false }, { body: Readable.from([data.grantsCsv]), encoding: '' });
}

/** Opens it all: domino in ours, and in theirs too, so that a forgotten tenant shows. What happens by date follows `clock`; jobs of later modules are given. */
export async function openReviewTest(
  name = 'domino',
  clock = (): Date => new Date(),
  otherJobs: ReadonlyMap<string, JobKind> = new Map(),
): Promise<ReviewTest> {
  const two = await openTwoTenants(reactions);
  const data = readDataSet(name);
  for (const tenant of [two.ours, two.theirs]) {
    await ensureBuiltinPolicy(tenant.system);
    await importInto(tenant, data, 'Domino', clock());
  }
  const admin = (): Context => ({ ...two.ours.admin, now: clock() });
  const handlers = new Map([...reviewJobs, ...taskJobs, ...otherJobs]);
  const runner = createRunner({
    database: two.database,
    handlers,
    log: silentLogger,
    react: reactions,
    pollMs: 20,
    clock,
  });
  runner.start();
  const { id: appId } = await two.ours.system.db.one<{ id: string }>('SELECT a.id FROM apps a WHERE a.tenant_id = $1', [
    two.ours.tenant.id,
  ]);
  return {
    ...two,
    data,
    appId,
    runner,
    superuser: (text) => two.admin(text),
    admin,
    async userId(email) {
      const { id } = await two.ours.system.db.one<{ id: string }>('SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.email_key = $2', [
        two.ours.tenant.id,
        email,
      ]);
      return id;
    },
    async draft(document) {
      const review = await createReview(admin(), { displayName: 'Test' }, [], '');
      return Object.keys(document).length === 0 ? review : changeReview(admin(), review.id, document, undefined);
    },
    async until(id, ...states) {
      for (let attempt = 0; attempt < 3000; attempt++) {
        const review = await findReview(admin(), id);
        if (review !== undefined && states.includes(review.state)) {
          return review;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`the review did not become ${states.join(' or ')}: ${JSON.stringify(await findReview(admin(), id))}`);
    },
    async close() {
      await runner.drain();
      await two.close();
    },
  };
}

/** Each grant once, as "account permission", sorted: what a review over these rows would ask. */
export function itemsOf(rows: readonly GrantRecord[]): string[] {
  return [...new Set(rows.map((row) => `${row.account} ${row.resource}/${row.entitlement}`))].sort();
}

/** The items of a prepared review in the same form; app access is "account app access". */
export async function itemsAsked(context: Context, reviewId: string): Promise<string[]> {
  const rows = await context.db.rows<{ item: string }>(
    `SELECT a.external_id || ' ' || CASE WHEN e.resource_id = '' THEN 'app access' ELSE e.resource_display_name || '/' || n.external_id END AS item
     FROM tasks t
     JOIN review_accounts a ON a.tenant_id = $1 AND a.review_id = t.review_id AND a.app_id = t.app_id AND a.account_id = t.account_id
     JOIN review_entitlements e ON e.tenant_id = $1 AND e.review_id = t.review_id AND e.app_id = t.app_id AND e.entitlement_id = t.entitlement_id
     JOIN entitlements n ON n.tenant_id = $1 AND n.app_id = t.app_id AND n.id = t.entitlement_id
     WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [context.tenantId, reviewId],
  );
  return rows.map((row) => row.item).sort();
}
