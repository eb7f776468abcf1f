/** The record of a review over HTTP: specification 2 and 4, masks, expansion, lists, roles, owners, the chosen entitlements, delete. */
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessReviewSchema } from '../../src/gen/c1/api/accessreview/v1/accessreview_pb.js';
import { snakeCase } from '../../src/wire/names.ts';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { sampleField, writableFields } from '../support/sample-message.ts';
import { type ServedTenant, useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const samples = {
  tspUrl: 'https://tsa.example',
  daysSinceAdded: '7776000s',
  daysSinceLastUsed: '90',
  daysSinceReviewed: '30',
  expression: 'true',
};

/** The fields of specification 2.1 to 2.7 with values as a client would send them, the times of the server left out. */
const specified: JsonObject = {
  displayName: 'Quarterly review',
  description: 'Who has access to what',
  reviewInstructions: 'Look closely',
  accessReviewTemplateId: 'template',
  policyId: 'policy',
  autoGenerateReport: true,
  autoResolve: true,
  exemptCertifiedAccessConflicts: true,
  hasAccuracySupport: true,
  usePolicyOverride: true,
  expectedTicketCount: 12,
  scopingVersion: '3',
  completionDate: '2026-12-31T23:59:59Z',
  notificationConfig: { sendClose: true, sendReminders: true },
  signatureConfig: { meaningOfSignature: 'I looked', requireSignature: true, stepUpProviderId: 'provider', tspUrl: 'https://tsp.example' },
  scope: { appUserStatuses: ['APP_USER_STATUS_ENABLED'], appUserTypes: ['APP_USER_TYPE_USER'] },
  exclusionScope: { appUserStatuses: ['APP_USER_STATUS_DELETED'], appUserTypes: ['APP_USER_TYPE_SYSTEM_ACCOUNT'] },
  inclusionScope: {
    appUserStatuses: ['APP_USER_STATUS_DISABLED'],
    appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'],
    managerIds: ['m'],
    multiUserProfileAttributes: { department: { values: [{ value: 'Sales' }] } },
    noAccountOwners: true,
    userIds: ['u'],
    userStatuses: ['USER_ENABLED'],
  },
  scopeV2: {
    accountCelExpression: { expression: 'true' },
    celExpression: { expression: 'true' },
    accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'], appUserStatuses: ['APP_USER_STATUS_ENABLED'], noAccountOwner: true },
    allAccessConflicts: {},
    allAccounts: {},
    allGrants: {},
    allUsers: {},
    appAccess: {},
    appSelectionCriteria: {},
    resourceTypeSelections: {},
    specificAccessConflicts: {},
    specificResources: {},
    selectedUsers: { userIds: ['u1', 'u2'] },
    grantsByCriteria: {
      accessProfileFilter: { excludedAccessProfileIds: ['a'], includedAccessProfileIds: ['b'] },
      daysSinceAdded: '7776000s',
      daysSinceLastUsed: '90',
      daysSinceReviewed: '30',
      grantsAddedBetween: { startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01T00:00:00Z' },
    },
    userCriteria: {
      groupAppEntitlementsRef: [{ appId: 'a', id: 'e' }],
      managerUserIds: ['m'],
      multiUserProfileAttributes: { title: { values: [{ value: 'x' }] } },
      userStatus: ['ENABLED'],
    },
  },
};

/** Names in snake_case, all the way down; keys of maps stay. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inSnakeCase);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeCase(key), inSnakeCase(item)]));
}

describe('access reviews over HTTP', () => {
  let server: TestServer;
  let other: ServedTenant;
  let owner: TestPerson;
  let reader: TestPerson;
  let campaigner: TestPerson;
  let basic: TestPerson;
  let logReader: TestPerson;

  const send = (person: TestPerson, method: string, path: string, body?: unknown): Promise<Answer> =>
    request(server, person, method, path, body);
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => send(server.admin, method, path, body);
  const make = async (body: JsonObject = {}): Promise<string> => {
    const answer = await admin('POST', '/api/v1/access_review', { displayName: 'One', ...body });
    expect(answer.status).toBe(200);
    return answer.body.accessReview.accessReview.id;
  };
  const update = (id: string, accessReview: unknown, updateMask?: string): Promise<Answer> =>
    admin('POST', `/api/v1/access_review/${id}`, { accessReview, ...(updateMask === undefined ? {} : { updateMask }) });
  const read = async (id: string): Promise<Loose> => (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other.example');
    owner = await server.makePerson('owner@example.com');
    reader = await server.makePerson('reader@example.com', ['READ_ONLY_ADMINISTRATOR']);
    campaigner = await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    basic = await server.makePerson('basic@example.com');
    logReader = await server.makePerson('log@example.com', ['READ_ONLY_SYSTEM_LOGS']);
  });
  afterAll(() => server.stop());

  it('answers an update exactly as specification 4.1 says', async () => {
    const id = await make();
    const answer = await update(id, specified);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['accessReview', 'expanded']);
    expect(answer.body.expanded).toEqual([]);
    const view = answer.body.accessReview;
    expect(Object.keys(view).sort()).toEqual(['accessReview', 'createdByUserPath', 'objectPermissions', 'policyPath']);
    const cannot = { start: false, close: false, reset: false, remind: false, acknowledge: false, report: false };
    expect(view.objectPermissions).toEqual({
      delete: true,
      edit: true,
      read: true,
      extra: { ...cannot, prepare: true, duplicateFrom: true },
    });
    expect(view).toMatchObject({ createdByUserPath: '', policyPath: '' });
    expect(view.accessReview).toMatchObject({ ...specified, id, createdById: server.admin.id, state: 'ACCESS_REVIEW_STATE_DRAFT' });
    for (const time of ['createdAt', 'updatedAt']) {
      expect(view.accessReview[time]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
    }
    for (const absent of ['startedAt', 'closedAt', 'connectorSourcesFrozenAt', 'singleApp', 'multiApp', 'bindings', 'campaignHealth']) {
      expect(view.accessReview).not.toHaveProperty(absent);
    }
    expect(await read(id)).toEqual(view.accessReview);
  });

  it.each(Object.keys(specified))('sets %s alone, in both spellings, with a mask and without', async (name) => {
    const value = specified[name];
    for (const [sent, mask] of [
      [{ [name]: value }, undefined],
      [{ [name]: value }, name],
      [inSnakeCase({ [name]: value }), snakeCase(name)],
      [{ ...specified }, name],
    ] as const) {
      const id = await make();
      const answer = await update(id, sent, mask);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const stored = await read(id);
      if (name.startsWith('inclusionScope') && mask === 'inclusion_scope') {
        continue;
      }
      expect({ value: stored[name] }).toMatchObject({ value });
      expect(stored.description).toBe(name === 'description' ? value : '');
    }
  });

  it.each(writableFields(AccessReviewSchema).map((field) => [field.jsonName, field] as const))(
    'keeps %s of the published message',
    async (name, field) => {
      const value = sampleField(field, samples);
      const id = await make(name === 'scopeType' ? { scopeType: value } : {});
      expect((await update(id, { [name]: value })).status).toBe(200);
      expect({ value: (await read(id))[name] }).toMatchObject({ value });
    },
  );

  it('refuses two members of setup_metadata, naming both, in a body and in a mask', async () => {
    const id = await make();
    for (const body of [
      { accessReview: { singleApp: { appId: 'a' }, multiApp: {} } },
      { access_review: { single_app: { app_id: 'a' }, multi_app: {} } },
      { accessReview: {}, updateMask: 'singleApp,multiApp' },
    ]) {
      const answer = await admin('POST', `/api/v1/access_review/${id}`, body);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('singleApp');
      expect(answer.body.message).toContain('multiApp');
    }
    expect((await update(id, { singleApp: { appId: 'a' } })).status).toBe(200);
    expect((await update(id, { bindings: {} })).body.accessReview.accessReview).not.toHaveProperty('singleApp');
    expect(await read(id)).toMatchObject({ bindings: {} });
  });

  it('follows the mask: named fields alone, defaults where absent, everything with *, what is present without one', async () => {
    const id = await make();
    await update(id, specified);
    expect(
      (await update(id, { description: 'x', displayName: 'ignored' }, 'description,autoResolve,notificationConfig.sendClose')).status,
    ).toBe(200);
    expect(await read(id)).toMatchObject({
      ...specified,
      description: 'x',
      autoResolve: false,
      notificationConfig: { sendClose: false, sendReminders: true },
    });
    await update(id, { usePolicyOverride: false, description: '', scope: { appUserTypes: [] }, signatureConfig: null });
    expect(await read(id)).toMatchObject({
      usePolicyOverride: false,
      description: '',
      scope: { appUserStatuses: [], appUserTypes: [] },
      signatureConfig: specified.signatureConfig,
    });
    await update(id, { displayName: 'All new' }, '*');
    const all = await read(id);
    expect(all).toMatchObject({ displayName: 'All new', reviewInstructions: '', expectedTicketCount: 0, scopingVersion: '0' });
    expect(all).not.toHaveProperty('scopeV2');
    expect(all).not.toHaveProperty('completionDate');
  });

  it('refuses masks and values that cannot be, with the field', async () => {
    const id = await make();
    for (const mask of ['nothing', 'scopeV2.nothing', 'createdAt', 'id', 'createdById', 'campaignHealth', 'startedAt']) {
      expect((await update(id, {}, mask)).status, mask).toBe(400);
    }
    const wrong = await update(id, { displayName: '', scopeV2: { grantsByCriteria: { daysSinceAdded: 'soon', daysSinceReviewed: '1h' } } });
    expect(wrong.status).toBe(400);
    expect(violatedFields(wrong)).toEqual([
      'accessReview.displayName',
      'accessReview.scopeV2.grantsByCriteria.daysSinceAdded',
      'accessReview.scopeV2.grantsByCriteria.daysSinceReviewed',
    ]);
    expect((await update(id, { scope: { appUserTypes: ['NONSENSE'] } })).status).toBe(400);
    expect((await update(id, { scope: { appUserTypes: ['USER'] }, inclusionScope: { userStatuses: ['ENABLED'] } })).status).toBe(200);
    expect(await read(id)).toMatchObject({
      scope: { appUserTypes: ['APP_USER_TYPE_USER'] },
      inclusionScope: { userStatuses: ['USER_ENABLED'] },
    });
  });

  it('ignores what it echoes and what it does not know', async () => {
    const id = await make();
    const before = await read(id);
    const answer = await update(id, { ...before, state: 'ACCESS_REVIEW_STATE_CLOSED', id: 'x', unknown: { deep: true } });
    expect(answer.status).toBe(200);
    expect(answer.body.accessReview.accessReview).toEqual(before);
  });

  it('holds twenty changes of different fields made at once', async () => {
    const id = await make();
    const changes = Object.entries(specified);
    const answers = await Promise.all(changes.map(([name, value]) => update(id, { [name]: value }, name)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await read(id)).toMatchObject(specified);
  });

  it('expands what is asked for, each once, and points at it', async () => {
    const { body } = await admin('GET', '/api/v1/policies');
    const policyId: string = body.list.find((policy: Loose) => policy.systemBuiltin).id;
    const appId = 'x'.repeat(27);
    await server
      .system()
      .db.run(
        `INSERT INTO apps (tenant_id, id, display_name, name_key, created_at, updated_at) VALUES ($1, $2, 'Payroll', 'payroll', now(), now())`,
        [server.id, appId],
      );
    const id = await make({ policyId });
    await update(id, { singleApp: { appId } });
    const expand = async (...paths: string[]) =>
      (await admin('POST', `/api/v1/access_review/${id}`, { accessReview: {}, expandMask: { paths } })).body;
    const typesOf = (answer: Loose) => answer.expanded.map((one: Loose) => one['@type'].replace('type.googleapis.com/', ''));

    const policy = await expand('policy_id');
    expect(typesOf(policy)).toEqual(['c1.api.policy.v1.Policy']);
    expect(policy.expanded[0]).toMatchObject({ id: policyId, systemBuiltin: true });
    expect(policy.accessReview).toMatchObject({ policyPath: '$.expanded[0]', createdByUserPath: '' });
    const user = await expand('created_by_id');
    expect(typesOf(user)).toEqual(['c1.api.user.v1.User']);
    expect(user.accessReview).toMatchObject({ policyPath: '', createdByUserPath: '$.expanded[0]' });
    const apps = await expand('app_ids');
    expect(apps.expanded).toMatchObject([{ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: appId }]);
    expect((await expand('access_review_template_id')).expanded).toEqual([]);
    const all = await expand('*');
    expect(typesOf(all).sort()).toEqual(['c1.api.app.v1.App', 'c1.api.policy.v1.Policy', 'c1.api.user.v1.User']);
    expect(all.expanded[Number(/\d+/.exec(all.accessReview.policyPath)?.[0])]['@type']).toContain('Policy');
    const created = await admin('POST', '/api/v1/access_review', { displayName: 'x', expandMask: { paths: ['created_by_id'] } });
    expect(created.body.accessReview.createdByUserPath).toBe('$.expanded[0]');
  });

  it('lists in pages of 10 to 100, 25 by default, each review once, with an empty token at the end', async () => {
    const person = await server.makePerson('lister@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    const ids: string[] = [];
    for (let number = 0; number < 27; number++) {
      ids.push((await send(person, 'POST', '/api/v1/access_review', { displayName: `No ${number}` })).body.accessReview.accessReview.id);
    }
    const list = async (query = '') => (await send(person, 'GET', `/api/v1/access_reviews${query}`)).body;
    const idsOf = (page: Loose): string[] => page.list.map((view: Loose) => view.accessReview.id);
    expect((await list()).list).toHaveLength(25);
    expect((await list('?page_size=1')).list).toHaveLength(10);
    expect((await list('?page_size=-5')).list).toHaveLength(10);
    const whole = await list('?page_size=1000');
    expect(idsOf(whole)).toEqual(ids);
    expect(whole.nextPageToken).toBe('');
    const seen: string[] = [];
    let token = '';
    do {
      const page = await list(`?page_size=10&page_token=${encodeURIComponent(token)}`);
      seen.push(...idsOf(page));
      token = page.nextPageToken;
    } while (token !== '');
    expect(seen).toEqual(ids);
    expect((await send(person, 'GET', '/api/v1/access_reviews?page_token=nonsense')).status).toBe(400);
    expect((await send(basic, 'GET', '/api/v1/access_reviews')).body).toMatchObject({ list: [], nextPageToken: '' });
    expect((await send(logReader, 'GET', '/api/v1/access_reviews')).body.list ?? []).toEqual([]);
  });

  it('lets each role do what it may, and says 404 of what it may not know', async () => {
    expect((await send(basic, 'POST', '/api/v1/access_review', { displayName: 'x' })).status).toBe(403);
    expect((await send(reader, 'POST', '/api/v1/access_review', { displayName: 'x' })).status).toBe(403);
    const created = await send(campaigner, 'POST', '/api/v1/access_review', { displayName: 'Owned', ownerIds: [owner.id] });
    expect(created.status).toBe(200);
    expect(created.body.accessReview.objectPermissions).toMatchObject({ read: true, edit: false, delete: false });
    const { extra } = created.body.accessReview.objectPermissions;
    expect(Object.entries(extra).filter(([, can]) => can)).toEqual([['duplicateFrom', true]]);
    const path = `/api/v1/access_review/${created.body.accessReview.accessReview.id}`;
    const expected = new Map([
      [server.admin, [200, 200]],
      [owner, [200, 200]],
      [campaigner, [200, 403]],
      [reader, [200, 403]],
      [basic, [404, 404]],
    ]);
    for (const [person, [get, post]] of expected) {
      expect((await send(person, 'GET', path)).status).toBe(get);
      expect((await send(person, 'POST', path, { accessReview: { description: person.email } })).status).toBe(post);
      expect((await send(person, 'GET', `${path}/owners`)).status).toBe(get);
      expect((await send(person, 'GET', `${path}/scope_and_entitlements`)).status).toBe(get);
    }
    expect((await server.fetch(path)).status).toBe(401);
  });

  it('answers another tenant as if there were nothing, on every route', async () => {
    const id = await make();
    const path = `/api/v1/access_review/${id}`;
    const routes: [string, string, unknown?][] = [
      ['GET', path],
      ['POST', path, { accessReview: { description: 'x' } }],
      ['DELETE', path, {}],
      ['GET', `${path}/owners`],
      ['PUT', `${path}/owners`, { userIds: [other.admin.id] }],
      ['GET', `${path}/scope_and_entitlements`],
      ['POST', `${path}/scope_and_entitlements`, { entitlements: [] }],
      ['POST', `${path}/scope_by_resource_type`, {}],
      ['POST', '/api/v1/access_review', { duplicateFrom: id, displayName: 'x' }],
    ];
    const statuses: [string, string, number][] = [];
    for (const [method, route, body] of routes) {
      statuses.push([method, route, (await request(other, other.admin, method, route, body)).status]);
    }
    expect(statuses).toEqual(routes.map(([method, route]) => [method, route, 404]));
    expect((await request(other, other.admin, 'GET', '/api/v1/access_reviews')).body.list).toEqual([]);
    const { body } = await admin('GET', '/api/v1/policies');
    expect((await request(other, other.admin, 'GET', `/api/v1/policies/${body.list[0].id}`)).status).toBe(404);
  });

  it('reads and replaces owners, who then manage', async () => {
    const id = await make();
    const path = `/api/v1/access_review/${id}/owners`;
    expect((await admin('GET', path)).body).toMatchObject({ list: [{ owner: { userId: server.admin.id } }], nextPageToken: '' });
    expect((await send(owner, 'GET', path)).status).toBe(404);
    const set = await admin('PUT', path, { user_ids: [owner.id] });
    expect(set).toMatchObject({ status: 200, body: { list: [{ owner: { userId: owner.id, email: 'owner@example.com' } }] } });
    expect((await send(owner, 'POST', `/api/v1/access_review/${id}`, { accessReview: { description: 'mine' } })).status).toBe(200);
    expect(violatedFields(await admin('PUT', path, { userIds: ['nobody'] }))).toEqual(['userIds[0]']);
    expect(violatedFields(await admin('PUT', path, {}))).toEqual(['userIds']);
  });

  it('replaces chosen entitlements and resource types, pages through them where asked, and expands', async () => {
    const { body } = await admin('GET', '/api/v1/policies');
    const policyId: string = body.list[0].id;
    const id = await make({ policyId });
    const path = `/api/v1/access_review/${id}/scope_and_entitlements`;
    const entitlements = Array.from({ length: 30 }, (_, number) => ({
      appId: 'app',
      appEntitlementId: `e${String(number).padStart(2, '0')}`,
    }));
    const set = await admin('POST', path, { entitlements, scopeV2: { allUsers: {} }, expandMask: { paths: ['policy_id'] } });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    expect(set.body.list).toHaveLength(30);
    expect(set.body.scopeV2).toMatchObject({ allUsers: {} });
    expect(set.body.expanded).toMatchObject([{ id: policyId }]);
    expect(set.body.list[0]).toMatchObject({
      accessReviewEntitlement: {
        accessReviewId: id,
        appId: 'app',
        appEntitlementId: 'e00',
        policyId,
        customPolicyId: '',
        tenantId: server.id,
      },
      policyPath: '$.expanded[0]',
      appPath: '',
      entitlementPath: '',
    });
    expect((await admin('GET', path)).body).toMatchObject({ list: { length: 30 }, nextPageToken: '' });
    const first = (await admin('GET', `${path}?page_size=20`)).body;
    const second = (await admin('GET', `${path}?page_size=20&page_token=${encodeURIComponent(first.nextPageToken)}`)).body;
    expect([...first.list, ...second.list].map((one: Loose) => one.accessReviewEntitlement.appEntitlementId)).toEqual(
      entitlements.map((one) => one.appEntitlementId),
    );
    expect(second.nextPageToken).toBe('');
    const types = { resourceTypeSelections: [{ appId: 'app', resourceTypeId: 't' }], scopeV2: { allGrants: {} } };
    expect(await admin('POST', `/api/v1/access_review/${id}/scope_by_resource_type`, types)).toMatchObject({ status: 200, body: {} });
    expect((await read(id)).scopeV2).toMatchObject({ allGrants: {} });
    expect((await read(id)).scopeV2).not.toHaveProperty('allUsers');
  });

  it('copies a review, checks what is sent, and gives the starting policy', async () => {
    const id = await make({ description: 'to copy' });
    const copy = await admin('POST', '/api/v1/access_review', { duplicateFrom: id });
    expect(copy.body.accessReview.accessReview).toMatchObject({ displayName: 'One (copy)', description: 'to copy' });
    const { body } = await admin('GET', '/api/v1/policies');
    expect(copy.body.accessReview.accessReview.policyId).toBe(body.list.find((policy: Loose) => policy.systemBuiltin).id);
    const wrong = await admin('POST', '/api/v1/access_review', { ownerIds: ['nobody'] });
    expect(wrong.status).toBe(400);
    expect(violatedFields(wrong)).toEqual(['displayName', 'ownerIds[0]']);
    const otherOwners = await admin('POST', '/api/v1/access_review', { displayName: 'x', ownerIds: [other.admin.id] });
    expect(violatedFields(otherOwners)).toEqual(['ownerIds[0]']);
  });

  /** Every public operation on a review, as method, the rest of the path, and body. */
  const operationsOn = [
    ['GET', '', undefined],
    ['POST', '', { accessReview: { description: 'x' } }],
    ['DELETE', '', {}],
    ['GET', '/scope_and_entitlements', undefined],
    ['POST', '/scope_and_entitlements', { entitlements: [] }],
    ['POST', '/scope_by_resource_type', { resourceTypeSelections: [] }],
    ['GET', '/report', undefined],
    ['POST', '/report', {}],
    ['GET', '/owners', undefined],
    ['PUT', '/owners', { userIds: [] }],
    ['GET', '/progress', undefined],
    ['GET', '/counts', undefined],
    ['GET', '/progress/reviewers', undefined],
    ['GET', '/progress/apps', undefined],
    ['GET', '/progress/departments', undefined],
    ['GET', '/selections', undefined],
    ['POST', '/preview', {}],
    ['GET', '/submissions', undefined],
    ...['prepare', 'start', 'close', 'reset'].map((action) => ['POST', `/action/${action}`, {}] as const),
  ] as const;

  it('deletes: 404 for everybody, and a tombstone for administrators; an open one by a Super Administrator alone', async () => {
    const id = await make({ ownerIds: [owner.id] });
    const path = `/api/v1/access_review/${id}`;
    expect(await send(owner, 'DELETE', path)).toEqual({ status: 200, body: {} });
    for (const who of [owner, reader, server.admin]) {
      for (const [method, of, body] of operationsOn) {
        expect([method, of, (await send(who, method, `${path}${of}`, body)).status]).toEqual([method, of, 404]);
      }
    }
    expect((await send(reader, 'GET', `${path}/tombstone`)).body.tombstone).toMatchObject({
      accessReview: {
        accessReview: { id, state: 'ACCESS_REVIEW_STATE_DELETED' },
        objectPermissions: { read: true, edit: false, delete: false },
      },
      deletedById: owner.id,
      reason: 'no reason given',
    });
    expect((await send(owner, 'GET', `${path}/tombstone`)).status).toBe(404);
    expect((await send(owner, 'GET', '/api/v1/access_review_tombstones')).status).toBe(404);
    const open = await make({ ownerIds: [owner.id] });
    await server.system().db.run(`UPDATE reviews SET state = 'OPEN' WHERE id = $1`, [open]);
    expect((await send(owner, 'DELETE', `/api/v1/access_review/${open}`, { reason: 'x' })).status).toBe(403);
    expect((await send(reader, 'GET', `/api/v1/access_review/${open}/tombstone`)).status).toBe(404);
    expect((await admin('DELETE', `/api/v1/access_review/${open}`)).status).toBe(200);
    const list = (await send(reader, 'GET', '/api/v1/access_review_tombstones?page_size=100')).body.list;
    expect(list.find((one: Loose) => one.accessReview.accessReview.id === open)).toMatchObject({ reason: 'no reason given' });
  });
});
