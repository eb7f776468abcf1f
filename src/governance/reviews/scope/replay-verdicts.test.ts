/** Random scopes over random inventories: the verdicts that were frozen in SQL, beside those that plain TypeScript works out of what was frozen. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load, scopes, tidy, worlds, write } from '../../../../test/support/random-scopes.ts';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { tries } from '../../../../test/support/runs.ts';
import type { Context } from '../../../context.ts';
import { replayScope } from '../../../lib/completeness/replay-scope.ts';
import type {
  ReplayedAccount,
  ReplayedEntitlement,
  ReplayedGrant,
  ReplayedPerson,
  ReplayedScope,
} from '../../../lib/completeness/replayed-types.ts';
import { sql } from '../../../lib/sql.ts';
import { getPopulationSql } from '../../snapshots/items/store-population.ts';
import { verdicts } from '../../snapshots/items/types-verdicts.ts';
import { heldSql } from '../../snapshots/record/store-pages.ts';
import { insertUnchosen } from '../../snapshots/record/store-sources.ts';
import { type SnapshotItems, writeScopeText } from '../../snapshots/index.ts';
import { isAppError } from '../../../errors.ts';
import { setScopeLists } from './scope-lists.ts';
import { withThrowawaySnapshot } from './take-snapshot.ts';

interface Line {
  readonly account: string;
  readonly entitlement: string;
  readonly grantedAt: Date | null;
  readonly firstSeenAt: Date;
  readonly lastUsedAt: Date | null;
  readonly endsAt: Date | null;
  readonly held: string;
  readonly paths: readonly (readonly string[])[] | null;
  readonly verdict: string;
}

const time = (at: Date | null): number | null => at?.getTime() ?? null;

function howHeld(paths: Line['paths']): ReplayedGrant['held'] {
  const isDirect = paths === null || paths.some((path) => path.length === 0);
  return paths?.some((path) => path.length > 0) === true ? (isDirect ? 'BOTH' : 'INHERITED') : 'DIRECT';
}

function listLines(context: Context, items: SnapshotItems): Promise<Line[]> {
  const accounts = sql`SELECT f.* FROM review_accounts f WHERE f.tenant_id = ${context.tenantId} AND f.review_id = ${items.id}`;
  return context.db.rows<Line>(
    sql`SELECT n.account_id AS account, n.entitlement_id AS entitlement, n.granted_at AS "grantedAt", n.created_at AS "firstSeenAt",
        n.last_used_at AS "lastUsedAt", n.deprovision_at AS "endsAt", ${heldSql} AS held, n.paths, (${[...verdicts]}::text[])[n.verdict_no + 1] AS verdict
      FROM (${getPopulationSql(context, items, accounts)}) n`,
  );
}

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest();
});
afterAll(() => test.close());

it('finds in TypeScript the verdict that SQL froze', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(scopes, { minLength: 6, maxLength: 6 }), async (random, wanted) => {
      const world = tidy(random);
      const at = await load(test, world, Date.now());
      for (const drawn of wanted) {
        const scope =
          drawn.people === undefined
            ? drawn
            : { ...drawn, userStatus: undefined, managers: undefined, department: undefined, cc: undefined, group: undefined };
        const { document, entries } = write(scope, world, at);
        const review = await test.draft(document as never);
        await setScopeLists(test.admin(), review.id, entries);
        const context = test.admin();
        const excludedFrom = scope.group === undefined ? '' : (at.entitlementId.get(`e${scope.group}`) ?? '');
        const work = async (inside: Context, { items }: { readonly items: SnapshotItems }): Promise<void> => {
          const mine = sql`t.tenant_id = ${inside.tenantId} AND t.review_id = ${items.id}`;
          await insertUnchosen(inside, items.id, [at.appId]);
          const people = await inside.db.rows<ReplayedPerson>(
            sql`SELECT t.user_id AS id, t.status, coalesce(t.manager_id, '') AS "managerId", t.manager_email AS "managerEmail", t.email,
                t.display_name AS "displayName", t.username, t.department, t.job_title AS "jobTitle", t.employment_status AS "employmentStatus",
                t.employment_type AS "employmentType", t.profile FROM review_people t WHERE ${mine}`,
          );
          const byId = new Map(people.map((person) => [person.id, person]));
          const accounts = await inside.db.rows<Omit<ReplayedAccount, 'owner'>>(
            sql`SELECT t.account_id AS id, t.app_id AS app, t.account_type AS type, t.account_status AS status, t.user_id AS "ownerId", t.email, t.is_external AS external,
                t.access_profile_ids AS "accessProfiles", EXISTS (SELECT FROM grants g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.account_id
                  WHERE g.tenant_id = ${inside.tenantId} AND g.entitlement_id = ${excludedFrom} AND a.user_id = t.user_id AND g.removed_revision IS NULL)
                  AS "holdsExcluded"
              FROM review_accounts t WHERE ${mine}`,
          );
          const entitlements = await inside.db.rows<ReplayedEntitlement>(
            sql`SELECT t.entitlement_id AS id, t.app_id AS app, true AS chosen, t.resource_id AS "resourceId", t.resource_type_id AS "resourceTypeId",
                t.included_profile_ids AS "givenByIncluded", t.excluded_profile_ids AS "givenByExcluded" FROM review_entitlements t WHERE ${mine}
              UNION ALL
              SELECT t.entitlement_id, t.app_id, false, t.resource_id, t.resource_type_id, '{}', '{}' FROM review_unchosen t WHERE ${mine}`,
          );
          const lines = await listLines(inside, items);
          // As the document says it, and as the text whose hash is logged does.
          const lists = { entitlements: [], resourceTypes: [], entries };
          const text = JSON.parse(writeScopeText('BY_ENTITLEMENTS', document as never, lists, 1, inside.now)) as { members: object };
          const said = lines.length % 2 === 0 ? document : text.members;
          const { judgePerson, judgeAccount, judgeEntitlement, judgeGrant } = replayScope({
            ...(said as unknown as Pick<ReplayedScope, 'scope' | 'inclusionScope' | 'exclusionScope' | 'scopeV2'>),
            ofConflicts: false,
            lists: entries,
            takenAt: inside.now,
          });
          expect(lines.length).toBe(world.accounts.reduce((sum, { held }) => sum + held.length + 1, 0));
          for (const line of lines) {
            const account = accounts.find(({ id }) => id === line.account);
            const entitlement = entitlements.find(({ id }) => id === line.entitlement);
            if (account === undefined || entitlement === undefined) {
              throw new Error(`nothing is known of ${JSON.stringify(line)}`);
            }
            const owner = byId.get(account.ownerId ?? '');
            const grant = {
              ...line,
              grantedAt: time(line.grantedAt),
              firstSeenAt: line.firstSeenAt.getTime(),
              held: howHeld(line.paths),
              lastUsedAt: time(line.lastUsedAt),
              endsAt: time(line.endsAt),
              reviewed: false,
              inConflict: false,
            };
            const judged = judgeAccount({
              ...account,
              owner: owner && judgePerson(owner),
              accountExpression: undefined,
              personExpression: undefined,
            });
            const verdict = judgeGrant(judged, judgeEntitlement(entitlement), grant);
            expect(line.held).toBe(grant.held);
            expect([verdict, JSON.stringify(scope), line]).toEqual([line.verdict, JSON.stringify(scope), line]);
            seen.set(line.verdict, (seen.get(line.verdict) ?? 0) + 1);
          }
        };
        await withThrowawaySnapshot(context, await test.until(review.id, 'DRAFT'), work).catch((error: unknown) => {
          // A scope that leaves everything out has no snapshot.
          if (!isAppError(error, 'FAILED_PRECONDITION')) {
            throw error;
          }
        });
      }
    }),
    { numRuns: tries(5, 40), endOnFailure: true },
  );
  expect([...seen.keys()]).toEqual(expect.arrayContaining(['IN', 'ENTITLEMENT_NOT_CHOSEN']));
  expect(seen.size).toBeGreaterThan(4);
}, 300_000);
