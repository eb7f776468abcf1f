/**
 * Specification 2 and 4.1, field by field, by somebody who knows the specification alone: each leaf is set, read, changed by a mask in both
 * spellings and cleared again. What changes in which state is in review-life.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { untilLater } from '../support/until.ts';

const attributes = { department: { values: [{ value: 'Sales' }, { value: 'Legal' }] }, cost_center: { values: [{ value: '7' }] } };
const otherAttributes = { jobTitle: { values: [{ value: 'Clerk' }] } };
const none = Symbol('not there');
type Leaf = readonly [path: string, value: unknown, other: unknown, cleared: unknown];

/** A marker: an object without fields. */
const marker = (path: string): Leaf => [path, {}, {}, none];
const text = (path: string): Leaf => [path, 'one', 'two', ''];
const flag = (path: string): Leaf => [path, true, false, false];
const texts = (path: string): Leaf => [path, ['a', 'b'], ['c'], []];
const time = (path: string): Leaf => [path, '2026-12-31T23:59:59Z', '2027-01-01T00:00:00.123456Z', none];
const statuses = (path: string): Leaf => [path, ['APP_USER_STATUS_ENABLED', 'APP_USER_STATUS_DISABLED'], ['APP_USER_STATUS_DELETED'], []];
const types = (path: string): Leaf => [path, ['APP_USER_TYPE_USER', 'APP_USER_TYPE_SERVICE_ACCOUNT'], ['APP_USER_TYPE_SYSTEM_ACCOUNT'], []];

/** Every leaf of the tables 2.1 to 2.7 that a client writes. */
const leaves: readonly Leaf[] = [
  ['displayName', 'one', 'two', undefined],
  ...['description', 'reviewInstructions', 'accessReviewTemplateId', 'policyId'].map(text),
  ...['autoGenerateReport', 'autoResolve', 'exemptCertifiedAccessConflicts', 'hasAccuracySupport', 'usePolicyOverride'].map(flag),
  ['expectedTicketCount', 12, 0, 0],
  ['scopingVersion', '1', '2', '0'],
  time('completionDate'),
  flag('notificationConfig.sendClose'),
  flag('notificationConfig.sendReminders'),
  ...['meaningOfSignature', 'stepUpProviderId'].map((name) => text(`signatureConfig.${name}`)),
  ['signatureConfig.tspUrl', 'https://one.example', 'https://two.example/stamp', ''],
  flag('signatureConfig.requireSignature'),
  ...['scope', 'exclusionScope', 'inclusionScope'].flatMap((name) => [statuses(`${name}.appUserStatuses`), types(`${name}.appUserTypes`)]),
  texts('inclusionScope.managerIds'),
  ['inclusionScope.multiUserProfileAttributes', attributes, otherAttributes, {}],
  flag('inclusionScope.noAccountOwners'),
  texts('inclusionScope.userIds'),
  ['inclusionScope.userStatuses', ['USER_ENABLED'], ['USER_DISABLED', 'USER_DELETED'], []],
  ['scopeV2.accountCelExpression.expression', 'subject.id == "a"', 'subject.id == "b"', undefined],
  ['scopeV2.celExpression.expression', 'subject.id == "a"', 'subject.id == "b"', undefined],
  types('scopeV2.accountCriteria.accountTypes'),
  statuses('scopeV2.accountCriteria.appUserStatuses'),
  flag('scopeV2.accountCriteria.noAccountOwner'),
  ...[
    'allAccessConflicts',
    'allAccounts',
    'allGrants',
    'allUsers',
    'appAccess',
    'resourceTypeSelections',
    'specificAccessConflicts',
    'specificResources',
  ].map((name) => marker(`scopeV2.${name}`)),
  texts('scopeV2.appSelectionCriteria.complianceFrameworkAttributeValueIds'),
  texts('scopeV2.appSelectionCriteria.riskLevelAttributeValueIds'),
  texts('scopeV2.selectedUsers.userIds'),
  texts('scopeV2.grantsByCriteria.accessProfileFilter.excludedAccessProfileIds'),
  texts('scopeV2.grantsByCriteria.accessProfileFilter.includedAccessProfileIds'),
  ...['daysSinceAdded', 'daysSinceLastUsed', 'daysSinceReviewed'].map(
    (name): Leaf => [`scopeV2.grantsByCriteria.${name}`, '7776000s', '90', none],
  ),
  time('scopeV2.grantsByCriteria.grantsAddedBetween.startDate'),
  time('scopeV2.grantsByCriteria.grantsAddedBetween.endDate'),
  [
    'scopeV2.userCriteria.groupAppEntitlementsRef',
    [{ appId: 'a', id: 'e' }],
    [
      { appId: 'b', id: 'f' },
      { appId: 'b', id: 'g' },
    ],
    [],
  ],
  texts('scopeV2.userCriteria.managerUserIds'),
  ['scopeV2.userCriteria.multiUserProfileAttributes', attributes, otherAttributes, {}],
  ['scopeV2.userCriteria.userStatus', ['ENABLED'], ['DISABLED', 'DELETED'], []],
  text('singleApp.appId'),
  ['multiApp.appEntitlementDetails', { k: { entitlementDetails: { e: { appId: 'a', entitlementId: 'e', policyId: 'p' } } } }, {}, {}],
  ['multiApp.appEntitlements', { k: { appId: 'a', entitlementIds: ['e', 'f'] } }, {}, {}],
  marker('bindings'),
];

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const nest = (path: string, value: unknown, spell = (name: string): string => name): Record<string, unknown> => {
  const [first = '', ...rest] = path.split('.');
  return { [spell(first)]: rest.length === 0 ? value : nest(rest.join('.'), value, spell) };
};
const at = (value: Loose, path: string): unknown => {
  for (const name of path.split('.')) {
    if (value === undefined || !(name in value)) {
      return none;
    }
    value = value[name];
  }
  return value;
};

