/**
 * Attacks on the scope of a draft or template by an owner who may not make reviews: at every door that writes a scope, and what such an owner
 * keeps. The rule by itself is in src/governance/reviews/scope/narrow-scope.test.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Loose, request, violatedFields } from '../support/api.ts';
import { useTestServer, type TestPerson, type TestServer } from '../support/server.ts';

const id = (letter: string): string => letter.repeat(27);
const everybody = { userCriteria: { userStatus: ['ENABLED', 'DISABLED', 'DELETED'] } };
const chosen = (...letters: string[]) => letters.map((letter) => ({ appId: id('a'), appEntitlementId: id(letter) }));
const types = (...letters: string[]) => letters.map((letter) => ({ appId: id('a'), resourceTypeId: id(letter) }));
const leaves = (letter: string, reason = 'Not hers.') => ({ kind: 'SCOPE_EXCLUSION_KIND_USER', id: id(letter), reason });
const grants = (...letters: string[]) => letters.map((letter) => ({ appId: id('a'), entitlementId: id('e'), accountId: id(letter) }));
const narrow = { specificResources: {}, selectedUsers: { userIds: [id('u'), id('v')] } };

const weekly = { frequency: 'FREQUENCY_WEEKLY', interval: 1, startDate: '2090-01-02T08:00:00Z' };
/** The lists that somebody with the role chose. */
const lists = { resources: [{ appId: id('a'), id: id('r') }], exclusions: [leaves('x')], grants: grants('g', 'h') };

let server: TestServer;
let owner: TestPerson;
beforeAll(async () => {
  server = await useTestServer();
  owner = await server.makePerson('owns@example.com');
});
afterAll(() => server.stop());

const ok = async (person: TestPerson, method: string, path: string, body?: object): Promise<Loose> => {
  const answer = await request(server, person, method, path, body);
  expect([path, answer.status, answer.body]).toEqual([path, 200, expect.anything()]);
  return answer.body;
};

