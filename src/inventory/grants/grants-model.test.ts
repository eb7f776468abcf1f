/**
 * Random sequences of giving, taking, dates and the passing of time against a plain model: who has what now, everything that happened, what
 * ended, and the counts that are kept.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { checkInventory } from '../../../test/support/check-inventory.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type ManualApp, makeManualApp } from '../../../test/support/manual-app.ts';
import { isAppError } from '../../errors.ts';
import type { ChunkResult, Job } from '../../jobs/index.ts';
import type { Context } from '../../context.ts';
import { addMembers } from './add-members.ts';
import { changeDuration } from './change-duration.ts';
import { expireJob, expireKind } from './expire.ts';
import { removeMembership } from './remove-membership.ts';
import { type FeedFilter, type FeedPlace, type FeedRow, feedStart, listFeed, listPastGrants } from './store-feed.ts';
import { type GrantPlace, listOpenGrants, type OpenGrantRow } from './store-search.ts';

const entitlements = 3;
const people = 3;
/** Stands for app access among the entitlements. */
const access = -1;
const hour = 3_600_000;

type Act =
  | { readonly kind: 'give'; readonly entitlement: number; readonly people: readonly number[] }
  | { readonly kind: 'take'; readonly entitlement: number; readonly person: number }
  | { readonly kind: 'until'; readonly entitlement: number; readonly person: number; readonly hours: number | null }
  | { readonly kind: 'wait'; readonly hours: number };

const person = fc.nat(people - 1);
const entitlement = fc.integer({ min: access, max: entitlements - 1 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('give' as const), entitlement, people: fc.array(person, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('take' as const), entitlement, person }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('until' as const), entitlement, person, hours: fc.option(fc.integer({ min: 1, max: 9 })) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 9 }) }) },
);

interface Life {
  readonly name: string;
  readonly from: number;
  to: number | null;
  until: number | null;
}

const nameOf = (entitlementNo: number, personNo: number): string => `${entitlementNo < 0 ? 'access' : `e${entitlementNo}`} p${personNo}`;

/** Access as the rules alone give it. Times are milliseconds. */
class Model {
  readonly lives: Life[] = [];
  revisions = 0;

  open(): Life[] {
    return this.lives.filter((life) => life.to === null);
  }

  find(name: string): Life | undefined {
    return this.open().find((life) => life.name === name);
  }

  give(entitlementNo: number, persons: readonly number[], now: number): void {
    const lacking = [...new Set(persons)].filter((one) => this.find(nameOf(entitlementNo, one)) === undefined);
    this.revisions += lacking.length > 0 ? 1 : 0;
    for (const one of lacking) {
      for (const wanted of [access, entitlementNo]) {
        if (this.find(nameOf(wanted, one)) === undefined) {
          this.lives.push({ name: nameOf(wanted, one), from: now, to: null, until: null });
        }
      }
    }
  }

  /** False where there is nothing to take. */
  take(entitlementNo: number, personNo: number, now: number): boolean {
    const life = this.find(nameOf(entitlementNo, personNo));
    if (life === undefined) {
      return false;
    }
    this.revisions++;
    this.end(life, now);
    return true;
  }

  end(life: Life, now: number): void {
    life.to = now;
    if (life.name.startsWith('access')) {
      const owner = life.name.split(' ')[1];
      for (const other of this.open().filter(({ name }) => name.endsWith(` ${owner}`))) {
        other.to = now;
      }
    }
  }

  setUntil(entitlementNo: number, personNo: number, until: number | null): boolean {
    const life = this.find(nameOf(entitlementNo, personNo));
    if (life === undefined) {
      return false;
    }
    this.revisions += life.until === until ? 0 : 1;
    life.until = until;
    return true;
  }

  expire(now: number): void {
    const due = this.open().filter(({ until }) => until !== null && until <= now);
    this.revisions += due.length > 0 ? 1 : 0;
    for (const life of due) {
      this.end(life, now);
    }
  }
}

