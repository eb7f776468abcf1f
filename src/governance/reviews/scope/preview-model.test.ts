/** Previews beside what prepare makes: the same items, of the same people, by the same policies, over random companies and scopes. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load, scopes, tidy, worlds, write } from '../../../../test/support/random-scopes.ts';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { tries } from '../../../../test/support/runs.ts';
import { createPolicy } from '../../policies/create.ts';
import { prepareReview } from '../life/prepare.ts';
import { type Preview, previewReview } from './preview.ts';
import { setScopeLists } from './scope-lists.ts';

const approval = (approver: object) => ({ steps: [{ approval: approver }] });
const manager = approval({ manager: {} });
const owners = approval({ appOwners: {} });

/** Steps and rules of policies: by what each reads, and how the database evaluates it. */
const policies = {
  'nothing but the default': undefined,
  'the person alone': { certify: manager },
  'the entitlement': { certify: approval({ entitlementOwners: {} }) },
  'the account': { certify: approval({ expression: { expressions: ['c1.directory.users.v1.FindByEmail(account.email)'] } }) },
  'rules over one side and both': {
    rules: [
      { condition: 'account.appUserType == AppUserType.SERVICE_ACCOUNT', policyKey: 'owners' },
      { condition: 'entitlement.displayName.endsWith("e1") && account.email != ""', policyKey: 'accept' },
      { condition: 'entitlement.displayName.endsWith("e2")', policyKey: 'owners' },
      { condition: 'subject.department == "Fin"', policyKey: 'self' },
    ],
    certify: manager,
    owners,
    self: approval({ self: {} }),
    accept: { steps: [{ accept: {} }] },
  },
  'a rule that is evaluated for one row after the other': {
    rules: [{ condition: 'subject.displayName.split("")[0] == entitlement.displayName.split("")[0]', policyKey: 'owners' }],
    certify: manager,
    owners,
  },
} as const;

let test: ReviewTest;
const policyIds = new Map<string, string>();
beforeAll(async () => {
  test = await openReviewTest();
  for (const [name, policy] of Object.entries(policies)) {
    if (policy !== undefined) {
      const { rules = [], ...policySteps } = { rules: [], ...policy };
      const document = { displayName: name, policyType: 'POLICY_TYPE_CERTIFY', rules, policySteps };
      policyIds.set(name, (await createPolicy(test.admin(), document as never)).id);
    }
  }
});
afterAll(() => test.close());

/** Figures of a preview that tasks say, too. */
const figuresOf = (preview: Preview) => ({
  items: preview.items,
  accounts: preview.accounts,
  people: preview.people,
  unassigned: preview.unassignedItems,
  entitlements: Object.fromEntries(preview.topEntitlements.map((one) => [one.appEntitlementId, one.items])),
  reviewers: Object.fromEntries(preview.reviewers.map((one) => [one.userId, one.items])),
});

/** The same of the tasks of a prepared review. */
async function countTasksOf(reviewId: string) {
  const { db, tenantId } = test.admin();
  const tasks = await db.rows<{ account: string; person: string | null; entitlement: string; asked: string[] | null; kind: string }>(
    `SELECT t.account_id AS account, t.user_id AS person, t.entitlement_id AS entitlement, a.user_ids AS asked,
       (SELECT (jsonb_path_query_first(r.document, '$.policySteps.certify.steps[0]') ? 'approval')::text FROM review_routes r
        WHERE r.tenant_id = $1 AND r.review_id = $2 AND r.route_no = t.route_no) AS kind
     FROM tasks t LEFT JOIN task_assignments a ON a.tenant_id = $1 AND a.id = t.assignment_id WHERE t.tenant_id = $1 AND t.review_id = $2`,
    [tenantId, reviewId],
  );
  const count = (keys: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const key of keys) {
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  };
  return {
    items: tasks.length,
    accounts: new Set(tasks.map(({ account }) => account)).size,
    people: new Set(tasks.flatMap(({ person }) => person ?? [])).size,
    unassigned: tasks.filter(({ asked, kind }) => asked === null && kind === 'true').length,
    entitlements: count(tasks.map(({ entitlement }) => entitlement)),
    reviewers: count(tasks.flatMap(({ asked }) => asked ?? [])),
  };
}

it('counts what prepare makes', async () => {
  const names = fc.constantFrom(...Object.keys(policies));
  await fc.assert(
    fc.asyncProperty(worlds, fc.array(fc.tuple(scopes, names), { minLength: 4, maxLength: 4 }), async (random, wanted) => {
      const world = tidy(random);
      const at = await load(test, world, Date.now());
      for (const [drawn, name] of wanted) {
        // People that are selected exclude criteria of people.
        const scope =
          drawn.people === undefined
            ? drawn
            : { ...drawn, userStatus: undefined, managers: undefined, department: undefined, cc: undefined, group: undefined };
        const { document, entries } = write(scope, world, at);
        const review = await test.draft({ ...document, policyId: policyIds.get(name) ?? '' } as never);
        await setScopeLists(test.admin(), review.id, entries);
        const previewed = await previewReview(test.admin(), review.id).then(figuresOf, (error: Error) => error.message);
        const prepared = await prepareReview(test.admin(), review.id).then(
          async () => {
            await test.until(review.id, 'REVIEW');
            return countTasksOf(review.id);
          },
          (error: Error) => error.message,
        );
        expect(previewed, JSON.stringify({ name, scope })).toEqual(prepared);
      }
    }),
    { numRuns: tries(4, 30), endOnFailure: true },
  );
}, 300_000);
