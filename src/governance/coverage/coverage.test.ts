/**
 * Coverage of a period against a plain model that looks at each grant on each day, over random grants, reviews, certifications and denials; of two
 * tenants that hold the same.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TwoTenants, type TestTenant, useTwoTenants } from '../../../test/support/tenants.ts';
import { readPeriod } from './period.ts';
import { readApps, readCoverage, readGaps } from './read.ts';

let test: TwoTenants;
const dayMs = 86_400_000;
const first = Date.parse('2025-06-01T00:00:00Z');
const at = (day: number, hour = 12): Date => new Date(first + day * dayMs + hour * 3_600_000);
const sayDay = (day: number): string => at(day, 0).toISOString().slice(0, 10);

interface TestGrant {
  readonly app: string;
  readonly key: string;
  readonly added: number;
  readonly ended: number | undefined;
}
interface TestAnswer {
  readonly grant: TestGrant;
  readonly review: number;
  readonly day: number;
  readonly kind: 'CERTIFIED' | 'CARRIED' | 'POLICY' | 'DENIED' | 'SKIPPED';
  readonly until: number | undefined;
}

/** The next of a row of numbers that is the same each time. */
let seed = 7;
const below = (most: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * most);
};

/** Reviews by the day on which they were prepared; a revision is made on each day, and has its number. */
const reviews = [20, 90, 200];
const grants: TestGrant[] = [];
const answers: TestAnswer[] = [];
for (let number = 0; number < 60; number++) {
  const app = `app-${number % 3}`;
  const added = 1 + below(220);
  const ended = below(2) === 0 ? undefined : added + below(80);
  grants.push({ app, key: `g${number}`, added, ended });
  if (ended !== undefined && below(2) === 0) {
    grants.push({ app, key: `g${number}`, added: ended + 1 + below(10), ended: undefined });
  }
}
for (const [review, prepared] of reviews.entries()) {
  for (const grant of grants) {
    if (grant.added > prepared || (grant.ended !== undefined && grant.ended <= prepared) || below(4) === 0) {
      continue;
    }
    const kind = (['CERTIFIED', 'CERTIFIED', 'CERTIFIED', 'CARRIED', 'POLICY', 'DENIED', 'SKIPPED'] as const)[below(7)] ?? 'SKIPPED';
    const day = prepared + 1 + below(20);
    answers.push({ grant, review, day, kind, until: kind === 'CERTIFIED' && below(3) === 0 ? day + below(30) : undefined });
  }
}

/** Adds all of it to a tenant. */
async function fill({ admin, tenant }: TestTenant): Promise<void> {
  const { db } = admin;
  for (const app of ['app-0', 'app-1', 'app-2', 'app-3']) {
    await db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, document, created_at, updated_at) VALUES ($1, $2, $2, $2, '{}', $3, $3)`,
      [tenant.id, app, at(0)],
    );
  }
  for (const { app, key, added, ended } of grants) {
    await db.run(
      `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at, ended_at)
       VALUES ($1, $2, 'right', $3, $4, $5, $6, $6, $7)`,
      [tenant.id, app, key, added, ended ?? null, at(added), ended === undefined ? null : at(ended)],
    );
  }
  // App access that follows from an account is not counted.
  await db.run(
    `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, is_derived, created_at, updated_at)
     VALUES ($1, 'app-3', 'access', 'g1', 1, true, $2, $2)`,
    [tenant.id, at(1)],
  );
  for (const [number, prepared] of reviews.entries()) {
    await db.run(
      `INSERT INTO reviews (tenant_id, id, state, document, created_by_id, prepared_revision, started_at, closed_at, created_at, updated_at)
       VALUES ($1, $2, 'CLOSED', '{}', '', $3, $4, $5, $4, $4)`,
      [tenant.id, `coverage-${number}`, prepared, at(prepared, 13), at(prepared + 30)],
    );
  }
  for (const [number, { grant, review, day, kind, until }] of answers.entries()) {
    const outcome = { CERTIFIED: 'CERTIFIED', CARRIED: 'CERTIFIED', POLICY: 'CERTIFIED', DENIED: 'DECERTIFIED', SKIPPED: 'CANCELLED' }[
      kind
    ];
    const reason = kind === 'CARRIED' ? 'CARRIED' : kind === 'SKIPPED' ? 'SKIPPED_AT_CLOSE' : 'DECIDED';
    await db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, state, outcome, end_reason,
         decided_by_id, ended_at, certify_until, created_at, updated_at)
       VALUES ($1, $2, $3, 0, $4, 'right', $5, 'policy', 'CLOSED', $6, $7, $8, $9, $10, $9, $9)`,
      [
        tenant.id,
        `${tenant.id.slice(-8)}-${number}`,
        `coverage-${review}`,
        grant.app,
        grant.key,
        outcome,
        reason,
        kind === 'CERTIFIED' ? 'somebody' : null,
        at(day),
        until === undefined ? null : at(until),
      ],
    );
  }
}

type Kind = 'certified' | 'removed' | 'notCovered';

/** The standing of one grant on one day; undefined where it is not held at its end. */
function stateOn(grant: TestGrant, day: number, validDays: number): Kind | undefined {
  if (day < grant.added || (grant.ended !== undefined && day >= grant.ended)) {
    return undefined;
  }
  const ofGrant = answers.filter((answer) => answer.grant === grant && answer.day <= day);
  const isCertified = ofGrant.some(
    (one) => one.kind === 'CERTIFIED' && day < one.day + validDays && (one.until === undefined || day < one.until),
  );
  const isRemoved = grant.ended !== undefined && ofGrant.some(({ kind }) => kind === 'DENIED');
  return isCertified ? 'certified' : isRemoved ? 'removed' : 'notCovered';
}

