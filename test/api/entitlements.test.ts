/** Entitlements over HTTP: made manually, changed wherever they come from, owned, searched by every filter, deleted with their grants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

const people = 'email,display_name,manager_email,department,job_title,employment_status\nann@x.example,Ann,,,,\nbob@x.example,Bob,,,,\n';
const grants = `account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at
ann,ann@x.example,USER,ENABLED,role,Wiki,read,,
ann,ann@x.example,USER,ENABLED,role,Wiki,write,,
bob,bob@x.example,USER,ENABLED,group,ops,member,,
`;
const never = 'x'.repeat(27);

describe('entitlements over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let reader: TestPerson;
  let wiki: string;
  let base: string;
  let read: Loose;
  let ann: string;
  let bob: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const entitlementOf = (answer: Answer): Loose => {
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
    return answer.body.appEntitlementView.appEntitlement;
  };
  const make = async (body: object): Promise<Loose> => entitlementOf(await admin('POST', base, body));
  const get = async (id: string): Promise<Loose> => entitlementOf(await admin('GET', `${base}/${id}`));
  const change = (id: string, entitlement: object, more: object = {}): Promise<Answer> =>
    admin('POST', `${base}/${id}`, { entitlement, ...more });
  const found = async (filter: object): Promise<string[]> => {
    const { status, body } = await admin('POST', '/api/v1/search/entitlements', { appIds: [wiki], pageSize: 100, ...filter });
    expect(status).toBe(200);
    return body.list.map((view: Loose) => view.appEntitlement.displayName).sort();
  };
  const makePolicy = async (policyType: string): Promise<string> => {
    const policySteps = { certify: { steps: [{ accept: {} }] } };
    return (await admin('POST', '/api/v1/policies', { displayName: policyType, policyType, policySteps })).body.policy.id;
  };
  const eventsOf = (id: string) => server.test.admin(`SELECT kind, data FROM events WHERE target_id = $1 ORDER BY id`, [id]);

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    reader = await server.makePerson('reader@x.example', ['READ_ONLY_ADMINISTRATOR']);
    await sendFile(server, server.admin, '/api/v1/imports/people', people);
    wiki = (await sendFile(server, server.admin, '/api/v1/imports/grants?app=Wiki', grants)).body.import.appId;
    base = `/api/v1/apps/${wiki}/entitlements`;
    const { list } = (await admin('GET', base)).body;
    read = list.map((view: Loose) => view.appEntitlement).find((one: Loose) => one.externalId === 'read');
    [ann, bob] = (await Promise.all(
      ['ann@x.example', 'bob@x.example'].map(
        async (email) => (await admin('POST', '/api/v1/search/users', { email })).body.list[0].user.id,
      ),
    )) as [string, string];
  });
  afterAll(() => server.stop());

  it('makes one alone, with all there is to set', async () => {
    const policies = { grantPolicyId: await makePolicy('POLICY_TYPE_GRANT'), certifyPolicyId: await makePolicy('POLICY_TYPE_CERTIFY') };
    const sent = {
      displayName: ' VPN ',
      description: 'Way in',
      alias: 'vpn',
      slug: 'connect',
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
      annotations: { a: 'b' },
      durationGrant: '3600s',
      emergencyGrantEnabled: true,
      ...policies,
      provisionPolicy: { manual: { instructions: 'Call us', userIds: [ann] } },
      appEntitlementOwnerIds: [bob, ann, bob],
      expandMask: { paths: ['*'] },
    };
    const answer = await admin('POST', base, sent);
    const made = entitlementOf(answer);
    expect(made).toMatchObject({
      displayName: 'VPN',
      description: 'Way in',
      alias: 'vpn',
      slug: 'connect',
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
      annotations: { a: 'b' },
      durationGrant: '3600s',
      emergencyGrantEnabled: true,
      ...policies,
      provisionerPolicy: { manual: { instructions: 'Call us', userIds: [ann] } },
      appId: wiki,
      appResourceId: '',
      externalId: '',
      grantCount: '0',
      isManuallyManaged: true,
      systemBuiltin: false,
      sourceConnectorIds: {},
      complianceFrameworkValueIds: [],
    });
    expect(made.durationUnset).toBeUndefined();
    expect(answer.body.expanded).toMatchObject([{ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: wiki }]);
    expect(answer.body.appEntitlementView).toMatchObject({ appPath: '$.expanded[0]', appResourcePath: '' });
    expect(await get(made.id)).toEqual(made);
    expect((await admin('GET', `${base}/${made.id}/ownerids`)).body.userIds).toEqual([bob, ann]);
    expect(await eventsOf(made.id)).toMatchObject([{ kind: 'entitlement.created', data: { appId: wiki, displayName: 'VPN' } }]);
  });

  it('makes one under a resource of the app alone', async () => {
    const place = { appResourceTypeId: read.appResourceTypeId, appResourceId: read.appResourceId };
    expect(await make({ displayName: 'Wiki admin', ...place })).toMatchObject({ ...place, slug: '' });
    const path = `${base}/resource_types/${read.appResourceTypeId}/resources/${read.appResourceId}`;
    const { list } = (await admin('GET', path)).body;
    expect(list.map((view: Loose) => view.appEntitlement.displayName)).toContain('Wiki admin');
    for (const [wrong, field] of [
      [{ appResourceId: read.appResourceId }, 'appResourceTypeId'],
      [{ appResourceTypeId: read.appResourceTypeId }, 'appResourceId'],
      [{ ...place, appResourceId: never }, 'appResourceId'],
      [{ ...place, appResourceTypeId: never }, 'appResourceId'],
    ] as const) {
      expect(violatedFields(await admin('POST', base, { displayName: 'X', ...wrong }))).toEqual([field]);
    }
  });

  it('says everything that is wrong at once, and who may not', async () => {
    const wrong = await admin('POST', base, {
      displayName: ' ',
      alias: 'a'.repeat(201),
      durationGrant: '0s',
      riskLevelValueId: never,
      appResourceId: never,
    });
    expect(wrong.status).toBe(400);
    expect(violatedFields(wrong).sort()).toEqual(['alias', 'appResourceTypeId', 'displayName', 'durationGrant', 'riskLevelValueId']);
    expect(violatedFields(await admin('POST', base, { displayName: 'X', appEntitlementOwnerIds: [ann, never] }))).toEqual([
      'appEntitlementOwnerIds[1]',
    ]);
    expect((await admin('POST', base, { displayName: 'X', durationGrant: '1s', durationUnset: {} })).status).toBe(400);
    expect((await request(server, reader, 'POST', base, { displayName: 'X' })).status).toBe(403);
    expect((await request(other, other.admin, 'POST', base, { displayName: 'X' })).status).toBe(404);
    expect((await admin('POST', `/api/v1/apps/${never}/entitlements`, { displayName: 'X' })).status).toBe(404);
    expect(await found({ displayName: 'X' })).toEqual([]);
  });

  it('shares aliases, of which deleted ones have none in searches', async () => {
    const { id } = await make({ displayName: 'First', alias: 'only' });
    const second = await make({ displayName: 'Second' });
    expect(entitlementOf(await change(second.id, { alias: 'only' })).alias).toBe('only');
    expect((await found({ alias: 'only' })).sort()).toEqual(['First', 'Second']);
    expect((await admin('DELETE', `${base}/${id}`)).body).toEqual({});
    expect(await found({ alias: 'only' })).toEqual(['Second']);
    const racing = await Promise.all([1, 2, 3].map((n) => admin('POST', base, { displayName: `Race ${n}`, alias: 'race' })));
    expect(racing.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('go with their resource once nobody holds them, and with their app at once', async () => {
    const { app } = (await admin('POST', '/api/v1/apps', { displayName: 'Short-lived' })).body;
    const inside = `/api/v1/apps/${app.id}`;
    const type = (await admin('POST', `${inside}/resource_types`, { displayName: 'Room', resourceType: 'ROLE' })).body.appResourceType;
    const resources = `${inside}/resource_types/${type.id}/resources`;
    const resource = (await admin('POST', resources, { displayName: 'Lab' })).body.appResource;
    const place = { appResourceTypeId: type.id, appResourceId: resource.id };
    const under = entitlementOf(await admin('POST', `${inside}/entitlements`, { displayName: 'Enter', alias: 'of-lab', ...place }));
    const alone = entitlementOf(await admin('POST', `${inside}/entitlements`, { displayName: 'Alone', alias: 'of-app' }));
    const [forLab, forApp] = [await make({ displayName: 'After Lab' }), await make({ displayName: 'After app' })];
    for (const { id } of [under, alone]) {
      expect((await admin('POST', `${inside}/entitlements/${id}/add-manual-user`, { userIds: [ann] })).status).toBe(200);
    }
    const open = async (id: string): Promise<number> =>
      (await server.test.admin('SELECT 1 FROM grants WHERE entitlement_id = $1 AND removed_revision IS NULL', [id])).length;

    // Held: the resource stays, and so do its grants.
    expect((await admin('DELETE', `${resources}/${resource.id}`)).body.code).toBe(9);
    expect(await open(under.id)).toBe(1);
    const { list } = (await admin('POST', '/api/v1/search/grants', { entitlementRefs: [{ appId: app.id, id: under.id }] })).body;
    const accountId: string = list[0].appEntitlementUserBinding.appUser.appUser.id;
    const taken = await admin('DELETE', `${inside}/entitlements/${under.id}/remove-membership`, { appUserId: accountId });
    expect([taken.status, await open(under.id)]).toEqual([200, 0]);
    expect((await admin('DELETE', `${resources}/${resource.id}`)).status).toBe(200);
    expect(entitlementOf(await admin('GET', `${inside}/entitlements/${under.id}`))).toHaveProperty('deletedAt');
    expect(entitlementOf(await change(forLab.id, { alias: 'of-lab' })).alias).toBe('of-lab');

    expect((await admin('DELETE', inside)).status).toBe(200);
    expect(entitlementOf(await change(forApp.id, { alias: 'of-app' })).alias).toBe('of-app');
    await expect.poll(() => open(alone.id), { timeout: 60_000, interval: 50 }).toBe(0);
  });

  it('are never left under a resource, or in an app, that was deleted meanwhile', async () => {
    for (let round = 0; round < 4; round++) {
      const { app } = (await admin('POST', '/api/v1/apps', { displayName: `Going ${round}` })).body;
      const inside = `/api/v1/apps/${app.id}`;
      const type = (await admin('POST', `${inside}/resource_types`, { displayName: 'Room' })).body.appResourceType;
      const resources = `${inside}/resource_types/${type.id}/resources`;
      const resource = (await admin('POST', resources, { displayName: 'Lab' })).body.appResource;
      const place = { appResourceTypeId: type.id, appResourceId: resource.id };
      const made = (alias: string, fields: object) => admin('POST', `${inside}/entitlements`, { displayName: alias, alias, ...fields });
      const under = Array.from({ length: 6 }, (_, number) => `under-${round}-${number}`);
      const alone = under.map((alias) => `alone-${alias}`);
      await Promise.all([...under.map((alias) => made(alias, place)), admin('DELETE', `${resources}/${resource.id}`)]);
      expect((await admin('GET', `${resources}/${resource.id}`)).status).toBe(404);
      expect((await admin('POST', '/api/v1/search/entitlements', { resourceIds: [resource.id] })).body.list).toEqual([]);
      await Promise.all([...alone.map((alias) => made(alias, {})), admin('DELETE', inside)]);
      // Whatever came to be is gone, and its alias is free.
      const rows = await server.test.admin('SELECT alias FROM entitlements WHERE app_id = $1 AND deleted_at IS NULL', [app.id]);
      expect(rows).toEqual([]);
    }
  });

  it('changes what is ours of an imported one, and keeps it over the next sync', async () => {
    const before = await get(read.id);
    expect(before).toMatchObject({ slug: 'read', userEditedMask: '', isManuallyManaged: false });
    expect(Object.values(before.sourceConnectorIds)).toEqual(['read']);
    const changed = entitlementOf(await change(read.id, { displayName: 'Read the wiki', slug: 'reader', durationGrant: '60s' }));
    expect(changed).toMatchObject({
      displayName: 'Read the wiki',
      slug: 'reader',
      durationGrant: '60s',
      userEditedMask: 'displayName,durationGrant,slug',
    });
    await sendFile(
      server,
      server.admin,
      '/api/v1/imports/grants?app=Wiki',
      grants.replace(
        'ann,ann@x.example,USER,ENABLED,role,Wiki,read,,',
        'ann,ann@x.example,USER,ENABLED,role,Wiki,read,,2025-01-01T00:00:00Z',
      ),
    );
    const kept = await get(read.id);
    expect({ ...kept, updatedAt: '' }).toEqual({ ...changed, updatedAt: '' });
    // An echo of all that was read is no change.
    expect(entitlementOf(await change(read.id, kept))).toEqual(kept);
    expect((await eventsOf(read.id)).map(({ kind }) => kind)).toEqual(['entitlement.updated']);
    // The other member of the group takes its place; no slug of its own is that of the source.
    const unset = entitlementOf(await change(read.id, { durationUnset: {}, slug: '' }));
    expect([unset.durationGrant, unset.durationUnset, unset.slug]).toEqual([undefined, {}, 'read']);
    expect(entitlementOf(await change(read.id, { displayName: 'Wiki read' })).displayName).toBe('Wiki read');
  });

  it('sets what the mask names and nothing else', async () => {
    const { id } = await make({ displayName: 'Masked', description: 'd', alias: 'm', annotations: { a: 'b' } });
    const masked = await change(id, { displayName: 'New', description: 'kept' }, { updateMask: 'display_name,alias' });
    expect(entitlementOf(masked)).toMatchObject({ displayName: 'New', description: 'd', alias: '', annotations: { a: 'b' } });
    expect(entitlementOf(await change(id, { displayName: 'All' }, { updateMask: '*' }))).toMatchObject({
      displayName: 'All',
      description: '',
      annotations: {},
      appId: wiki,
      isManuallyManaged: true,
    });
    expect(entitlementOf(await change(id, {}, { overrideAccessRequestsDefaults: true })).overrideAccessRequestsDefaults).toBe(true);
    for (const path of ['grantCount', 'id', 'userEditedMask', 'sourceConnectorIds', 'nothing']) {
      expect([path, violatedFields(await change(id, {}, { updateMask: path }))]).toEqual([path, ['updateMask']]);
    }
    expect(violatedFields(await change(id, { displayName: '' }))).toEqual(['entitlement.displayName']);
    expect(violatedFields(await change(id, { appId: never, appResourceId: never }))).toEqual([
      'entitlement.appId',
      'entitlement.appResourceId',
    ]);
    expect(violatedFields(await change(id, { isManuallyManaged: false }, { updateMask: 'isManuallyManaged' }))).toEqual([
      'entitlement.isManuallyManaged',
    ]);
    expect(entitlementOf(await change(id, { appId: wiki }, { updateMask: 'appId' })).displayName).toBe('All');
    expect((await request(server, reader, 'POST', `${base}/${id}`, { entitlement: { description: 'x' } })).status).toBe(403);
    expect((await request(other, other.admin, 'POST', `${base}/${id}`, { entitlement: { description: 'x' } })).status).toBe(404);
  });

  it('says who may do what with each', async () => {
    const { id } = await make({ displayName: 'Permitted' });
    const may = async (person: TestPerson, one: string) =>
      (await request(server, person, 'GET', `${base}/${one}`)).body.appEntitlementView.objectPermissions;
    expect(await may(server.admin, id)).toMatchObject({ read: true, edit: true, delete: true });
    expect(await may(server.admin, read.id)).toMatchObject({ read: true, edit: true, delete: false });
    expect(await may(reader, id)).toMatchObject({ read: true, edit: false, delete: false });
  });

  it('deletes what was made manually, with its grants in one revision; the rest stays', async () => {
    const { id } = await make({ displayName: 'To delete' });
    const added = await admin('POST', `${base}/${id}/add-manual-user`, { userIds: [ann, bob] });
    expect(added.status).toBe(200);
    expect((await get(id)).grantCount).toBe('2');
    const access = (await admin('POST', '/api/v1/search/entitlements', { appIds: [wiki], displayName: 'App access' })).body.list[0];
    for (const kept of [access.appEntitlement.id, read.id]) {
      const refused = await admin('DELETE', `${base}/${kept}`);
      expect([refused.status, refused.body.code]).toEqual([400, 9]);
    }
    expect((await request(server, reader, 'DELETE', `${base}/${id}`)).status).toBe(403);
    expect((await request(other, other.admin, 'DELETE', `${base}/${id}`)).status).toBe(404);
    const revisions = () => server.test.admin(`SELECT revision FROM inventory_revisions WHERE tenant_id = $1`, [server.id]);
    const before = (await revisions()).length;
    expect((await admin('DELETE', `${base}/${id}`, {})).body).toEqual({});
    expect((await revisions()).length).toBe(before + 1);
    const rows = await server.test.admin(
      `SELECT g.removed_revision = r.revision AS last, r.cause, g.ended_at IS NOT NULL AS ended FROM grants g
       JOIN inventory_revisions r ON r.tenant_id = g.tenant_id AND r.revision = g.removed_revision WHERE g.entitlement_id = $1`,
      [id],
    );
    expect(rows).toEqual([1, 2].map(() => ({ last: true, cause: 'MANUAL', ended: true })));
    expect((await eventsOf(id)).at(-1)).toMatchObject({
      kind: 'entitlement.deleted',
      data: { displayName: 'To delete', endedGrants: 2, revision: expect.any(Number) },
    });
    expect(entitlementOf(await admin('GET', `${base}/${id}`))).toMatchObject({ grantCount: '0', deletedAt: expect.any(String) });
    expect((await admin('DELETE', `${base}/${id}`)).status).toBe(404);
    expect(await found({ displayName: 'To delete' })).toEqual([]);
    expect(await found({ displayName: 'To delete', includeDeleted: true })).toEqual(['To delete']);
  });

  it('keeps owners', async () => {
    const { id } = await make({ displayName: 'Owned' });
    const path = `${base}/${id}`;
    const ids = async () => (await admin('GET', `${path}/ownerids`)).body.userIds;
    expect((await admin('POST', `${path}/owners`, { userId: ann })).body).toEqual({});
    expect((await admin('POST', `${path}/owners`, { userId: ann })).status).toBe(200);
    expect(violatedFields(await admin('POST', `${path}/owners`, { userId: never }))).toEqual(['userId']);
    expect(await ids()).toEqual([ann]);
    expect((await admin('GET', `${path}/owners`)).body.list).toMatchObject([{ id: ann, displayName: 'Ann' }]);
    await admin('PUT', `${path}/owners`, { userIds: [ann, bob, ann] });
    expect(await ids()).toEqual([ann, bob].sort());
    expect(violatedFields(await admin('PUT', `${path}/owners`, { userIds: [ann, never] }))).toEqual(['userIds[1]']);
    await admin('DELETE', `${path}/owners/${ann}`);
    expect(await ids()).toEqual([bob]);
    expect((await admin('DELETE', `${path}/owners/${never}`)).status).toBe(404);
    await admin('DELETE', `${path}/owners`, {});
    expect(await ids()).toEqual([]);
    expect((await request(other, other.admin, 'GET', `${path}/owners`)).status).toBe(404);
    expect((await request(server, reader, 'PUT', `${path}/owners`, { userIds: [] })).status).toBe(403);
    const events = await eventsOf(id);
    expect(events.slice(1).map(({ kind }) => kind)).toEqual(Array(4).fill('entitlement.owners_changed'));
    expect(events.at(-1)?.data).toEqual({ appId: wiki, added: [], removed: [bob] });
  });

  it('finds by each filter what has it, and nothing else', async () => {
    const revokePolicyId = await makePolicy('POLICY_TYPE_REVOKE');
    const level = (await admin('POST', '/api/v1/attributes/risk_levels', { value: 'Found' })).body.value.id;
    const framework = (await admin('POST', '/api/v1/attributes/compliance_frameworks', { value: 'Found' })).body.value.id;
    const target = await make({
      displayName: 'Target',
      alias: 'target',
      riskLevelValueId: level,
      complianceFrameworkValueIds: [framework],
      purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
      revokePolicyId,
    });
    await change(target.id, { requestSchemaId: 'schema' });
    await admin('POST', `${base}/${target.id}/add-manual-user`, { userIds: [bob] });
    const only = ['Target'];
    expect(await found({ riskLevelIds: [never, level] })).toEqual(only);
    expect(await found({ complianceFrameworkIds: [framework] })).toEqual(only);
    expect(await found({ complianceFrameworkIds: [never] })).toEqual([]);
    expect(await found({ alias: 'target' })).toEqual(only);
    expect(await found({ alias: 'targe' })).toEqual([]);
    expect(await found({ requestSchemaIds: ['schema'] })).toEqual(only);
    expect(await found({ policyRefs: [{ id: revokePolicyId }] })).toEqual(only);
    expect(await found({ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER'] })).toEqual(only);
    expect(await found({ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION'] })).toEqual([]);
    expect(await found({ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER'] })).not.toContain('Target');
    expect(await found({ isAutomated: true })).toEqual([]);
    expect(await found({ excludeImmutable: true })).toEqual(await found({}));
    const [connectorId] = Object.keys((await get(read.id)).sourceConnectorIds);
    expect(await found({ sourceConnectorId: connectorId })).toEqual(['Wiki read', 'Wiki write', 'ops member']);
    expect(await found({ sourceConnectorId: never })).toEqual([]);
    expect(await found({ resourceTraitIds: [never] })).toEqual([]);
    // A type of a source has the trait whose word is its name.
    expect(await found({ resourceTraitIds: ['group'] })).toEqual(['ops member']);
    expect(await found({ resourceTraitIds: ['group', 'role', 'role'], excludeResourceTypeIds: [read.appResourceTypeId] })).toEqual([
      'ops member',
    ]);
    await server.test.admin(`UPDATE resource_types SET trait_ids = '{t}' WHERE tenant_id = $1 AND id = $2`, [
      server.id,
      read.appResourceTypeId,
    ]);
    expect(await found({ resourceTraitIds: ['t'] })).toEqual(['Wiki admin', 'Wiki read', 'Wiki write']);
    expect(await found({ onlyGetExpiring: true })).toEqual([]);
    await server.test.admin(`UPDATE grants SET deprovision_at = '2099-01-01' WHERE tenant_id = $1 AND entitlement_id = $2`, [
      server.id,
      target.id,
    ]);
    expect(await found({ onlyGetExpiring: true })).toEqual(only);
    const accounts = (await admin('GET', `/api/v1/apps/${wiki}/app_users`)).body.list.map((view: Loose) => view.appUser);
    const of = (userId: string): string => accounts.find((one: Loose) => one.identityUserId === userId).id;
    expect(await found({ onlyGetExpiring: true, appUserIds: [of(bob)] })).toEqual(only);
    expect(await found({ onlyGetExpiring: true, appUserIds: [of(ann)] })).toEqual([]);
    const held = (await admin('GET', `/api/v1/search/apps/${wiki}/entitlements/users/${of(bob)}`)).body.list;
    expect(held.map((view: Loose) => view.appEntitlement.displayName).sort()).toEqual(['App access', 'Target', 'ops member']);
    expect((await admin('GET', `/api/v1/search/apps/${wiki}/entitlements/users/${never}`)).status).toBe(404);
  });
});