describe('the record of a review', () => {
  let server: TestServer;

  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const make = async (): Promise<string> =>
    (await admin('POST', '/api/v1/access_review', { displayName: 'one' })).body.accessReview.accessReview.id;
  const update = (id: string, accessReview: unknown, updateMask?: string): Promise<Answer> =>
    admin('POST', `/api/v1/access_review/${id}`, { accessReview, ...(updateMask === undefined ? {} : { updateMask }) });
  const read = async (id: string): Promise<Loose> => (await admin('GET', `/api/v1/access_review/${id}`)).body.accessReview.accessReview;

  beforeAll(async () => {
    server = await useTestServer();
  });
  afterAll(() => server.stop());

  it.each(leaves)('%s is set, read, changed by mask in both spellings, and cleared', async (path, value, other, cleared) => {
    const id = await make();
    const mask = path.split('.').map(snake).join('.');
    const set = await update(id, nest(path, value));
    expect([set.status, at(set.body.accessReview.accessReview, path)]).toEqual([200, value]);
    expect(at(await read(id), path)).toEqual(value);
    for (const [sent, updateMask, wanted] of [
      [nest(path, other), path, other],
      [nest(path, value, snake), mask, value],
      [nest(path, other, snake), path, other],
      [nest(path, value), mask, value],
    ] as const) {
      expect((await update(id, sent, updateMask)).status).toBe(200);
      expect(at(await read(id), path)).toEqual(wanted);
    }
    // Another field of the body is not touched where the mask does not name it.
    const before = await read(id);
    expect((await update(id, nest(path, other), 'description')).status).toBe(200);
    expect(at(await read(id), path)).toEqual(at(path === 'description' ? { description: other } : before, path));
    const clear = await update(id, {}, path);
    if (cleared === undefined) {
      expect(clear.status).toBe(400);
    } else {
      expect([clear.status, at(await read(id), path)]).toEqual([200, cleared]);
    }
  });

  it.each([...new Set(leaves.map(([path]) => path.split('.')[0] ?? ''))])(
    '%s is cleared whole, and null is as good as absent',
    async (name) => {
      const id = await make();
      const [path = '', value] = leaves.find(([one]) => one.split('.')[0] === name) ?? [];
      await update(id, nest(path, value));
      const before = await read(id);
      await update(id, { [name]: null });
      expect(at(await read(id), name)).toEqual(at(before, name));
      if (name !== 'displayName') {
        expect((await update(id, { [name]: null }, name)).status).toBe(200);
        const after = at(await read(id), name);
        expect(after === none || after === '' || after === '0' || after === false || after === 0).toBe(true);
      }
    },
  );

  it('emits every scalar, enum and array of an empty record, and no unset message or time', async () => {
    const record = await read(await make());
    for (const [path, , , cleared] of leaves.filter(([one]) => !one.includes('.'))) {
      expect([path, at(record, path)]).toEqual([path, path === 'displayName' ? 'one' : path === 'policyId' ? record.policyId : cleared]);
    }
    for (const name of [
      'notificationConfig',
      'signatureConfig',
      'scope',
      'exclusionScope',
      'inclusionScope',
      'scopeV2',
      'singleApp',
      'multiApp',
      'bindings',
      'startedAt',
      'closedAt',
      'completionDate',
      'connectorSourcesFrozenAt',
    ]) {
      expect([name, at(record, name)]).toEqual([name, none]);
    }
    expect(JSON.stringify(record)).not.toContain('null');
  });

  it('createdAt stays, updatedAt moves with each change, and neither is a client’s to set', async () => {
    const id = await make();
    const first = await read(id);
    await untilLater();
    const second = (await update(id, { description: 'x', createdAt: '2000-01-01T00:00:00Z', updatedAt: '2000-01-01T00:00:00Z' })).body
      .accessReview.accessReview;
    expect(second.createdAt).toBe(first.createdAt);
    expect(new Date(second.updatedAt).getTime()).toBeGreaterThan(new Date(first.updatedAt).getTime());
    for (const name of [
      'id',
      'createdById',
      'createdAt',
      'updatedAt',
      'startedAt',
      'closedAt',
      'connectorSourcesFrozenAt',
      'errorState',
      'campaignHealth',
      'campaignInsights',
    ]) {
      for (const mask of [name, snake(name), `description,${name}`]) {
        expect([mask, (await update(id, {}, mask)).status]).toEqual([mask, 400]);
      }
    }
    const echoed = await update(id, {
      ...second,
      id: 'other',
      createdById: 'x',
      startedAt: second.createdAt,
      closedAt: second.createdAt,
      errorState: 'ACCESS_REVIEW_ERROR_STATE_UNSPECIFIED',
    });
    expect(echoed.status).toBe(200);
    expect(await read(id)).toEqual(second);
  });

  it.each([
    [{ singleApp: { appId: 'a' }, multiApp: {} }, undefined],
    [{ single_app: { app_id: 'a' }, bindings: {} }, undefined],
    [{ multiApp: {}, bindings: {} }, 'multiApp'],
    [{ singleApp: {}, multi_app: {}, bindings: {} }, 'description'],
    [{}, 'singleApp,bindings'],
    [{}, 'single_app.app_id,multi_app.app_entitlements'],
  ])('two members of setup_metadata are 400, naming both: %j, mask %s', async (sent, mask) => {
    const id = await make();
    await update(id, { singleApp: { appId: 'kept' } });
    const answer = await update(id, sent, mask);
    expect(answer.status).toBe(400);
    const members = ['singleApp', 'multiApp', 'bindings'].filter((name) => answer.body.message.includes(name));
    expect(members.length).toBeGreaterThanOrEqual(2);
    expect(await read(id)).toMatchObject({ singleApp: { appId: 'kept' } });
  });

  it('one member of setup_metadata clears the others, by body and by mask', async () => {
    const id = await make();
    for (const [name, value] of [
      ['singleApp', { appId: 'a' }],
      ['multiApp', { appEntitlements: {}, appEntitlementDetails: {} }],
      ['bindings', {}],
      ['singleApp', { appId: 'b' }],
    ] as const) {
      for (const mask of [undefined, name]) {
        expect((await update(id, { [name]: value }, mask)).status).toBe(200);
        const record = await read(id);
        expect(['singleApp', 'multiApp', 'bindings'].filter((one) => one in record)).toEqual([name]);
      }
    }
  });

  it.each(['7776000s', '90', '0', '0s', '1s'])('daysSinceAdded %j comes back as it was sent', async (value) => {
    const id = await make();
    expect((await update(id, { scopeV2: { grantsByCriteria: { daysSinceAdded: value } } })).status).toBe(200);
    expect((await read(id)).scopeV2.grantsByCriteria.daysSinceAdded).toBe(value);
  });

  it.each(['soon', '1h', '-1', '-1s', '1.5', '90 ', ' 90', '1e3', '90d', 's', '９０', '1'.repeat(30)])(
    'daysSinceAdded %j is 400',
    async (value) => {
      const answer = await update(await make(), { scopeV2: { grantsByCriteria: { daysSinceAdded: value } } });
      expect([answer.status, violatedFields(answer)]).toEqual([400, ['accessReview.scopeV2.grantsByCriteria.daysSinceAdded']]);
    },
  );

  it('statuses and types are taken with and without their prefix and answered in the spelling of their field', async () => {
    const id = await make();
    const sent = {
      scope: { appUserStatuses: ['ENABLED', 'APP_USER_STATUS_DISABLED'], appUserTypes: ['SERVICE_ACCOUNT'] },
      inclusionScope: { userStatuses: ['DISABLED', 'USER_DELETED'], appUserStatuses: ['DELETED'] },
      scopeV2: {
        userCriteria: { userStatus: ['USER_ENABLED', 'DISABLED'] },
        accountCriteria: { accountTypes: ['USER', 'SYSTEM_ACCOUNT'] },
      },
    };
    expect((await update(id, sent)).status).toBe(200);
    expect(await read(id)).toMatchObject({
      scope: { appUserStatuses: ['APP_USER_STATUS_ENABLED', 'APP_USER_STATUS_DISABLED'], appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] },
      inclusionScope: { userStatuses: ['USER_DISABLED', 'USER_DELETED'], appUserStatuses: ['APP_USER_STATUS_DELETED'] },
      scopeV2: {
        userCriteria: { userStatus: ['ENABLED', 'DISABLED'] },
        accountCriteria: { accountTypes: ['APP_USER_TYPE_USER', 'APP_USER_TYPE_SYSTEM_ACCOUNT'] },
      },
    });
    for (const wrong of [
      'NONSENSE',
      'enabled',
      '',
      'STATUS',
      'APP_USER_STATUS_',
      'APP_USER_STATUS_NONSENSE',
      'NOT_ENABLED',
      'X_APP_USER_STATUS_ENABLED',
    ]) {
      for (const sent of [
        { scope: { appUserStatuses: [wrong] } },
        { inclusionScope: { userStatuses: [wrong] } },
        { scopeV2: { userCriteria: { userStatus: [wrong] } } },
      ]) {
        expect([sent, (await update(id, sent)).status]).toEqual([sent, 400]);
      }
    }
  });

  it('every violation is reported at once, each with its path, in either spelling of the request', async () => {
    const answer = await update(await make(), {
      auto_resolve: 'yes',
      expectedTicketCount: 'many',
      completion_date: 'tomorrow',
      scopeV2: { selectedUsers: { userIds: 'u' }, allUsers: [] },
      scope: { app_user_types: ['X', 'USER', 'Y'] },
    });
    expect(answer.status).toBe(400);
    expect(violatedFields(answer).sort()).toEqual([
      'accessReview.autoResolve',
      'accessReview.completionDate',
      'accessReview.expectedTicketCount',
      'accessReview.scope.appUserTypes[0]',
      'accessReview.scope.appUserTypes[2]',
      'accessReview.scopeV2.allUsers',
      'accessReview.scopeV2.selectedUsers.userIds',
    ]);
    expect(answer.body).toMatchObject({ code: 3, message: expect.stringContaining('autoResolve') });
  });

  it('answers deletes with a body, with a type and no body, and with neither', async () => {
    for (const [headers, body] of [
      [{ 'content-type': 'application/json' }, '{}'],
      [{ 'content-type': 'application/json' }, undefined],
      [{}, undefined],
    ] as const) {
      const authorization = `Bearer ${await server.admin.client.token()}`;
      const response = await server.fetch(`/api/v1/access_review/${await make()}`, {
        method: 'DELETE',
        headers: { ...headers, authorization },
        ...(body === undefined ? {} : { body }),
      });
      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
  });
});