function count(from: number, until: number, validDays: number, appId?: string): Record<Kind, number> {
  const counts = { certified: 0, removed: 0, notCovered: 0 };
  for (const grant of grants.filter(({ app }) => appId === undefined || app === appId)) {
    for (let day = from; day < until; day++) {
      const state = stateOn(grant, day, validDays);
      counts[state ?? 'certified'] += state === undefined ? 0 : 1;
    }
  }
  return counts;
}

beforeAll(async () => {
  test = await useTwoTenants();
  await fill(test.ours);
  await fill(test.theirs);
});
afterAll(() => test.close());

describe('coverage', () => {
  const [from, until] = [10, 240];
  const period = (validDays: number) => ({ fromDay: sayDay(from), untilDay: sayDay(until), validDays });

  it.each([30, 365])('counts each grant on each day, where a certification is valid for %d days', async (validDays) => {
    const all = await readCoverage(test.ours.admin, period(validDays), '');
    expect(all.days).toEqual(count(from, until, validDays));
    expect(Math.min(all.days.certified, all.days.removed, all.days.notCovered)).toBeGreaterThan(5);
    for (const kind of ['certified', 'removed', 'notCovered'] as const) {
      expect(all.months.reduce((sum, { days }) => sum + days[kind], 0)).toBe(all.days[kind]);
    }
    const december = all.months.find(({ month }) => month === '2025-12');
    const begin = Math.round((Date.parse('2025-12-01T00:00:00Z') - first) / dayMs);
    expect(december?.days).toEqual(count(begin, begin + 31, validDays));
    const one = await readCoverage(test.ours.admin, period(validDays), 'app-1');
    expect(one.days).toEqual(count(from, until, validDays, 'app-1'));
  });

  it('lists apps page by page, without those that hold nothing', async () => {
    const page = await readApps(test.ours.admin, period(60), '', 2);
    expect(page.map(({ appId, days }) => ({ appId, days }))).toEqual([
      { appId: 'app-0', days: count(from, until, 60, 'app-0') },
      { appId: 'app-1', days: count(from, until, 60, 'app-1') },
    ]);
    expect((await readApps(test.ours.admin, period(60), 'app-1', 10)).map(({ appId }) => appId)).toEqual(['app-2']);
  });

  it('lists the grants with gaps page by page, with their days', async () => {
    const found = [];
    for (let after: Parameters<typeof readGaps>[3]; ; ) {
      const page = await readGaps(test.ours.admin, period(60), 'app-2', after, 3);
      found.push(...page);
      after = page.at(-1);
      if (page.length < 3) {
        break;
      }
    }
    const gaps = (grant: TestGrant): string[] =>
      Array.from({ length: until - from }, (_, index) => from + index)
        .filter((day) => stateOn(grant, day, 60) === 'notCovered')
        .map(sayDay);
    const said = found.map(({ accountId, addedRevision, gaps: ranges }) => ({
      key: accountId,
      added: addedRevision,
      days: ranges.flatMap(({ fromDay, untilDay }) => {
        const length = (Date.parse(untilDay) - Date.parse(fromDay)) / dayMs;
        return Array.from({ length }, (_, index) => new Date(Date.parse(fromDay) + index * dayMs).toISOString().slice(0, 10));
      }),
    }));
    const expected = grants
      .filter((grant) => grant.app === 'app-2' && gaps(grant).length > 0)
      .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.added - other.added));
    expect(said).toEqual(expected.map((grant) => ({ key: grant.key, added: grant.added, days: gaps(grant) })));
    expect(said.length).toBeGreaterThan(5);
  });

  it('knows no app of another tenant, and none that never was', async () => {
    await expect(readGaps(test.ours.admin, period(60), 'never', undefined, 3)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await test.theirs.admin.db.run(
      `INSERT INTO apps (tenant_id, id, display_name, name_key, document, created_at, updated_at) VALUES ($1, 'app-t', 'T', 't', '{}', $2, $2)`,
      [test.theirs.tenant.id, at(0)],
    );
    await expect(readCoverage(test.ours.admin, period(60), 'app-t')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the period', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const nothing = { fromDay: '', untilDay: '', validDays: 0 };

  it('is the year up to today, and never beyond', () => {
    expect(readPeriod(nothing, now)).toEqual({ fromDay: '2025-03-02', untilDay: '2026-03-02', validDays: 365 });
    expect(readPeriod({ ...nothing, fromDay: '2026-01-01', untilDay: '2027-01-01' }, now).untilDay).toBe('2026-03-02');
  });

  it.each([
    [{ fromDay: '2026-02-30' }, 'fromDay'],
    [{ untilDay: 'yesterday' }, 'untilDay'],
    [{ fromDay: '2026-01-02', untilDay: '2026-01-02' }, 'fromDay'],
    [{ fromDay: '2026-03-02' }, 'fromDay'],
    [{ fromDay: '2020-01-01' }, 'fromDay'],
    [{ validDays: 3_661 }, 'validDays'],
    [{ validDays: -1 }, 'validDays'],
  ])('refuses %j', (said, field) => {
    const refusal = { violations: [{ field }] };
    try {
      readPeriod({ ...nothing, ...said }, now);
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', ...refusal });
      return;
    }
    expect.fail('nothing was refused');
  });
});