describe('the owner of a draft who may not make reviews', () => {
  let draft: string;
  let path: string;
  beforeEach(async () => {
    const fields = { displayName: 'Narrow', ownerIds: [owner.id, server.admin.id], scopeV2: narrow };
    draft = (await ok(server.admin, 'POST', '/api/v1/access_review', fields)).accessReview.accessReview.id;
    path = `/api/v1/access_review/${draft}`;
    const inclusionScope = { userIds: [id('u')], userStatuses: ['USER_ENABLED'] };
    const accessReview = { inclusionScope, exclusionScope: { appUserTypes: ['APP_USER_TYPE_SYSTEM_ACCOUNT'] } };
    await ok(server.admin, 'POST', path, { accessReview: { ...accessReview, accessReviewTemplateId: id('p') } });
    await ok(server.admin, 'POST', `${path}/scope_and_entitlements`, { entitlements: chosen('b', 'c'), scopeV2: narrow });
    await ok(server.admin, 'POST', `${path}/scope_by_resource_type`, { resourceTypeSelections: types('s', 't'), scopeV2: narrow });
    await ok(server.admin, 'PUT', `${path}/scope_lists`, lists);
  });

  const update = (accessReview: object, mask?: string): [string, string, object] => [
    'POST',
    '',
    { accessReview, ...(mask === undefined ? {} : { updateMask: mask }) },
  ];
  const attacks: [string, [string, string, object], string][] = [
    ['widens it to everybody', update({ scopeV2: everybody }), 'accessReview.scopeV2'],
    ['switches a marker', update({ scopeV2: { ...narrow, specificResources: undefined, appAccess: {} } }), 'accessReview.scopeV2'],
    ['empties a list of people', update({ scopeV2: { specificResources: {} } }), 'accessReview.scopeV2'],
    ['names one field of it', update({}, 'scopeV2.selectedUsers'), 'accessReview.scopeV2'],
    ['names it in snake_case', update({ scope_v2: everybody }, 'scope_v2'), 'accessReview.scopeV2'],
    ['sends the mask *', update({ displayName: 'All' }, '*'), 'accessReview.scopeV2'],
    ['adds an app', update({ singleApp: { appId: id('a') } }), 'accessReview.singleApp'],
    [
      'shows another attribute of accounts',
      update({ reviewerAttributeConfig: { bindings: [{ appId: id('a'), attributeKey: 'salary' }] } }),
      'accessReview.reviewerAttributeConfig',
    ],
    ['makes one a column', update({ columnConfig: { orderedColumns: [{ appUserAttributeKey: 'salary' }] } }), 'accessReview.columnConfig'],
    ['empties an older list', update({ inclusionScope: { userStatuses: ['USER_ENABLED'] } }), 'accessReview.inclusionScope'],
    [
      'filters by nothing',
      update({ inclusionScope: { userIds: [id('u')], userStatuses: ['USER_UNKNOWN'] } }),
      'accessReview.inclusionScope',
    ],
    ['takes back what is left out', update({ exclusionScope: {} }), 'accessReview.exclusionScope'],
    ['takes it out of its series', update({}, 'accessReviewTemplateId'), 'accessReview.accessReviewTemplateId'],
    [
      'has another series carried over',
      update({ accessReviewTemplateId: id('q') }, 'access_review_template_id'),
      'accessReview.accessReviewTemplateId',
    ],
    ['has conflicts exempted', update({ exemptCertifiedAccessConflicts: true }), 'accessReview.exemptCertifiedAccessConflicts'],
    [
      'prepares what is wider',
      update({ scopeV2: everybody, state: 'ACCESS_REVIEW_STATE_PREPARING' }, 'scopeV2,state'),
      'accessReview.scopeV2',
    ],
    ['adds an entitlement', ['POST', '/scope_and_entitlements', { entitlements: chosen('b', 'd') }], 'entitlements'],
    ['empties the entitlements', ['POST', '/scope_and_entitlements', { entitlements: [] }], 'entitlements'],
    ['widens beside the same', ['POST', '/scope_and_entitlements', { entitlements: chosen('b', 'c'), scopeV2: everybody }], 'scopeV2'],
    [
      'adds a resource type',
      ['POST', '/scope_by_resource_type', { resourceTypeSelections: types('s', 't', 'w') }],
      'resourceTypeSelections',
    ],
    ['empties the resource types', ['POST', '/scope_by_resource_type', { resourceTypeSelections: [] }], 'resourceTypeSelections'],
    ['removes an exclusion', ['PUT', '/scope_lists', { ...lists, exclusions: [] }], 'exclusions'],
    ['exchanges an exclusion', ['PUT', '/scope_lists', { ...lists, exclusions: [leaves('y')] }], 'exclusions'],
    [
      'adds a resource',
      ['PUT', '/scope_lists', { ...lists, resources: [...lists.resources, { appId: id('a'), id: id('q') }] }],
      'resources',
    ],
    ['empties the grants', ['PUT', '/scope_lists', { ...lists, grants: [] }], 'grants'],
    ['adds a monitor', ['PUT', '/scope_lists', { ...lists, monitorIds: [id('m')] }], 'monitorIds'],
    ['has all but changes carried over', ['PUT', '/scope_lists', { ...lists, changesOnly: true }], 'changesOnly'],
  ];
  it.each(attacks)('who %s, is refused', async (_what, [method, rest, body], field) => {
    const before = await ok(server.admin, 'GET', path);
    const answer = await request(server, owner, method, `${path}${rest}`, body);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('ask a Super Administrator')]);
    expect(violatedFields(answer)).toContain(field);
    expect(await ok(server.admin, 'GET', path)).toEqual(before);
  });

  it('is not led past it in two steps', async () => {
    await ok(owner, 'POST', `${path}/scope_and_entitlements`, { entitlements: chosen('b') });
    const back = await request(server, owner, 'POST', `${path}/scope_and_entitlements`, { entitlements: chosen('b', 'c') });
    const none = await request(server, owner, 'POST', `${path}/scope_and_entitlements`, { entitlements: [] });
    expect([back.status, none.status]).toEqual([403, 403]);
  });

  it('narrows it, names and dates it, and leaves what stands', async () => {
    await ok(owner, 'PUT', `${path}/scope_lists`, { ...lists, exclusions: [leaves('z'), ...lists.exclusions], grants: grants('g') });
    await ok(owner, 'POST', `${path}/scope_by_resource_type`, { resourceTypeSelections: types('t'), scopeV2: narrow });
    const exclusionScope = { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT', 'APP_USER_TYPE_SYSTEM_ACCOUNT'] };
    const { accessReview } = (
      await ok(owner, 'POST', path, {
        accessReview: { displayName: 'Hers', completionDate: '2099-01-01T00:00:00Z', scopeV2: narrow, exclusionScope },
      })
    ).accessReview;
    expect(accessReview).toMatchObject({ displayName: 'Hers', scopeV2: narrow, exclusionScope });
  });

  it('is everybody who owns it without the role, and nobody who has it', async () => {
    const maker = await server.makePerson(`makes-${draft}@example.com`, ['CAMPAIGN_ADMINISTRATOR']);
    await ok(server.admin, 'PUT', `/api/v1/access_review/${draft}/owners`, { userIds: [owner.id, maker.id] });
    await ok(maker, 'POST', path, { accessReview: { scopeV2: everybody } });
    expect((await request(server, owner, 'POST', path, { accessReview: { scopeV2: narrow } })).status).toBe(403);
  });
});

