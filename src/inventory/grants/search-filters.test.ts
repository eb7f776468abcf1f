/**
 * The lists of grants over all apps with any of their filters together, beside plain filters, over random lives of grants: the search for open
 * ones, the feed and the past. Pages of any size hold what they find, once and in order.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { arbitraryFilter } from '../../../test/support/arbitrary-filter.ts';
import { makeTenant, openFixture, type TestTenant } from '../../../test/support/inventory.ts';
import { type FeedFilter, type FeedPlace, feedStart, listFeed, listPastGrants, type Ref } from './store-feed.ts';
import { type GrantFilter, type GrantPlace, listOpenGrants } from './store-search.ts';

const idOf = (kind: string, place: number): string => `${kind}${String(place).padStart(26, '0')}`;
const apps = [0, 1, 2].map((place) => idOf('p', place));
/** Nothing of it is found. */
const goneApp = apps[2] as string;
const people = [0, 1, 2].map((place) => idOf('u', place));
const revisions = 30;
const start = Date.parse('2026-01-01T00:00:00Z');
/** Two revisions a minute: times alone do not distinguish them. */
const madeAt = (revision: number): Date => new Date(start + Math.floor(revision / 2) * 60_000);

interface Entitlement extends Ref {
  readonly slug: string;
  readonly isManual: boolean;
  readonly isAppAccess: boolean;
  readonly purpose: string;
  readonly resourceId: string;
  readonly typeId: string;
}
interface Account extends Ref {
  readonly userId: string | null;
}
interface Life {
  readonly entitlement: Entitlement;
  readonly account: Account;
  readonly from: number;
  readonly to: number | null;
}

const entitlements: Entitlement[] = Array.from({ length: 15 }, (_, place) => ({
  id: idOf('e', place),
  appId: apps[place % 3] as string,
  slug: ['', 'short', 'other'][(place >> 1) % 3] as string,
  isManual: place % 4 === 0,
  isAppAccess: place < 3,
  purpose: ['ASSIGNMENT', 'PERMISSION', 'OWNERSHIP'][(place >> 2) % 3] as string,
  resourceId: idOf('r', place % 4),
  typeId: idOf('t', place % 2),
}));
const accounts: Account[] = Array.from({ length: 12 }, (_, place) => ({
  id: idOf('c', place),
  appId: apps[place % 3] as string,
  userId: [people[0], people[1], null][(place >> 2) % 3] ?? null,
}));

/** Each pair of an app has up to three lives, one after the other; each revision is of one app. */
const lives: Life[] = entitlements.flatMap((entitlement, e) =>
  accounts.flatMap((account, a) => {
    if (account.appId !== entitlement.appId) {
      return [];
    }
    // Of its app are the revisions that leave the same rest by three.
    const app = apps.indexOf(entitlement.appId);
    const times = [0, 1, 2, 3, 4, 5]
      .map((step) => app + 3 * ((step * 2 + ((e * 5 + a * 3) % 3)) % (revisions / 3)))
      .filter((one) => one > 0);
    const ordered = [...new Set(times)].sort((one, other) => one - other).slice(0, ((e + a) % 4) + 1);
    return [0, 2, 4].flatMap((at) => {
      const from = ordered[at];
      return from === undefined ? [] : [{ entitlement, account, from, to: ordered[at + 1] ?? null }];
    });
  }),
);
const shownSlug = (one: Entitlement): string => (one.slug !== '' || one.isManual ? one.slug : `x${one.id}`);
const isOneOf = <T>(list: readonly T[] | undefined, value: T): boolean => list?.includes(value) ?? true;
const isRefOf = (refs: readonly Ref[] | undefined, { appId, id }: Ref): boolean =>
  refs?.some((ref) => ref.appId === appId && ref.id === id) ?? true;
