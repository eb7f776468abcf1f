/** Two people who edit one thing: the later change says what it read, and is refused where that is no longer what stands. */
import { getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takes_as_read } from '../../src/gen/countersign/options_pb.js';
import { type Answer, type Loose, request } from '../support/api.ts';
import { listContractServices } from '../support/contract.ts';
import type { TestPerson, TestServer } from '../support/server.ts';
import { type Company, startCompany } from '../support/small-company.ts';

let company: Company;
let server: TestServer;
let bob: TestPerson;
const admin = async (method: string, path: string, body?: unknown): Promise<Loose> => {
  const answer = await request(server, server.admin, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

/** A change that two want to make, each in another way. */
interface Change {
  readonly verb: string;
  readonly path: string;
  /** The change of each, without what they read. */
  readonly bodies: readonly [object, object];
  /** Members of the request as both read them. */
  readonly asRead: object;
  /** Members that the refusal names. */
  readonly changed: string;
}

const makePolicy = async (): Promise<Loose> =>
  (
    await admin('POST', '/api/v1/policies', {
      displayName: 'Managers',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
    })
  ).policy;

/** A change of a member of an object by a mask. */
const byMask = (path: string, member: string, read: object, name: string, values: readonly [unknown, unknown]): Change => ({
  verb: 'POST',
  path,
  bodies: [
    { [member]: { [name]: values[0] }, updateMask: name },
    { [member]: { [name]: values[1] }, updateMask: name },
  ],
  asRead: { [member]: read },
  changed: name,
});

/** A change of a list, or of another member of a request, that is replaced whole. */
const whole = (path: string, name: string, read: unknown, values: readonly [unknown, unknown], more: object = {}): Change => ({
  verb: 'PUT',
  path,
  bodies: [
    { ...more, [name]: values[0] },
    { ...more, [name]: values[1] },
  ],
  asRead: { ...more, [name]: read },
  changed: name,
});

const makeTemplate = async (): Promise<Loose> =>
  (
    await admin('POST', '/api/v1/access_review_template', {
      displayName: 'Yearly',
      description: 'Every year.',
      scopeV2: { allAccounts: {} },
      singleApp: { appId: company.appId },
    })
  ).accessReviewTemplate;
const draft = (): Promise<string> => company.draft({ displayName: 'Who may pay?', singleApp: { appId: company.appId } });
const makeSource = async (config?: object): Promise<Loose> => {
  const body = { displayName: `Source ${Math.random()}`, ...(config === undefined ? {} : { config }) };
  const path = `/api/v1/apps/${company.appId}/connectors${config === undefined ? '' : '/create'}`;
  return (await admin('POST', path, body)).connectorView.connector;
};
const user = (name: string): string => company.users[name] ?? '';
const id = (name: string): string => company.ids[name] ?? '';

/** One for each operation that compares what was read. */
const changes: Readonly<Record<string, () => Promise<Change>>> = {
  'c1.api.policy.v1.PolicyService.Update': async () => {
    const policy = await makePolicy();
    const steps = (approval: object) => ({ certify: { steps: [{ approval }] } });
    return byMask(`/api/v1/policies/${policy.id}`, 'policy', policy, 'policySteps', [steps({ appOwners: {} }), steps({ self: {} })]);
  },
  'c1.api.accessconflict.v1.AccessConflictService.UpdateMonitor': async () => {
    const monitor = await admin('POST', '/api/v1/accessconflict', { displayName: 'Pay and approve' });
    return { ...whole(`/api/v1/accessconflict/${monitor.id}`, 'description', monitor.description, ['One', 'Two']), verb: 'POST' };
  },
  'c1.api.accessreview.v1.AccessReviewService.Update': async () => {
    const path = `/api/v1/access_review/${await draft()}`;
    const { accessReview } = (await admin('GET', path)).accessReview;
    return byMask(path, 'accessReview', accessReview, 'completionDate', ['2099-01-01T00:00:00Z', '2099-02-01T00:00:00Z']);
  },
  'c1.api.accessreview.v1.AccessReviewService.SetCampaignScopeByResourceType': async () => {
    const path = `/api/v1/access_review/${await draft()}/scope_by_resource_type`;
    const { list } = await admin('GET', `/api/v1/apps/${company.appId}/resource_types`);
    const types = list.map(({ appResourceType }: Loose) => ({ appId: company.appId, resourceTypeId: appResourceType.id }));
    await admin('POST', path, { resourceTypeSelections: [types[0]] });
    const both = [types[0], { appId: company.appId, resourceTypeId: 'another' }];
    return { ...whole(path, 'resourceTypeSelections', [types[0]], [[], both]), verb: 'POST' };
  },
  'c1.api.accessreview.v1.AccessReviewSetupEntitlementAndScopeService.SetCampaignScopeAndEntitlements': async () => {
    const path = `/api/v1/access_review/${await draft()}/scope_and_entitlements`;
    const of = (...names: string[]) => names.map((name) => ({ appId: company.appId, appEntitlementId: id(name) }));
    await admin('POST', path, { entitlements: of('pay') });
    const { list } = await admin('GET', path);
    const read = list.map(({ accessReviewEntitlement }: Loose) => accessReviewEntitlement);
    return { ...whole(path, 'entitlements', read, [of('pay', 'sub'), of('pay', 'rep')]), verb: 'POST' };
  },
  'countersign.v1.ReviewScopeListService.Set': async () => {
    const path = `/api/v1/access_review/${await draft()}/scope_lists`;
    const exclusion = (name: string) => ({ kind: 'SCOPE_EXCLUSION_KIND_USER', id: user(name), reason: 'On leave.' });
    await admin('PUT', path, { exclusions: [exclusion('cyn')] });
    const { scopeLists } = await admin('GET', path);
    const values = (['ann', 'bob'] as const).map((name) => [exclusion('cyn'), exclusion(name)]) as [object, object];
    return { ...whole(path, 'exclusions', [], values), asRead: scopeLists };
  },
  'countersign.v1.ReviewOwnerService.SetOwners': async () => {
    const path = `/api/v1/access_review/${await draft()}/owners`;
    const { list } = await admin('GET', path);
    const read = list.map(({ owner }: Loose) => owner.userId);
    return whole(path, 'userIds', read, [
      [...read, user('ann')],
      [...read, user('bob')],
    ]);
  },
  'countersign.v1.ReviewIndependenceService.SetIndependence': async () => {
    const path = `/api/v1/access_review/${await draft()}/independence`;
    await admin('PUT', path, { blocked: ['REVIEWER_RELATION_SELF'] });
    const { blocked } = (await admin('GET', path)).independence;
    return whole(path, 'blocked', blocked, [[], ['REVIEWER_RELATION_SELF', 'REVIEWER_RELATION_REPORT']]);
  },
  'countersign.v1.ReviewAcknowledgementService.SetAcknowledgement': async () => {
    const path = `/api/v1/access_review/${await draft()}/acknowledgement`;
    await admin('PUT', path, { userIds: [user('ida')] });
    const { userIds } = (await admin('GET', path)).acknowledgement;
    return whole(path, 'userIds', userIds, [
      [user('ida'), user('ann')],
      [user('ida'), user('bob')],
    ]);
  },
  'c1.api.accessreview.v1.AccessReviewTemplateService.Update': async () => {
    const template = await makeTemplate();
    return byMask(`/api/v1/access_review_template/${template.id}`, 'accessReviewTemplate', template, 'description', ['One', 'Two']);
  },
  'countersign.v1.ReviewTemplateService.SetTriggers': async () => {
    const path = `/api/v1/access_review_template/${(await makeTemplate()).id}/triggers`;
    await admin('PUT', path, { kinds: ['TEMPLATE_TRIGGER_LEAVER'] });
    const { kinds } = (await admin('GET', path)).triggers;
    return whole(path, 'kinds', kinds, [[], ['TEMPLATE_TRIGGER_LEAVER', 'TEMPLATE_TRIGGER_MOVER']]);
  },
  'c1.api.app.v1.AppService.Update': async () => {
    const path = `/api/v1/apps/${company.appId}`;
    return byMask(path, 'app', (await admin('GET', path)).app, 'description', [`One ${Math.random()}`, 'Two']);
  },
  'c1.api.app.v1.AppOwnerService.Set': async () => {
    const path = `/api/v1/apps/${company.appId}/owners`;
    await admin('PUT', path, { userIds: [user('max')] });
    const { userIds } = await admin('GET', `/api/v1/apps/${company.appId}/ownerids`);
    return whole(path, 'userIds', userIds, [
      [user('max'), user('ann')],
      [user('max'), user('bob')],
    ]);
  },
  'c1.api.app.v1.AppEntitlementService.Update': async () => {
    const path = `/api/v1/apps/${company.appId}/entitlements/${id('pay')}`;
    const { appEntitlement } = (await admin('GET', path)).appEntitlementView;
    return byMask(path, 'entitlement', appEntitlement, 'description', [`One ${Math.random()}`, 'Two']);
  },
  'c1.api.app.v1.AppEntitlementOwnerService.Set': async () => {
    const path = `/api/v1/apps/${company.appId}/entitlements/${id('pay')}/owners`;
    await admin('PUT', path, { userIds: [user('max')] });
    return whole(path, 'userIds', [user('max')], [[user('ann')], [user('bob')]]);
  },
  'countersign.v1.AccountOwnerService.SetOwner': async () =>
    whole(`/api/v1/apps/${company.appId}/app_users/${id('s1')}/owner`, 'userId', '', [user('ann'), user('bob')]),
  'c1.api.app.v1.ConnectorService.Update': async () => {
    const source = await makeSource();
    return byMask(`/api/v1/apps/${company.appId}/connectors/${source.id}`, 'connector', source, 'description', ['One', 'Two']);
  },
  'c1.api.app.v1.ConnectorService.UpdateConnectorSchedule': async () => {
    const source = await makeSource({ '@type': 'type.googleapis.com/countersign.v1.HttpsSettings', url: 'https://files.example/a.csv' });
    const cron = (spec: string) => ({ cronSpec: spec, timezone: 'UTC' });
    const path = `/api/v1/apps/${company.appId}/connectors/${source.id}/schedule`;
    await admin('POST', path, { cron: cron('0 0 29 2 *') });
    const change = whole(path, 'cron', cron('0 0 29 2 *'), [cron('0 1 29 2 *'), cron('0 2 29 2 *')]);
    return { ...change, verb: 'POST', changed: 'cronSpec' };
  },
  'countersign.v1.ColumnMappingService.Set': async () => {
    const path = `/api/v1/connectors/${(await makeSource()).id}/column_mapping`;
    return whole(path, 'columnMapping', {}, [{ account: 'Login' }, { account: 'User' }]);
  },
  'countersign.v1.MatchOrderService.SetOrder': async () => {
    const path = `/api/v1/connectors/${(await makeSource()).id}/match_order`;
    const { order } = await admin('GET', path);
    return whole(path, 'order', order, [order.slice(0, 1), [...order].reverse()]);
  },
  'countersign.v1.SourceService.SetRemovalShare': async () => {
    const source = await makeSource();
    const path = `/api/v1/sources/${source.id}/removal_share`;
    await admin('PUT', path, { removalShare: 50 });
    return whole(path, 'removalShare', 50, [60, 70]);
  },
  'countersign.v1.SourceService.SetStaleAfter': async () => {
    const path = `/api/v1/sources/${(await makeSource()).id}/stale_after`;
    return whole(path, 'staleAfter', undefined, ['86400s', '172800s']);
  },
  'c1.api.auth_config.v1.TenantAuthConfigService.Update': async () => {
    const oidc = { issuerId: 'https://id.example.com/realm', oidcClientId: 'countersign', oidcClientSecret: 'secret' };
    const { authConfig } = await admin('POST', '/api/v1/auth-configs', { displayName: 'Sample', oidc });
    return byMask(`/api/v1/auth-configs/${authConfig.id}`, 'authConfig', authConfig, 'displayName', ['One', 'Two']);
  },
  'c1.api.stepup.v1.StepUpProviderService.Update': async () => {
    const { stepUpProvider } = await admin('POST', '/api/v1/step-up/providers', {
      displayName: 'Company',
      clientId: 'countersign',
      issuerUrl: 'https://id.example.com/realm',
      oauth2: { acrValues: ['high'] },
    });
    return byMask(`/api/v1/step-up/providers/${stepUpProvider.id}`, 'stepUpProvider', stepUpProvider, 'oauth2', [
      { acrValues: ['higher'] },
      { acrValues: ['highest'] },
    ]);
  },
  'c1.api.settings.v1.SessionSettingsService.Update': async () => {
    const path = '/api/v1/settings/session';
    return byMask(path, 'sessionSettings', (await admin('GET', path)).sessionSettings, 'maxSessionLength', ['3600s', '7200s']);
  },
  'countersign.v1.TenantSettingsService.Update': async () => {
    const path = '/api/v1/settings/tenant';
    return byMask(path, 'settings', (await admin('GET', path)).settings, 'displayName', ['One', 'Two']);
  },
  'c1.api.settings.v1.TenantEmailProviderService.Update': async () => {
    const path = '/api/v1/settings/email-provider';
    return byMask(path, 'emailProvider', (await admin('GET', path)).emailProvider, 'replyToAddress', ['one@a.example', 'two@a.example']);
  },
  'c1.api.settings.v1.OrgNotificationSettingsService.Update': async () => {
    const path = '/api/v1/settings/notifications/org';
    const { channelSettings } = (await admin('GET', path)).orgNotificationSettings;
    const values = ['reviews', 'system'].map((kind) => ({ ...channelSettings.email, [kind]: { enabled: false } })) as [object, object];
    const change = whole(path, 'channelSettings', channelSettings, [{ email: values[0] }, { email: values[1] }]);
    return { ...change, verb: 'POST', changed: 'email' };
  },
  'countersign.v1.RetentionService.Update': async () => {
    const path = '/api/v1/settings/retention';
    return byMask(path, 'retention', (await admin('GET', path)).retention, 'reportDays', [1200, 1300]);
  },
  'countersign.v1.UserRoleService.SetRoles': async () => {
    const path = `/api/v1/users/${user('max')}/roles`;
    const { list } = await admin('GET', '/api/v1/iam/roles');
    const { roleIds } = await admin('GET', path);
    const others = list.map(({ id: roleId }: Loose) => roleId).filter((roleId: string) => !roleIds.includes(roleId));
    return whole(path, 'roleIds', roleIds, [
      [...roleIds, others[0]],
      [...roleIds, others[1]],
    ]);
  },
};

/** Those whose subject takes a connector that speaks: connector-removals.test.ts asks. */
const elsewhere = ['countersign.v1.SourceRemovalService.Set'];

beforeAll(async () => {
  company = await startCompany();
  server = company.server;
  bob = await server.makePerson('bob@example.com', ['SUPER_ADMINISTRATOR']);
});
afterAll(() => server.stop());

const metadataOf = (answer: Answer): Loose => answer.body.details.find((detail: Loose) => 'metadata' in detail).metadata;

describe('two changes of one thing', () => {
  it('are looked at for every operation that compares', async () => {
    const methods = (await listContractServices()).flatMap((service) => service.methods);
    const names = methods.flatMap((method) => (getOption(method, takes_as_read) ? [`${method.parent.typeName}.${method.name}`] : []));
    expect([...Object.keys(changes), ...elsewhere].sort()).toEqual(names.sort());
  });

  it.each(Object.keys(changes))('%s: of two at once one is made, and the other refused with who was first', async (name) => {
    const { verb, path, bodies, asRead, changed } = await (changes[name] as () => Promise<Change>)();
    const people = [server.admin, bob];
    const answers = await Promise.all(
      bodies.map((body, index) => request(server, people[index] as TestPerson, verb, path, { ...body, asRead })),
    );
    expect(answers.map(({ status }) => status).sort(), JSON.stringify(answers.map(({ body }) => body))).toEqual([200, 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    const metadata = metadataOf(answers[refused] as Answer);
    expect(metadata).toMatchObject({ changed, changedById: people[1 - refused]?.id, changedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(metadata.changedBy).not.toBe('');
    expect(answers[refused]?.body.message).toContain(metadata.changedBy);
    // Whoever reads nothing, or says nothing of it, is served as ever: the public API's clients.
    expect((await request(server, server.admin, verb, path, bodies[refused])).status).toBe(200);
  });
});

describe('what was read', () => {
  it('matters for the members alone that are changed', async () => {
    const policy = await makePolicy();
    const path = `/api/v1/policies/${policy.id}`;
    await admin('POST', path, { policy: { description: 'ours' }, updateMask: 'description', asRead: { policy } });
    const { policy: after } = await admin('POST', path, {
      policy: { displayName: 'Chiefs' },
      updateMask: 'displayName',
      asRead: { policy },
    });
    expect(after).toMatchObject({ description: 'ours', displayName: 'Chiefs' });
  });

  it('may be what nobody has changed, or what is wanted already', async () => {
    const policy = await makePolicy();
    const path = `/api/v1/policies/${policy.id}`;
    const body = { policy: { description: 'ours' }, updateMask: 'description', as_read: { policy } };
    await admin('POST', path, body);
    await admin('POST', path, body);
  });

  it('is refused where it is no such request', async () => {
    const { id } = await makePolicy();
    const answer = await request(server, server.admin, 'POST', `/api/v1/policies/${id}`, {
      policy: { description: 'ours' },
      asRead: { policy: { description: 7 } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('asRead.policy.description');
  });
});
