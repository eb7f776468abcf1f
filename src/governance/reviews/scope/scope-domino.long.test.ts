/** Choices of a scope, worked out over real access data: the expected items are a few lines of plain TypeScript over the CSV. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsAsked, itemsOf, openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { prepareReview } from '../life/prepare.ts';
import { previewReview } from './preview.ts';
import { setEntitlements, setResourceTypes } from './setup.ts';
import { sampled } from '../../../../test/support/runs.ts';

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest();
});
afterAll(() => test.close());

const person = (email: string) => test.data.people.find((one) => one.email === email);
const all = () => test.data.grants;
const accounts = (rows = all()) => [...new Set(rows.map((row) => row.account))].map((account) => `${account} app access`);

async function asked(document: object, prepareMore?: (id: string) => Promise<unknown>): Promise<string[]> {
  const review = await test.draft(document as never);
  await prepareMore?.(review.id);
  const preview = await previewReview(test.admin(), review.id);
  await prepareReview(test.admin(), review.id);
  await test.until(review.id, 'REVIEW');
  const items = await itemsAsked(test.admin(), review.id);
  expect(preview.items, 'preview counts what prepare makes').toBe(items.length);
  return items;
}

describe('what a scope chooses', () => {
  const app = () => ({ singleApp: { appId: test.appId } });
  const managed = () => test.data.people.find((one) => one.manager_email !== '')?.manager_email ?? '';

  it('an app alone: all its entitlements but app access', async () => {
    expect(await asked(app())).toEqual(itemsOf(all()));
  });

  it('appAccess: exactly the account of each holder', async () => {
    expect(await asked({ ...app(), scopeV2: { appAccess: {} } })).toEqual(accounts().sort());
  });

  it('one resource type and no app', async () => {
    const { id } = await test
      .admin()
      .db.one<{ id: string }>('SELECT r.id FROM resource_types r WHERE r.tenant_id = $1', [test.ours.tenant.id]);
    const choose = (reviewId: string) => setResourceTypes(test.admin(), reviewId, [{ appId: test.appId, resourceTypeId: id }], undefined);
    expect(await asked({ scopeV2: { resourceTypeSelections: {} } }, choose)).toEqual(itemsOf(all()));
  });

  it('entitlements listed one by one', async () => {
    const rows = await test.admin().db.rows<{ id: string; resource: string }>(
      `SELECT e.id, r.display_name AS resource FROM entitlements e JOIN resources r ON r.tenant_id = $1 AND r.app_id = e.app_id AND r.id = e.resource_id
       WHERE e.tenant_id = $1 ORDER BY e.id LIMIT 3`,
      [test.ours.tenant.id],
    );
    const choose = (reviewId: string) =>
      setEntitlements(
        test.admin(),
        reviewId,
        rows.map((row) => ({ appId: test.appId, entitlementId: row.id })),
        undefined,
      );
    const names = rows.map((row) => row.resource);
    expect(await asked({}, choose)).toEqual(itemsOf(all().filter((row) => names.includes(row.resource))));
  });

  it('multiApp with entitlements, and an app without any means all of it', async () => {
    expect(await asked({ multiApp: { appEntitlements: { [test.appId]: { appId: test.appId } } } })).toEqual(itemsOf(all()));
  });

  it('selected people alone: everything they hold, their accounts too', async () => {
    const emails = test.data.people.slice(2, 6).map((one) => one.email);
    const rows = all().filter((row) => emails.includes(row.email));
    const userIds = await Promise.all(emails.map((email) => test.userId(email)));
    expect(await asked({ scopeV2: { selectedUsers: { userIds } } })).toEqual([...itemsOf(rows), ...accounts(rows)].sort());
  });

  it('direct reports of a manager', async () => {
    const managerId = await test.userId(managed());
    const rows = all().filter((row) => person(row.email)?.manager_email === managed());
    expect(await asked({ ...app(), scopeV2: { userCriteria: { managerUserIds: [managerId] } } })).toEqual(itemsOf(rows));
    expect(await asked({ ...app(), inclusionScope: { managerIds: [managerId] } })).toEqual(itemsOf(rows));
  });

  it('an attribute with several values, and two attributes', async () => {
    const departments = [...new Set(test.data.people.map((one) => one.department))].slice(0, 2);
    const title = test.data.people[0]?.job_title ?? '';
    const values = (list: string[]) => ({ values: list.map((value) => ({ value })) });
    const inDepartments = all().filter((row) => departments.includes(person(row.email)?.department ?? '-'));
    expect(
      await asked({ ...app(), scopeV2: { userCriteria: { multiUserProfileAttributes: { department: values(departments) } } } }),
    ).toEqual(itemsOf(inDepartments));
    const both = inDepartments.filter((row) => person(row.email)?.job_title === title);
    const attributes = { department: values(departments), jobTitle: values([title]) };
    expect(await asked({ ...app(), inclusionScope: { multiUserProfileAttributes: attributes } })).toEqual(itemsOf(both));
  });

  it('statuses of people', async () => {
    const rows = all().filter((row) => person(row.email)?.employment_status === 'ACTIVE');
    expect(await asked({ ...app(), scopeV2: { userCriteria: { userStatus: ['ENABLED'] } } })).toEqual(itemsOf(rows));
    expect(await asked({ ...app(), inclusionScope: { userStatuses: ['USER_ENABLED'] } })).toEqual(itemsOf(rows));
  });

  it('types and statuses of accounts, in each of the places that take them', async () => {
    const users = all().filter((row) => row.account_type === 'USER');
    const enabled = all().filter((row) => row.account_status === 'ENABLED');
    expect(await asked({ ...app(), scope: { appUserTypes: ['APP_USER_TYPE_USER'] } })).toEqual(itemsOf(users));
    expect(await asked({ ...app(), scopeV2: { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } } })).toEqual(itemsOf(users));
    expect(await asked({ ...app(), inclusionScope: { appUserStatuses: ['APP_USER_STATUS_ENABLED'] } })).toEqual(itemsOf(enabled));
    expect(
      await asked({
        ...app(),
        exclusionScope: { appUserStatuses: ['APP_USER_STATUS_DISABLED'], appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
      }),
    ).toEqual(itemsOf(enabled.filter((row) => row.account_type !== 'SERVICE_ACCOUNT')));
    expect(await asked({ ...app(), scope: { appUserTypes: [], appUserStatuses: [] } })).toEqual(itemsOf(all()));
  });

  it('accounts without an owner', async () => {
    const rows = all().filter((row) => person(row.email) === undefined);
    expect(rows.length).toBeGreaterThan(0);
    expect(await asked({ ...app(), scopeV2: { accountCriteria: { noAccountOwner: true } } })).toEqual(itemsOf(rows));
    expect(await asked({ ...app(), inclusionScope: { noAccountOwners: true } })).toEqual(itemsOf(rows));
    expect(await asked({ ...app(), scopeV2: { allUsers: {}, allAccounts: {}, allGrants: {} } })).toEqual(itemsOf(all()));
  });

  it('when grants were added and last used', async () => {
    const start = '2023-01-01T00:00:00Z';
    const end =
      all()
        .map((row) => row.granted_at)
        .filter((at) => at > start)
        .sort()[20] ?? '2024-01-01T00:00:00Z';
    const between = all().filter((row) => row.granted_at >= start && row.granted_at < end);
    expect(await asked({ ...app(), scopeV2: { grantsByCriteria: { grantsAddedBetween: { startDate: start, endDate: end } } } })).toEqual(
      itemsOf(between),
    );
    const days = 400;
    const limit = new Date(Date.now() - days * 86_400_000).toISOString();
    const unused = all().filter((row) => row.last_used_at === '' || row.last_used_at <= limit);
    expect(await asked({ ...app(), scopeV2: { grantsByCriteria: { daysSinceLastUsed: String(days) } } })).toEqual(itemsOf(unused));
    expect(await asked({ ...app(), scopeV2: { grantsByCriteria: { daysSinceLastUsed: `${days * 86_400}s` } } })).toEqual(itemsOf(unused));
    const old = all().filter((row) => row.granted_at <= limit);
    expect(await asked({ ...app(), scopeV2: { grantsByCriteria: { daysSinceAdded: String(days) } } })).toEqual(itemsOf(old));
  });

  it('everybody but the members of a group', async () => {
    const row = all()[0];
    const { id } = await test.admin().db.one<{ id: string }>(
      `SELECT e.id FROM entitlements e JOIN resources r ON r.tenant_id = $1 AND r.app_id = e.app_id AND r.id = e.resource_id
       WHERE e.tenant_id = $1 AND r.display_name = $2`,
      [test.ours.tenant.id, row?.resource],
    );
    const members = all()
      .filter((one) => one.resource === row?.resource && one.email !== '')
      .map((one) => one.email);
    const rows = all().filter((one) => person(one.email) !== undefined && !members.includes(one.email));
    expect(await asked({ ...app(), scopeV2: { userCriteria: { groupAppEntitlementsRef: [{ appId: test.appId, id }] } } })).toEqual(
      itemsOf(rows),
    );
  });
});

describe('what no snapshot can be taken of', () => {
  const cases: [string, () => object, string[]][] = [
    ['nothing', () => ({}), ['nothing is chosen']],
    ['a legacy filter alone', () => ({ inclusionScope: { userStatuses: ['USER_ENABLED'] } }), ['nothing is chosen']],
    ['nobody among selected people', () => ({ scopeV2: { selectedUsers: { userIds: [] } } }), ['scopeV2.selectedUsers.userIds', 'empty']],
    ['no criterion', () => ({ scopeV2: { userCriteria: {} } }), ['scopeV2.userCriteria', 'empty']],
    [
      'no account criterion',
      () => ({ singleApp: { appId: test.appId }, scopeV2: { accountCriteria: {} } }),
      ['scopeV2.accountCriteria', 'empty'],
    ],
    ['no resource types', () => ({ scopeV2: { resourceTypeSelections: {} } }), ['scopeV2.resourceTypeSelections', 'empty']],
    ['no entitlements', () => ({ scopeV2: { specificResources: {} } }), ['scopeV2.specificResources', 'empty']],
    [
      'two user members',
      () => ({ scopeV2: { allUsers: {}, selectedUsers: { userIds: ['x'] } } }),
      ['scopeV2.allUsers', 'scopeV2.selectedUsers'],
    ],
    ['two app members', () => ({ scopeV2: { appAccess: {}, specificResources: {} } }), ['scopeV2.appAccess', 'scopeV2.specificResources']],
    [
      'two account members',
      () => ({ scopeV2: { allAccounts: {}, accountCriteria: { noAccountOwner: true } } }),
      ['scopeV2.accountCriteria', 'scopeV2.allAccounts'],
    ],
    [
      'two grant members',
      () => ({ scopeV2: { allGrants: {}, grantsByCriteria: { daysSinceAdded: '1' } } }),
      ['scopeV2.allGrants', 'scopeV2.grantsByCriteria'],
    ],
    [
      'two grant criteria',
      () => ({ singleApp: { appId: test.appId }, scopeV2: { grantsByCriteria: { daysSinceAdded: '1', daysSinceReviewed: '1' } } }),
      ['daysSinceAdded', 'daysSinceReviewed'],
    ],
    [
      'owners and no owners',
      () => ({ singleApp: { appId: test.appId }, inclusionScope: { noAccountOwners: true, userStatuses: ['USER_ENABLED'] } }),
      ['inclusionScope.noAccountOwners', 'inclusionScope.userStatuses'],
    ],
    ['an app that is not there', () => ({ singleApp: { appId: 'nope' } }), ['there is no app nope']],
    ['a person who is not there', () => ({ scopeV2: { selectedUsers: { userIds: ['nobody'] } } }), ['there is no person nobody']],
    ['a policy that is not there', () => ({ singleApp: { appId: test.appId }, policyId: 'nope' }), ['there is no policy nope']],
    [
      'an expression that selects nobody',
      () => ({ singleApp: { appId: test.appId }, scopeV2: { celExpression: { expression: 'false' } } }),
      ['no access is in scope'],
    ],
    [
      'an empty result',
      () => ({ singleApp: { appId: test.appId }, scope: { appUserTypes: ['APP_USER_TYPE_SYSTEM_ACCOUNT'] } }),
      ['no access is in scope'],
    ],
    [
      'temporary grants, of which there are none',
      () => ({
        singleApp: { appId: test.appId },
        scopeV2: { grantsByCriteria: { typeFilter: 'GRANT_FILTER_TYPE_TEMPORARY', daysSinceAdded: '1' } },
      }),
      ['no access is in scope'],
    ],
    [
      'access profiles that are not there',
      () => ({
        singleApp: { appId: test.appId },
        scopeV2: { grantsByCriteria: { accessProfileFilter: { includedAccessProfileIds: ['a'] } } },
      }),
      ['scopeV2.grantsByCriteria.accessProfileFilter', 'there is no access profile a'],
    ],
  ];
  it.each(sampled(cases, 6))('%s: refused at preview and prepare, by name', async (_name, document, words) => {
    const review = await test.draft(document() as never);
    for (const refuse of [previewReview, prepareReview]) {
      const error = await refuse(test.admin(), review.id).catch(
        (caught: unknown) => caught as Error & { code: string; violations: unknown },
      );
      expect(error).toMatchObject({ code: 'FAILED_PRECONDITION' });
      for (const word of words) {
        expect(JSON.stringify([(error as Error).message, (error as { violations?: unknown }).violations])).toContain(word);
      }
    }
    expect((await test.until(review.id, 'DRAFT')).state).toBe('DRAFT');
  });
});
