/** Random access profiles over random grants, beside a few lines of plain TypeScript: who is a member, and who is offered what. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { addAccount, addPerson, addSourcedApp } from '../../../test/support/identity.ts';
import { makeTestTenant, useTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { inTransaction, type Context } from '../../context.ts';
import { addEntries } from './change-entries.ts';
import { createProfile } from './change-profile.ts';
import { countManyMembers, countMembers } from './store-members.ts';
import { listHeld, listOffers, type OfferFilter } from './store-search.ts';

/** A world by numbers: `grants` are [person, entitlement, is it still held]; entitlement 0 to 2 are of the first app, 3 to 5 of the second. */
interface World {
  readonly grants: readonly (readonly [number, number, boolean])[];
  readonly profiles: readonly { published: boolean; open: boolean; gives: readonly number[]; seenBy: readonly number[] }[];
  readonly deleted: readonly number[];
  readonly disabled: readonly number[];
}

const person = fc.nat(3);
const entitlement = fc.nat(5);
const worlds: fc.Arbitrary<World> = fc.record({
  grants: fc.uniqueArray(fc.tuple(person, entitlement, fc.boolean()), { selector: ([p, e]) => `${p}/${e}`, maxLength: 14 }),
  profiles: fc.array(
    fc.record({
      published: fc.boolean(),
      open: fc.boolean(),
      gives: fc.uniqueArray(entitlement, { maxLength: 3 }),
      seenBy: fc.uniqueArray(entitlement, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  deleted: fc.uniqueArray(entitlement, { maxLength: 1 }),
  disabled: fc.uniqueArray(person, { maxLength: 1 }),
});

const held = (world: World, who: number): number[] => world.grants.filter(([p, , open]) => p === who && open).map(([, e]) => e);

/** The people who hold all that is left of what a profile gives. */
function membersOf(world: World, index: number): number {
  const gives = (world.profiles[index]?.gives ?? []).filter((one) => !world.deleted.includes(one));
  const people = [0, 1, 2, 3].filter((who) => !world.disabled.includes(who));
  return gives.length === 0 ? 0 : people.filter((who) => gives.every((one) => held(world, who).includes(one))).length;
}

/** Finds for a person: what published profiles give that they see. */
function offersTo(world: World, who: number, includeDeleted: boolean): number[] {
  const mine = held(world, who);
  const seen = world.profiles.filter((profile) => profile.published && (profile.open || profile.seenBy.some((one) => mine.includes(one))));
  return [...new Set(seen.flatMap((profile) => profile.gives))].filter((one) => includeDeleted || !world.deleted.includes(one)).sort();
}

describe('access profiles', () => {
  let test: TwoTenants;
  let count = 0;
  beforeAll(async () => {
    test = await useTwoTenants();
  });
  afterAll(() => test.close());

  async function build(world: World): Promise<{ context: Context; people: string[]; entitlements: string[]; profiles: string[] }> {
    const context = (await makeTestTenant(test, `profiles${++count}.example`)).admin;
    const apps = [(await addSourcedApp(context, 'One')).id, (await addSourcedApp(context, 'Two')).id];
    const appOf = (number: number): string => apps[number < 3 ? 0 : 1] as string;
    const entitlements = [0, 1, 2, 3, 4, 5].map((number) => `e${number}`);
    const people: string[] = [];
    for (const who of [0, 1, 2, 3]) {
      people.push(await addPerson(context, { email: `p${who}@x.example` }));
    }
    for (const [number, id] of entitlements.entries()) {
      const size = world.grants.filter(([, e, open]) => e === number && open).length;
      await context.db.run(
        `INSERT INTO entitlements (tenant_id, app_id, id, external_id, display_name, grant_count, created_at, updated_at)
         VALUES ($1, $2, $3, $3, $3, $4, $5, $5)`,
        [context.tenantId, appOf(number), id, size, context.now],
      );
    }
    for (const [who, userId] of people.entries()) {
      for (const [place, appId] of apps.entries()) {
        const account = await addAccount(context, appId, { userId, matchCount: 1 });
        for (const [p, e, open] of world.grants) {
          if (p === who && (e < 3 ? 0 : 1) === place) {
            await context.db.run(
              `INSERT INTO grants (tenant_id, app_id, entitlement_id, account_id, added_revision, removed_revision, created_at, updated_at)
               VALUES ($1, $2, $3, $4, 1, $5, $6, $6)`,
              [context.tenantId, appId, entitlements[e], account, open ? null : 2, context.now],
            );
          }
        }
      }
    }
    const profiles: string[] = [];
    for (const { published, open, gives, seenBy } of world.profiles) {
      const { id } = await createProfile(context, { displayName: 'Profile', published, visibleToEveryone: open });
      const refs = (numbers: readonly number[]) => numbers.map((number) => ({ appId: appOf(number), id: entitlements[number] as string }));
      await addEntries(context, id, 'REQUESTABLE', refs(gives), 'appEntitlements');
      await addEntries(context, id, 'VISIBLE', refs(seenBy), 'accessEntitlements');
      profiles.push(id);
    }
    for (const number of world.deleted) {
      await context.db.run('UPDATE entitlements SET deleted_at = $3 WHERE tenant_id = $1 AND id = $2', [
        context.tenantId,
        entitlements[number],
        context.now,
      ]);
    }
    for (const who of world.disabled) {
      await context.db.run(`UPDATE users SET status = 'DISABLED' WHERE tenant_id = $1 AND id = $2`, [context.tenantId, people[who]]);
    }
    return { context, people, entitlements, profiles };
  }

  it('count those who hold all they give, and are found by those who see them', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { context, people, entitlements, profiles } = await build(world);
        const counts = await countMembers(context, profiles);
        expect(profiles.map((id) => counts.get(id) ?? 0)).toEqual(profiles.map((_, index) => membersOf(world, index)));
        const byReadingAll: number[] = [];
        for (const id of profiles) {
          byReadingAll.push(await inTransaction(context, (inside) => countManyMembers(inside, id)));
        }
        expect(byReadingAll).toEqual(profiles.map((_, index) => membersOf(world, index)));
        for (const [who, userId] of people.entries()) {
          const find = async (filter: OfferFilter): Promise<number[]> => {
            const found: string[] = [];
            for (let more = true, after = ''; more; after = found.at(-1) ?? '') {
              const page = await listOffers(context, userId, filter, after, 2);
              found.push(...page.map((ref) => ref.id));
              more = page.length === 2;
            }
            return found.map((id) => entitlements.indexOf(id)).sort();
          };
          const mine = held(world, who);
          expect(await find({})).toEqual(offersTo(world, who, false));
          expect(await find({ includeDeleted: true })).toEqual(offersTo(world, who, true));
          expect(await find({ isHeld: true })).toEqual(offersTo(world, who, false).filter((one) => mine.includes(one)));
          expect(await find({ isHeld: false })).toEqual(offersTo(world, who, false).filter((one) => !mine.includes(one)));
          const refs = await listOffers(context, userId, {}, '', 10);
          const bound = (await listHeld(context, userId, refs)).map((row) => entitlements.indexOf(row.entitlementId));
          expect(bound.sort()).toEqual(offersTo(world, who, false).filter((one) => mine.includes(one)));
        }
      }),
      { numRuns: runs(4, 12) },
    );
  });
});
