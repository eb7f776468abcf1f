/** Random scopes over random inventories, beside a model of a page of plain TypeScript: the same items, and the same filter for all the rest. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load, type Scope, scopes, tidy, usesPeople, type World, worlds, write } from '../../../../test/support/random-scopes.ts';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { tries } from '../../../../test/support/runs.ts';
import { sql } from '../../../lib/sql.ts';
import { withThrowawaySnapshot } from './take-snapshot.ts';
import { previewReview } from './preview.ts';
import { setScopeLists } from './scope-lists.ts';
import { getHeldGrants } from '../../snapshots/items/store-items.ts';

/** True if a list has the value, or is not set. */
const passes = <T>(list: readonly T[] | undefined, value: T): boolean => list === undefined || list.includes(value);

/** The first filter that leaves a grant out, 'ITEM' for none; entitlement undefined is app access. */
function judge(world: World, scope: Scope, index: number, entitlement: number | undefined): string {
  const account = world.accounts[index] as World['accounts'][number];
  const owner = account.owner === undefined ? undefined : world.people[account.owner];
  const grant = account.held.find((held) => held.entitlement === entitlement);
  const isChosen = scope.appAccess ? entitlement === undefined : entitlement !== undefined && passes(scope.entitlements, entitlement);
  if (!isChosen) {
    return 'NOT_CHOSEN';
  }
  const { listed, excluded, included } = scope;
  if (
    (entitlement !== undefined && listed.entitlement === entitlement) ||
    (listed.account !== undefined && listed.account % world.accounts.length === index) ||
    (listed.person !== undefined && listed.person === account.owner)
  ) {
    return 'EXCLUDED_BY_LIST';
  }
  if (excluded.types?.includes(account.type as never) === true || excluded.statuses === account.status) {
    return 'EXCLUSION_SCOPE';
  }
  const isIncluded =
    owner === undefined || (passes(included.statuses, owner.status as never) && passes(included.departments, owner.department as never));
  if (!passes(scope.legacyTypes, account.type as never) || !passes(included.accountStatuses, account.status as never) || !isIncluded) {
    return 'LEGACY';
  }
  const address = account.owner === undefined ? account.address : 'somebody@corp.test';
  const domain = address === '' ? undefined : address.endsWith('@corp.test') ? 'TRUSTED' : 'EXTERNAL';
  const { any, v2 } = usesPeople(scope);
  if (
    !passes(scope.accountTypes, account.type as never) ||
    !passes(scope.accountStatuses, account.status as never) ||
    (scope.domain !== undefined && scope.domain !== domain) ||
    (scope.noOwner && !any && owner !== undefined)
  ) {
    return 'ACCOUNT';
  }
  if (any && owner === undefined) {
    return 'UNOWNED';
  }
  const holdsGroup = world.accounts.some(
    (other) => other.owner === account.owner && other.held.some((held) => held.entitlement === scope.group),
  );
  if (
    v2 &&
    owner !== undefined &&
    (!passes(scope.people, account.owner as never) ||
      !passes(scope.userStatus, owner.status as never) ||
      !passes(scope.managers, owner.manager as never) ||
      !passes(scope.department, owner.department as never) ||
      !passes(scope.cc, owner.cc as never) ||
      (scope.group !== undefined && holdsGroup))
  ) {
    return 'USER';
  }
  // App access is dated by the first grant of its account, and used by the last.
  const granted = grant?.granted ?? Math.max(0, ...account.held.map((held) => held.granted));
  const uses = (grant === undefined ? account.held : [grant]).flatMap((held) => held.used ?? []);
  const used = uses.length === 0 ? undefined : Math.min(...uses);
  const isOld = scope.added === undefined || granted * 10 + 5 >= scope.added;
  const isUnused = scope.unused === undefined || used === undefined || used * 10 + 5 >= scope.unused;
  const isHeldSo = scope.source === undefined || (grant?.isInherited === true) === (scope.source === 'INHERITED');
  const isLasting = scope.lasts === undefined || (grant?.ends === true) === (scope.lasts === 'TEMPORARY');
  return isOld && isUnused && isHeldSo && isLasting ? 'ITEM' : 'GRANT';
}

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest();
});
afterAll(() => test.close());

it('finds the items that the model finds, and names the filter that it names', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(scopes, { minLength: 6, maxLength: 6 }), async (random, wanted) => {
      const world = tidy(random);
      // Managers stand before those they manage, so that there is no circle.
      const known = { ...world, people: world.people.map((one, index) => ({ ...one, manager: one.manager < index ? one.manager : -1 })) };
      const at = await load(test, world, Date.now());
      for (const drawn of wanted) {
        // People that are selected exclude criteria of people.
        const scope =
          drawn.people === undefined
            ? drawn
            : { ...drawn, userStatus: undefined, managers: undefined, department: undefined, cc: undefined, group: undefined };
        const expected: Record<string, number> = {};
        const items: string[] = [];
        for (const [index, account] of known.accounts.entries()) {
          for (const entitlement of [undefined, ...account.held.map((held) => held.entitlement)]) {
            const stage = judge(known, scope, index, entitlement);
            expected[stage] = (expected[stage] ?? 0) + 1;
            if (stage === 'ITEM') {
              items.push(`a${index} ${entitlement === undefined ? 'app' : `e${entitlement}`}`);
            }
          }
        }
        const { document, entries } = write(scope, world, at);
        const review = await test.draft(document as never);
        await setScopeLists(test.admin(), review.id, entries);
        if (items.length === 0) {
          await expect(previewReview(test.admin(), review.id)).rejects.toThrow('no access is in scope');
          continue;
        }
        const found = await withThrowawaySnapshot(test.admin(), await test.until(review.id, 'DRAFT'), async (inside, snapshot) => {
          const { grants } = getHeldGrants(inside, snapshot.items);
          return inside.db.rows<{ item: string }>(
            sql`SELECT c.external_id || ' ' || CASE WHEN e.is_app_access THEN 'app' ELSE split_part(e.display_name, ' ', 2) END AS item
             FROM review_accounts c CROSS JOIN LATERAL (${grants} OFFSET 0) h
             JOIN review_entitlements e ON e.tenant_id = ${inside.tenantId} AND e.review_id = ${snapshot.items.id} AND e.entitlement_id = h.entitlement_id
             WHERE c.tenant_id = ${inside.tenantId} AND c.review_id = ${snapshot.items.id} AND c.excluded_by = '' AND NOT e.is_excluded`,
          );
        });
        expect(found.map(({ item }) => item).sort(), JSON.stringify(scope)).toEqual(items.sort());
        const { funnel } = await previewReview(test.admin(), review.id);
        const stages = Object.fromEntries(funnel.filter(({ grants }) => grants > 0).map(({ filter, grants }) => [filter, grants]));
        expect(stages, JSON.stringify(scope)).toEqual(expected);
      }
    }),
    { numRuns: tries(4, 30), endOnFailure: true },
  );
}, 300_000);
