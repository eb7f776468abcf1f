/** Ownership over HTTP: what somebody owns, the owners an app is made with, and an app that goes with all that is in it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { sendFile } from '../support/world.ts';

const people = 'email,display_name,manager_email,department,job_title,employment_status\nann@x.example,Ann,,,,\nbob@x.example,Bob,,,,\n';
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,role,Page,read,,
bob,bob@x.example,USER,ENABLED,role,Page,read,,
bob,bob@x.example,USER,ENABLED,role,Page,write,,
robot,,SERVICE_ACCOUNT,ENABLED,role,Page,write,,
`;
const absent = '0'.repeat(27);

describe('ownership over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  let ann: string;
  let bob: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await admin(method, path, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
    return answer.body;
  };
  const importApp = async (name: string, text = grants): Promise<string> =>
    (await sendFile(server, server.admin, `/api/v1/imports/grants?app=${name}`, text)).body.import.appId;
  const entitlementsOf = async (appId: string): Promise<Loose[]> =>
    (await done('POST', '/api/v1/search/entitlements', { appIds: [appId] })).list.map((view: Loose) => view.appEntitlement);
  const owned = async (body: object): Promise<Loose[]> => (await done('POST', '/api/v1/search/user-ownership', body)).list;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    [ann, bob] = await Promise.all(
      ['ann@x.example', 'bob@x.example'].map(async (email) => (await done('POST', '/api/v1/search/users', { email })).list[0].user.id),
    );
  });
  afterAll(() => server.stop());

  describe('search', () => {
    let app: string;
    let read: Loose;
    let resource: Loose;

    beforeAll(async () => {
      app = await importApp('Owned');
      read = (await entitlementsOf(app)).find(({ externalId }) => externalId === 'read');
      resource = { id: read.appResourceId, type: read.appResourceTypeId };
      await done('PUT', `/api/v1/apps/${app}/owners`, { userIds: [ann] });
      await done('PUT', `/api/v1/apps/${app}/resource_types/${resource.type}/resource/${resource.id}/owners`, { userIds: [ann, bob] });
      const { db, now } = server.system();
      await db.run('INSERT INTO entitlement_owners (tenant_id, app_id, entitlement_id, user_id, created_at) VALUES ($1, $2, $3, $4, $5)', [
        server.id,
        app,
        read.id,
        ann,
        now,
      ]);
    });

    it('shows apps, resources and entitlements with their names', async () => {
      const empty = { entitlementDisplayName: '', entitlementId: '', resourceDisplayName: '', resourceId: '', resourceTypeId: '' };
      const inApp = { appDisplayName: 'Owned', appId: app };
      const inResource = { ...inApp, resourceDisplayName: 'Page', resourceId: resource.id, resourceTypeId: resource.type };
      expect(await owned({ userId: ann })).toEqual([
        { ...empty, ...inApp, ownershipType: 'USER_OWNERSHIP_TYPE_APP' },
        { ...empty, ...inResource, ownershipType: 'USER_OWNERSHIP_TYPE_RESOURCE' },
        {
          ...inResource,
          entitlementId: read.id,
          entitlementDisplayName: read.displayName,
          ownershipType: 'USER_OWNERSHIP_TYPE_ENTITLEMENT',
        },
      ]);
    });

    it.each([
      [['APP'], 1],
      [['RESOURCE', 'ENTITLEMENT'], 2],
      [['ENTITLEMENT', 'APP', 'APP'], 2],
      [['UNSPECIFIED'], 3],
      [[], 3],
    ] as const)('filters by %j', async (types, count) => {
      const list = await owned({ userId: ann, ownershipTypes: types.map((type) => `USER_OWNERSHIP_TYPE_${type}`) });
      expect(list).toHaveLength(count);
    });

    it('is of the caller where nobody is named, and empty for whoever owns nothing or is nobody', async () => {
      await done('PUT', `/api/v1/apps/${app}/owners`, { userIds: [ann, server.admin.id] });
      expect((await owned({})).map(({ appId }) => appId)).toEqual([app]);
      expect(await owned({ userId: reader.id })).toEqual([]);
      expect(await owned({ userId: absent })).toEqual([]);
      expect((await request(other, other.admin, 'POST', '/api/v1/search/user-ownership', { userId: ann })).body.list).toEqual([]);
      const basic = await server.makePerson('basic@x.example');
      expect((await request(server, basic, 'POST', '/api/v1/search/user-ownership', {})).status).toBe(403);
    });

    it('pages through the kinds, and leaves out what is gone', async () => {
      const made: string[] = [];
      for (let number = 0; number < 14; number++) {
        made.push((await done('POST', '/api/v1/apps', { displayName: `Mine ${number}`, owners: [bob] })).app.id);
        const path = `/api/v1/apps/${app}/resource_types/${resource.type}/resources`;
        made.push((await done('POST', path, { displayName: `Mine ${number}`, resourceOwnerUserIds: [bob] })).appResource.id);
      }
      const all = async (pageSize: number): Promise<string[]> => {
        const ids: string[] = [];
        for (let pageToken = ''; ; ) {
          const page = await done('POST', '/api/v1/search/user-ownership', { userId: bob, pageSize, pageToken });
          ids.push(...page.list.map((entry: Loose) => entry.resourceId || entry.appId));
          pageToken = page.nextPageToken;
          if (pageToken === '') {
            return ids;
          }
        }
      };
      const found = await all(10);
      expect([...found].sort()).toEqual([...made, resource.id].sort());
      expect(await all(100)).toEqual(found);
      await done('DELETE', `/api/v1/apps/${made[0]}`);
      await done('DELETE', `/api/v1/apps/${app}/resource_types/${resource.type}/resources/${made[1]}`);
      expect(await all(10)).toEqual(found.filter((id) => id !== made[0] && id !== made[1]));
    });
  });

  describe('making an app', () => {
    it('makes owners of those who are named and of those who hold an entitlement now', async () => {
      const source = await importApp('Source');
      const write = (await entitlementsOf(source)).find(({ externalId }) => externalId === 'write');
      const create = (fields: object) => admin('POST', '/api/v1/apps', { displayName: `Made ${Math.random()}`, ...fields });
      const refs = [{ appId: source, id: write.id }];
      const { app } = (await create({ owners: [ann], appEntitlementOwnerRefs: refs })).body;
      expect(app.appOwners.map(({ id }: Loose) => id).sort()).toEqual([ann, bob].sort());
      for (const [fields, field] of [
        [{ appEntitlementOwnerRefs: [...refs, { appId: source, id: absent }] }, 'appEntitlementOwnerRefs[1]'],
        [{ appEntitlementOwnerRefs: [{ appId: absent, id: write.id }] }, 'appEntitlementOwnerRefs[0]'],
        [{ owners: Array.from({ length: 1001 }, (_, number) => String(number)) }, 'owners'],
        [{ owners: [ann, absent] }, 'owners[1]'],
      ] as const) {
        const answer = await create(fields);
        expect([field, answer.status, violatedFields(answer)]).toEqual([field, 400, [field]]);
      }
      const many = await admin('PUT', `/api/v1/apps/${app.id}/owners`, {
        userIds: Array.from({ length: 1001 }, (_, number) => `${number}`),
      });
      expect([many.status, violatedFields(many)]).toEqual([400, ['userIds']]);
    });

    it('takes every member, and answers what it computes', async () => {
      const makePolicy = async (policyType: string): Promise<string> =>
        (
          await done('POST', '/api/v1/policies', {
            displayName: policyType,
            policyType,
            policySteps: { certify: { steps: [{ accept: {} }] } },
          })
        ).policy.id;
      const policies = {
        certifyPolicyId: await makePolicy('POLICY_TYPE_CERTIFY'),
        grantPolicyId: await makePolicy('POLICY_TYPE_GRANT'),
        revokePolicyId: await makePolicy('POLICY_TYPE_REVOKE'),
      };
      const fields = {
        ...policies,
        annotations: { a: 'b' },
        description: 'd',
        identityMatching: 'APP_USER_IDENTITY_MATCHING_STRICT',
        instructions: 'i',
        matchBatonRef: { appId: 'x', connectorId: 'y', externalId: 'z' },
        monthlyCostUsd: 3,
        strictAccessEntitlementProvisioning: true,
      };
      const { app } = await done('POST', '/api/v1/apps', { displayName: 'Whole', ...fields });
      expect(app).toMatchObject({
        ...fields,
        userCount: '0',
        isDirectory: false,
        appAccountId: '',
        parentAppId: '',
        isManuallyManaged: false,
      });
      const changed = await done('POST', `/api/v1/apps/${app.id}`, {
        app: {
          iconUrl: 'https://x.example/icon.png',
          isManuallyManaged: true,
          isDirectory: true,
          appUserMapper: {
            appId: 'echo',
            mappingCases: [
              { userKeyCel: 'a', appUserKeyCel: 'b' },
              { userKeyCel: 'c', caseIndex: 9 },
            ],
          },
        },
        updateMask: 'icon_url,isManuallyManaged,appUserMapper',
      });
      expect(changed.app).toMatchObject({
        iconUrl: 'https://x.example/icon.png',
        logoUri: 'https://x.example/icon.png',
        isManuallyManaged: true,
        isDirectory: false,
        appUserMapper: {
          appId: app.id,
          mappingCases: [
            { appId: app.id, caseIndex: 0, userKeyCel: 'a', appUserKeyCel: 'b' },
            { appId: app.id, caseIndex: 1, userKeyCel: 'c' },
          ],
        },
      });
      for (const policy of Object.values(policies)) {
        const { list } = await done('POST', '/api/v1/search/apps', { policyRefs: [{ id: policy }] });
        expect(list.map(({ id }: Loose) => id)).toEqual([app.id]);
      }
    });

    it('says which apps are directories', async () => {
      const { app } = await done('POST', '/api/v1/apps', { displayName: 'People' });
      const { db, now } = server.system();
      await db.run('INSERT INTO directories (tenant_id, app_id, created_at, updated_at) VALUES ($1, $2, $3, $3)', [server.id, app.id, now]);
      expect((await done('GET', `/api/v1/apps/${app.id}`)).app.isDirectory).toBe(true);
      expect((await done('POST', '/api/v1/search/apps', { onlyDirectories: true })).list.map(({ id }: Loose) => id)).toEqual([app.id]);
      expect((await done('POST', '/api/v1/search/apps', { onlyDirectories: true, query: 'owned' })).list).toEqual([]);
    });
  });

  describe('deleting an app', () => {
    it('takes all that is in it away, and says when its grants ended', async () => {
      const app = await importApp('Doomed');
      const entitlements = await entitlementsOf(app);
      const read = entitlements.find(({ externalId }) => externalId === 'read');
      const accounts: Loose[] = (await done('GET', `/api/v1/apps/${app}/app_users`)).list;
      const path = `/api/v1/apps/${app}`;
      await done('PUT', `${path}/owners`, { userIds: [ann] });
      await done('DELETE', path);
      for (const inside of [
        '',
        '/entitlements',
        `/entitlements/${read.id}/users`,
        '/resource_types',
        `/resource_types/${read.appResourceTypeId}`,
        `/resource_types/${read.appResourceTypeId}/resources`,
        `/resource_types/${read.appResourceTypeId}/resources/${read.appResourceId}`,
        `/resource_types/${read.appResourceTypeId}/resource/${read.appResourceId}/owners`,
        '/app_users',
        '/owners',
        '/ownerids',
      ]) {
        expect([inside, (await admin('GET', `${path}${inside}`)).status]).toEqual([inside, 404]);
      }
      const past = await done('GET', `${path}/entitlements/${read.id}`);
      expect(past.appEntitlementView.appEntitlement).toMatchObject({ grantCount: '0', deletedAt: expect.any(String) });
      for (const [what, body] of [
        ['apps', { appIds: [app] }],
        ['entitlements', { refs: [{ appId: app, id: read.id }] }],
        ['entitlements', { appIds: [app] }],
        ['app_resources', { resourceIds: [read.appResourceId] }],
        ['app_resource_types', { resourceTypeIds: [read.appResourceTypeId] }],
        ['app_users', { appUserIds: accounts.map((view) => view.appUser.id) }],
      ] as const) {
        expect([what, (await done('POST', `/api/v1/search/${what}`, body)).list]).toEqual([what, []]);
      }
      // As what is deleted, they are still found, and as unowned.
      const { list: gone } = await done('POST', '/api/v1/search/entitlements', { appIds: [app], includeDeleted: true });
      expect(gone.map(({ appEntitlement: { id } }: Loose) => id)).toContain(read.id);
      expect(gone.filter(({ appEntitlement: { grantCount, deletedAt } }: Loose) => grantCount !== '0' || deletedAt === undefined)).toEqual(
        [],
      );
      expect((await owned({ userId: ann })).filter(({ appId }) => appId === app)).toEqual([]);

      const rows = (sql: string) => server.test.admin(sql, [app]);
      const job = () => rows(`SELECT state FROM jobs WHERE kind = 'app.end-access' AND subject_id = $1`);
      await expect.poll(job, { timeout: 60_000, interval: 50 }).toEqual([{ state: 'DONE' }]);
      const [revision] = await rows('SELECT revision, cause, actor_id FROM inventory_revisions WHERE app_id = $1 ORDER BY revision DESC');
      expect(revision).toMatchObject({ cause: 'MANUAL', actor_id: server.admin.id });
      expect(await rows('SELECT DISTINCT removed_revision, ended_at IS NULL AS open FROM grants WHERE app_id = $1')).toEqual([
        { removed_revision: revision?.revision, open: false },
      ]);
      expect(await rows('SELECT DISTINCT status, deleted_at IS NULL AS live FROM accounts WHERE app_id = $1')).toEqual([
        { status: 'DELETED', live: false },
      ]);
      const before = await rows(`SELECT before ->> 'status' AS status FROM account_changes WHERE app_id = $1`);
      expect(before).toEqual(Array(3).fill({ status: 'ENABLED' }));
      expect(await rows('SELECT id FROM apps WHERE id = $1 AND user_count = 0')).toHaveLength(1);
      expect(await rows('SELECT id FROM entitlements WHERE app_id = $1 AND (grant_count > 0 OR deleted_at IS NULL)')).toEqual([]);
      expect(await rows('SELECT id FROM sources WHERE app_id = $1 AND deleted_at IS NULL')).toEqual([]);
      const [event] = await server.test.admin(`SELECT data FROM events WHERE kind = 'app.deleted' AND target_id = $1`, [app]);
      expect(event?.data).toMatchObject({ displayName: 'Doomed', userCount: 3, grantCount: 4, ownerIds: [ann] });
      const [told] = await server.test.admin(`SELECT data FROM events WHERE kind = 'app.access_ended' AND target_id = $1`, [app]);
      expect(told?.data).toMatchObject({ revision: Number(revision?.revision), ended: { grants: 4, appAccess: 3, accounts: 0 } });
    });

    it('leaves the other apps and the same name free', async () => {
      const kept = await importApp('Kept');
      const gone = await importApp('Gone');
      const count = async () => (await done('GET', `/api/v1/apps/${kept}/app_users`)).list.length;
      expect((await request(server, reader, 'DELETE', `/api/v1/apps/${gone}`)).status).toBe(403);
      expect((await request(other, other.admin, 'DELETE', `/api/v1/apps/${gone}`)).status).toBe(404);
      await done('DELETE', `/api/v1/apps/${gone}`);
      expect(await count()).toBe(3);
      expect((await entitlementsOf(kept)).map(({ grantCount }) => grantCount).sort()).toEqual(['2', '2', '3']);
      const again = await importApp('Gone');
      expect(again).not.toBe(gone);
      expect((await done('GET', `/api/v1/apps/${again}`)).app.userCount).toBe('3');
    });

    it('takes no revision where nobody had access', async () => {
      const { app } = await done('POST', '/api/v1/apps', { displayName: 'Empty' });
      await done('DELETE', `/api/v1/apps/${app.id}`);
      expect(await server.test.admin('SELECT 1 FROM inventory_revisions WHERE app_id = $1', [app.id])).toEqual([]);
    });

    it('ends the tasks of an open review over it as those of any access that is gone', async () => {
      const app = await importApp('Reviewed');
      const { accessReview } = await done('POST', '/api/v1/access_review', { displayName: 'Review' });
      const path = `/api/v1/access_review/${accessReview.accessReview.id}`;
      await done('POST', path, { accessReview: { singleApp: { appId: app } } });
      const untilState = (state: string): Promise<void> =>
        until(async () => expect((await done('GET', path)).accessReview.accessReview.state).toBe(`ACCESS_REVIEW_STATE_${state}`));
      await done('POST', `${path}/action/prepare`, {});
      await untilState('REVIEW');
      await done('POST', `${path}/action/start`, {});
      await untilState('OPEN');
      await done('DELETE', `/api/v1/apps/${app}`);
      // What the review froze is shown still; its tasks end within seconds.
      const tasks = async (): Promise<string[]> =>
        (await server.test.admin('SELECT DISTINCT end_reason FROM tasks WHERE app_id = $1', [app])).map((row) => String(row.end_reason));
      await until(async () => expect(await tasks()).toEqual(['OBJECT_GONE']));
      await done('POST', `${path}/action/close`, {});
      await untilState('CLOSED');
    });
  });
});