const byKey = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const some = <T>(...values: readonly T[]): fc.Arbitrary<T[]> => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 });
/** Right references and some whose app is another. */
const refsTo = (objects: readonly Ref[]): fc.Arbitrary<Ref[]> =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...objects), fc.integer({ min: 0, max: 4 }))
      .map(([{ appId, id }, wrong]) => ({ id, appId: wrong === 0 ? 'none' : appId })),
    { minLength: 1, maxLength: 6 },
  );

describe('the lists of grants', () => {
  let test: TestDatabase;
  let tenant: TestTenant;

  async function fill(tenantId: string): Promise<void> {
    const put = (sql: string, ...values: unknown[]): Promise<unknown> => test.admin(sql, [tenantId, ...values]);
    for (const app of apps) {
      await put(
        'INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at, deleted_at) VALUES ($1, $2, $2, $2, now(), now(), $3)',
        ...[app, app === goneApp ? new Date() : null],
      );
    }
    for (const one of entitlements) {
      const open = lives.filter(({ entitlement, to }) => entitlement === one && to === null).length;
      await put(
        `INSERT INTO entitlements (tenant_id, app_id, id, resource_type_id, resource_id, external_id, display_name, slug, is_manual, is_app_access, purpose,
           grant_count, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 'x' || $3, $3, $6, $7, $8, $9, $10, now(), now())`,
        ...[one.appId, one.id, one.typeId, one.resourceId, one.slug, one.isManual, one.isAppAccess, one.purpose, open],
      );
    }
    for (const one of accounts) {
      await put(
        `INSERT INTO accounts (tenant_id, app_id, id, external_id, user_id, created_at, updated_at) VALUES ($1, $2, $3, $3, $4, now(), now())`,
        ...[one.appId, one.id, one.userId],
      );
    }
    for (let revision = 1; revision < revisions; revision++) {
      await put(
        `INSERT INTO inventory_revisions (tenant_id, revision, app_id, cause, made_at) VALUES ($1, $2, $3, 'MANUAL', $4)`,
        ...[revision, apps[revision % 3], madeAt(revision)],
      );
    }
    for (const { entitlement, account, from, to } of lives) {
      await put(
        `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, is_derived, created_at, updated_at, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now(), CASE WHEN $6::bigint IS NOT NULL THEN now() END)`,
        ...[entitlement.appId, entitlement.id, account.id, from, to, entitlement.isAppAccess],
      );
    }
  }

  beforeAll(async () => {
    test = await openFixture();
    tenant = makeTenant(test);
    await fill(tenant.tenantId);
    await fill(makeTenant(test).tenantId);
  }, 300_000);
  afterAll(() => test.close());

  const size = fc.integer({ min: 1, max: 40 });
  /** All pages. */
  async function all<Row>(list: (last: Row | undefined, limit: number) => Promise<Row[]>, limit: number): Promise<Row[]> {
    const found: Row[] = [];
    for (;;) {
      const page = await list(found.at(-1), limit);
      found.push(...page);
      if (page.length < limit) {
        return found;
      }
    }
  }

  it('of open ones are those a plain filter finds, by app, entitlement and account', async () => {
    const filter: fc.Arbitrary<GrantFilter> = arbitraryFilter<GrantFilter>(
      {
        appIds: some(...apps, 'none'),
        accountIds: some(...accounts.map(({ id }) => id), 'none'),
        entitlementRefs: refsTo(entitlements).map((refs) => refs.map(({ appId, id }) => `${appId}/${id}`)),
        slugs: some('short', 'other', '', ...entitlements.map(({ id }) => `x${id}`)),
        purposes: some('ASSIGNMENT', 'PERMISSION', 'OWNERSHIP', ''),
        resourceIds: some(...[0, 1, 2, 3].map((place) => idOf('r', place))),
        resourceTypeIds: some(...[0, 1].map((place) => idOf('t', place))),
        userId: fc.constantFrom(...people, 'none'),
      },
      3,
    );
    let foundAny = 0;
    await fc.assert(
      fc.asyncProperty(filter, size, async (wanted, limit) => {
        const expected = lives
          .filter(
            ({ entitlement, account, to }) =>
              to === null &&
              entitlement.appId !== goneApp &&
              isOneOf(wanted.appIds, entitlement.appId) &&
              isOneOf(wanted.accountIds, account.id) &&
              isOneOf(wanted.entitlementRefs, `${entitlement.appId}/${entitlement.id}`) &&
              isOneOf(wanted.slugs, shownSlug(entitlement)) &&
              isOneOf(wanted.purposes, entitlement.purpose) &&
              isOneOf(wanted.resourceIds, entitlement.resourceId) &&
              isOneOf(wanted.resourceTypeIds, entitlement.typeId) &&
              (wanted.userId === undefined || account.userId === wanted.userId),
          )
          .map(({ entitlement, account }) => `${entitlement.appId} ${entitlement.id} ${account.id}`)
          .sort();
        foundAny += expected.length > 0 ? 1 : 0;
        const first: GrantPlace = { appId: '', entitlementId: '', accountId: '' };
        const found = await all<GrantPlace>((last, most) => listOpenGrants(tenant.context(), wanted, last ?? first, most), limit);
        expect(found.map(({ appId, entitlementId, accountId }) => `${appId} ${entitlementId} ${accountId}`)).toEqual(expected);
      }),
      { numRuns: runs(40, 150) },
    );
    expect(foundAny).toBeGreaterThan(20);
  }, 300_000);

  it.each([
    ['the feed', listFeed, true],
    ['the past', listPastGrants, false],
  ] as const)(
    'of %s are those a plain filter finds, the newest first',
    async (_name, list, hasAdditions) => {
      const time = fc.integer({ min: 0, max: revisions }).map(madeAt);
      const filter: fc.Arbitrary<FeedFilter> = arbitraryFilter<FeedFilter>(
        {
          appIds: some(...apps, 'none'),
          entitlements: refsTo(entitlements),
          accounts: refsTo(accounts),
          userIds: some(...people, 'none'),
          after: time,
          before: time,
        },
        3,
      );
      let foundAny = 0;
      await fc.assert(
        fc.asyncProperty(filter, size, async (wanted, limit) => {
          const isFound = ({ entitlement, account }: Life): boolean =>
            entitlement.appId !== goneApp &&
            // App access follows from accounts, and is reported only to those who ask for it.
            (wanted.entitlements !== undefined || !entitlement.isAppAccess) &&
            isOneOf(wanted.appIds, entitlement.appId) &&
            isRefOf(wanted.entitlements, entitlement) &&
            isRefOf(wanted.accounts, account) &&
            (wanted.userIds === undefined || (account.userId !== null && wanted.userIds.includes(account.userId)));
          const isInTime = (revision: number): boolean =>
            (wanted.after === undefined || madeAt(revision) >= wanted.after) &&
            (wanted.before === undefined || madeAt(revision) < wanted.before);
          const expected = lives
            .filter(isFound)
            .flatMap(({ entitlement, account, from, to }) => [
              ...(hasAdditions ? [{ revision: from, text: `${entitlement.id} ${account.id} A` }] : []),
              ...(to === null ? [] : [{ revision: to, text: `${entitlement.id} ${account.id} R` }]),
            ])
            .filter(({ revision }) => isInTime(revision))
            .sort((one, other) => other.revision - one.revision || byKey(one.text, other.text))
            .map(({ revision, text }) => `${revision} ${text}`);
          foundAny += expected.length > 0 ? 1 : 0;
          const found = await all(
            (last: (FeedPlace & { date: Date }) | undefined, most) => list(tenant.context(), wanted, last ?? feedStart, most),
            limit,
          );
          expect(found.map((row) => `${row.revision} ${row.entitlementId} ${row.accountId} ${row.type}`)).toEqual(expected);
          expect(found.map(({ date }) => date)).toEqual(found.map(({ revision }) => madeAt(revision)));
        }),
        { numRuns: runs(40, 150) },
      );
      expect(foundAny).toBeGreaterThan(20);
    },
    300_000,
  );
});