describe('the owner of a template who may not make reviews', () => {
  let template: string;
  let path: string;
  beforeEach(async () => {
    const fields = { displayName: 'Narrow', ownerIds: [owner.id], scope: narrow };
    template = (await ok(server.admin, 'POST', '/api/v1/access_review_template', fields)).accessReviewTemplate.id;
    path = `/api/v1/access_review_template/${template}`;
    await ok(server.admin, 'POST', path, { accessReviewTemplate: { inclusionScope: { userIds: [id('u')] } } });
    await ok(server.admin, 'POST', `${path}/scope_and_entitlements`, { entitlements: chosen('b', 'c'), scope: narrow });
    await ok(server.admin, 'POST', `${path}/scope_by_resource_type`, { resourceTypeSelections: types('s', 't'), scope: narrow });
    await ok(server.admin, 'PUT', `${path}/scope_lists`, lists);
    await ok(server.admin, 'PUT', `${path}/triggers`, { kinds: ['TEMPLATE_TRIGGER_LEAVER', 'TEMPLATE_TRIGGER_MOVER'], condition: '' });
  });

  const update = (accessReviewTemplate: object, mask?: string): [string, string, object] => [
    'POST',
    '',
    { accessReviewTemplate, ...(mask === undefined ? {} : { updateMask: mask }) },
  ];
  const attacks: [string, [string, string, object], string][] = [
    ['widens it to everybody', update({ scope: everybody }), 'accessReviewTemplate.scope'],
    ['sends the mask *', update({ displayName: 'All' }, '*'), 'accessReviewTemplate.scope'],
    ['adds an app', update({ multiApp: { appEntitlements: { [id('a')]: {} } } }), 'accessReviewTemplate.multiApp'],
    ['empties a list', update({ inclusionScope: {} }, 'inclusion_scope'), 'accessReviewTemplate.inclusionScope'],
    ['adds an entitlement', ['POST', '/scope_and_entitlements', { entitlements: chosen('b', 'c', 'd') }], 'entitlements'],
    ['widens beside the same', ['POST', '/scope_by_resource_type', { resourceTypeSelections: types('s', 't'), scope: everybody }], 'scope'],
    ['empties the resource types', ['POST', '/scope_by_resource_type', { resourceTypeSelections: [] }], 'resourceTypeSelections'],
    ['removes an exclusion', ['PUT', '/scope_lists', { ...lists, exclusions: [] }], 'exclusions'],
    [
      'turns the schedule on',
      update({ isCampaignScheduleEnabled: true, recurrenceRule: weekly }, 'isCampaignScheduleEnabled,recurrenceRule'),
      'accessReviewTemplate.isCampaignScheduleEnabled',
    ],
    [
      'shows another attribute of accounts',
      update({ reviewerAttributeConfig: { bindings: [{ appId: id('a'), attributeKey: 'salary' }] } }),
      'accessReviewTemplate.reviewerAttributeConfig',
    ],
    ['has conflicts exempted', update({ exemptCertifiedAccessConflicts: true }), 'accessReviewTemplate.exemptCertifiedAccessConflicts'],
    ['adds a trigger', ['PUT', '/triggers', { kinds: ['TEMPLATE_TRIGGER_CONFLICT', 'TEMPLATE_TRIGGER_MOVER'] }], 'kinds'],
  ];
  it.each(attacks)('who %s, is refused', async (_what, [method, rest, body], field) => {
    const before = await ok(server.admin, 'GET', path);
    const answer = await request(server, owner, method, `${path}${rest}`, body);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('ask a Super Administrator')]);
    expect(violatedFields(answer)).toContain(field);
    expect(await ok(server.admin, 'GET', path)).toEqual(before);
  });

  it('narrows what sets reviews in motion, and cannot take it back', async () => {
    const set = (kinds: string[], condition = '') => request(server, owner, 'PUT', `${path}/triggers`, { kinds, condition });
    const narrowed = await set(['TEMPLATE_TRIGGER_MOVER'], 'ctx.trigger.newUser.department == "Sales"');
    expect([narrowed.status, narrowed.body]).toEqual([200, expect.anything()]);
    expect((await set(['TEMPLATE_TRIGGER_MOVER'])).status).toBe(403);
    expect((await set([])).status).toBe(200);
    expect((await set(['TEMPLATE_TRIGGER_MOVER'])).status).toBe(403);
  });

  it('takes the schedule off, and cannot turn it on again or move it', async () => {
    const schedule = { isCampaignScheduleEnabled: true, recurrenceRule: weekly };
    const mask = 'isCampaignScheduleEnabled,recurrenceRule';
    await ok(server.admin, 'POST', path, { accessReviewTemplate: schedule, updateMask: mask });
    const set = (accessReviewTemplate: object, updateMask: string) =>
      request(server, owner, 'POST', path, { accessReviewTemplate, updateMask });
    expect((await set({ recurrenceRule: { ...weekly, interval: 2 } }, 'recurrenceRule')).status).toBe(403);
    expect((await set({ nextScheduledCampaignAt: '2090-02-06T08:00:00Z' }, 'nextScheduledCampaignAt')).status).toBe(403);
    const zone = await set({ annotations: { 'countersign/time_zone': 'Pacific/Kiritimati' } }, 'annotations');
    expect([zone.status, violatedFields(zone)]).toEqual([403, ['accessReviewTemplate.annotations']]);
    expect((await set({ annotations: { note: 'Hers' } }, 'annotations')).status).toBe(200);
    expect((await set({ isCampaignScheduleEnabled: false }, 'isCampaignScheduleEnabled')).status).toBe(200);
    expect((await set({ isCampaignScheduleEnabled: true }, 'isCampaignScheduleEnabled')).status).toBe(403);
  });

  it('narrows it and names it', async () => {
    await ok(owner, 'POST', `${path}/scope_and_entitlements`, { entitlements: chosen('c'), scope: narrow });
    await ok(owner, 'PUT', `${path}/scope_lists`, { ...lists, exclusions: [...lists.exclusions, leaves('z')] });
    await ok(owner, 'POST', path, { accessReviewTemplate: { displayName: 'Hers', autoStartCampaign: true } });
  });
});