/** All pages, three rows at a time. */
async function allOpen(context: Context, appId: string): Promise<OpenGrantRow[]> {
  const found: OpenGrantRow[] = [];
  for (;;) {
    const last: GrantPlace = found.at(-1) ?? { appId: '', entitlementId: '', accountId: '' };
    const page = await listOpenGrants(context, { appIds: [appId] }, last, 3);
    found.push(...page);
    if (page.length < 3) {
      return found;
    }
  }
}

async function allEvents(list: typeof listFeed, context: Context, filter: FeedFilter): Promise<FeedRow[]> {
  const found: FeedRow[] = [];
  for (;;) {
    const last: FeedPlace = found.at(-1) ?? feedStart;
    const page = await list(context, filter, last, 3);
    found.push(...page);
    if (page.length < 3) {
      return found;
    }
  }
}

describe('manual grants', () => {
  let test: TestDatabase;
  let tenant: TestTenant;
  let round = 0;
  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
  });
  afterAll(() => test.close());

  async function perform(one: Act, app: ManualApp, context: Context, model: Model): Promise<void> {
    const idOf = (no: number): string => (no < 0 ? app.appAccessId : (app.entitlementIds[no] ?? ''));
    const accountOf = async (no: number): Promise<string> => {
      const row = await context.db.maybe<{ id: string }>('SELECT id FROM accounts WHERE tenant_id = $1 AND app_id = $2 AND user_id = $3', [
        context.tenantId,
        app.appId,
        app.userIds[no],
      ]);
      return row?.id ?? 'nobody';
    };
    const now = context.now.getTime();
    const isDone = (work: Promise<unknown>): Promise<boolean> =>
      work.then(
        () => true,
        (error: unknown) => {
          if (isAppError(error, 'NOT_FOUND')) {
            return false;
          }
          throw error;
        },
      );
    if (one.kind === 'give') {
      const ids = one.people.map((no) => app.userIds[no] ?? '');
      expect(await addMembers(context, app.appId, idOf(one.entitlement), ids)).toEqual({});
      model.give(one.entitlement, one.people, now);
    } else if (one.kind === 'take') {
      const done = await isDone(removeMembership(context, app.appId, idOf(one.entitlement), await accountOf(one.person)));
      expect(done).toBe(model.take(one.entitlement, one.person, now));
    } else if (one.kind === 'until') {
      const until = one.hours === null ? null : new Date(now + one.hours * hour);
      const pair = { entitlementId: idOf(one.entitlement), accountId: await accountOf(one.person) };
      const done = await isDone(changeDuration(context, app.appId, pair, until));
      expect(done).toBe(model.setUntil(one.entitlement, one.person, until?.getTime() ?? null));
    }
  }

  /** Runs the job for the calls that are due, as the runner would at this moment. */
  async function runJob(context: Context): Promise<void> {
    for (;;) {
      const calls = await context.db.run("DELETE FROM jobs WHERE tenant_id = $1 AND kind = $2 AND run_at <= $3 AND state = 'CALLED'", [
        context.tenantId,
        expireKind,
        context.now,
      ]);
      if (calls === 0) {
        return;
      }
      for (let isOver = false; !isOver; ) {
        const work = (): Promise<ChunkResult> => context.db.transaction((db) => expireJob.handler({ ...context, db }, { done: 0 } as Job));
        isOver = (await work()) === 'finished';
      }
    }
  }

  it('equals a plain model after any sequence: what is open, what happened, what ended, and the counts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 14 }), async (acts) => {
        let now = Date.parse('2026-03-01T00:00:00Z') + round * 1000 * hour;
        const label = `app${round++}`;
        const at = (): Context => tenant.context(new Date(now));
        const app = await makeManualApp(at(), label, entitlements, people);
        const model = new Model();
        for (const one of acts) {
          now += one.kind === 'wait' ? one.hours * hour : 60_000;
          await runJob(at());
          model.expire(now);
          await perform(one, app, at(), model);
        }
        const users = new Map(app.userIds.map((id, no) => [id, `p${no}`]));
        const owners = new Map(
          (
            await at().db.rows<{ id: string; userId: string }>(
              'SELECT id, user_id AS "userId" FROM accounts WHERE tenant_id = $1 AND app_id = $2',
              [tenant.tenantId, app.appId],
            )
          ).map(({ id, userId }) => [id, users.get(userId)]),
        );
        const shown = (row: GrantPlace): string => {
          const no = app.entitlementIds.indexOf(row.entitlementId);
          return `${no < 0 ? 'access' : `e${no}`} ${owners.get(row.accountId)}`;
        };
        const open = await allOpen(at(), app.appId);
        expect(open.map((row) => [shown(row), row.createdAt.getTime(), row.deprovisionAt?.getTime() ?? null]).sort()).toEqual(
          model
            .open()
            .map((life) => [life.name, life.from, life.until])
            .sort(),
        );

        const told = model.lives.filter(({ name }) => !name.startsWith('access'));
        const feed = await allEvents(listFeed, at(), { appIds: [app.appId] });
        const events = feed.map((row) => [row.date.getTime(), row.type, shown(row)]);
        expect(events.toSorted()).toEqual(
          told.flatMap(({ name, from, to }) => [[from, 'A', name], ...(to === null ? [] : [[to, 'R', name]])]).toSorted(),
        );
        expect(feed.map((row) => row.revision)).toEqual(feed.map((row) => row.revision).toSorted((a, b) => b - a));
        // The other way to the same rows.
        const refs = app.entitlementIds.map((id) => ({ appId: app.appId, id }));
        expect(await allEvents(listFeed, at(), { entitlements: refs })).toEqual(feed);
        const accesses = await allEvents(listFeed, at(), { entitlements: [{ appId: app.appId, id: app.appAccessId }] });
        expect(accesses.length).toBe(
          model.lives.filter(({ name }) => name.startsWith('access')).reduce((sum, { to }) => sum + (to === null ? 1 : 2), 0),
        );

        const past = await allEvents(listPastGrants, at(), { appIds: [app.appId] });
        expect(past.map((row) => [shown(row), row.createdAt.getTime(), row.endedAt?.getTime()]).sort()).toEqual(
          told
            .filter(({ to }) => to !== null)
            .map(({ name, from, to }) => [name, from, to])
            .sort(),
        );

        const counts = await at().db.rows<{ id: string; count: number }>(
          'SELECT id, grant_count AS count FROM entitlements WHERE tenant_id = $1 AND app_id = $2 AND grant_count <> 0',
          [tenant.tenantId, app.appId],
        );
        const byEntitlement = new Map<string, number>();
        for (const row of open) {
          byEntitlement.set(row.entitlementId, (byEntitlement.get(row.entitlementId) ?? 0) + 1);
        }
        expect(new Map(counts.map(({ id, count }) => [id, count]))).toEqual(byEntitlement);
        const { userCount } = await at().db.one<{ userCount: number }>(
          'SELECT user_count AS "userCount" FROM apps WHERE tenant_id = $1 AND id = $2',
          [tenant.tenantId, app.appId],
        );
        expect(userCount).toBe(model.open().filter(({ name }) => name.startsWith('access')).length);
        // One revision and one event for each change, whatever it took.
        const { revisions, events: written } = await at().db.one<{ revisions: number; events: number }>(
          `SELECT (SELECT count(*) FROM inventory_revisions WHERE tenant_id = $1 AND app_id = $2) AS revisions,
             (SELECT count(*) FROM events WHERE tenant_id = $1 AND (target_id = $2 OR data ->> 'appId' = $2) AND data ? 'revision') AS events`,
          [tenant.tenantId, app.appId],
        );
        expect([revisions, written]).toEqual([model.revisions, model.revisions]);
      }),
      { numRuns: Number(process.env['MODEL_RUNS'] ?? runs(10, 40)) },
    );
    await checkInventory(test.admin, tenant.tenantId);
  }, 300_000);
});