describe('whoever makes reviews', () => {
  it('puts none into a series they may not know of, where certifications are carried over', async () => {
    const maker = await server.makePerson('makes@example.com', ['CAMPAIGN_ADMINISTRATOR']);
    const series = (await ok(server.admin, 'POST', '/api/v1/access_review_template', { displayName: 'Theirs' })).accessReviewTemplate.id;
    const draft = (await ok(maker, 'POST', '/api/v1/access_review', { displayName: 'Own' })).accessReview.accessReview.id;
    const join = () =>
      request(server, maker, 'POST', `/api/v1/access_review/${draft}`, { accessReview: { accessReviewTemplateId: series } });
    const refused = await join();
    expect([refused.status, violatedFields(refused)]).toEqual([400, ['accessReview.accessReviewTemplateId']]);
    await ok(server.admin, 'PUT', `/api/v1/access_review_template/${series}/owners`, { userIds: [maker.id] });
    expect((await join()).status).toBe(200);
    await ok(server.admin, 'PUT', `/api/v1/access_review_template/${series}/owners`, { userIds: [server.admin.id] });
    expect((await join()).status).toBe(200);
  });
});

describe('a Campaign Administrator, who exempts no conflict by hand', () => {
  const member = 'exemptCertifiedAccessConflicts';
  const off = { [member]: false };
  const on = { [member]: true };
  let campaigner: TestPerson;
  beforeAll(async () => {
    campaigner = await server.makePerson('campaigner@example.com', ['CAMPAIGN_ADMINISTRATOR']);
  });
  const reviewOf = async (person: TestPerson, fields: object): Promise<Loose> =>
    (await ok(person, 'POST', '/api/v1/access_review', { displayName: 'Exempting', ...fields })).accessReview.accessReview;
  const refused = async (path: string, body: object): Promise<unknown> => {
    const answer = await request(server, campaigner, 'POST', path, body);
    return [answer.status, violatedFields(answer)];
  };

  it('has no review and no template exempt any, and switches off what does', async () => {
    expect(await refused('/api/v1/access_review_template', { displayName: 'Exempting', ...on })).toEqual([403, [member]]);
    const { id: own } = await reviewOf(campaigner, {});
    expect(await refused(`/api/v1/access_review/${own}`, { accessReview: on })).toEqual([403, [`accessReview.${member}`]]);
    const { id: given } = await reviewOf(server.admin, { ownerIds: [campaigner.id, server.admin.id] });
    await ok(server.admin, 'POST', `/api/v1/access_review/${given}`, { accessReview: on });
    // What stands is no change.
    await ok(campaigner, 'POST', `/api/v1/access_review/${given}`, { accessReview: { displayName: 'Renamed', ...on } });
    const copy = await reviewOf(campaigner, { duplicateFrom: given });
    expect(copy[member] ?? false).toBe(false);
    expect((await reviewOf(server.admin, { duplicateFrom: given }))[member]).toBe(true);
    const made = await ok(campaigner, 'POST', `/api/v1/access_review/${given}/action/create_template`, {});
    expect(JSON.stringify(made)).not.toContain(`"${member}":true`);
    await ok(campaigner, 'POST', `/api/v1/access_review/${given}`, { accessReview: off });
    expect(await refused(`/api/v1/access_review/${given}`, { accessReview: on })).toEqual([403, [`accessReview.${member}`]]);
  });
});
