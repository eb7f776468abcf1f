/**
 * Requests from clients not in the registries at hand: the Terraform provider, the command lines cone and c1i, the Go and TypeScript SDKs. Each
 * test is a habit that is known from their sources, written as requests of our own; the answers are what such a client goes on from. Clients that
 * can be had are in published-client.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { openStage, type Stage } from '../support/stage.ts';

describe('habits of clients', () => {
  let stage: Stage;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(stage.server, stage.server.admin, method, path, body);
  const ok = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer = await send(method, path, body);
    expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 200, undefined]);
    return answer.body;
  };
  /** A request as bytes, for what JSON.stringify would not write. */
  const raw = async (method: string, path: string, body: string | undefined, headers: Record<string, string> = {}): Promise<Answer> => {
    const authorization = `Bearer ${await stage.server.admin.client.token()}`;
    const init = { method, headers: { authorization, 'content-type': 'application/json', ...headers } };
    const response = await stage.server.fetch(path, body === undefined ? init : { ...init, body });
    return { status: response.status, body: await response.json() };
  };

  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.stop());

  describe('of the Terraform provider', () => {
    it('changes a template with the computed time of the next review in each mask, and with none', async () => {
      const { accessReviewTemplate: made } = await ok('POST', '/api/v1/access_review_template', { displayName: 'Planned review' });
      const send = (fields: object, mask: string) =>
        ok('POST', `/api/v1/access_review_template/${made.id}`, { accessReviewTemplate: fields, updateMask: mask });
      const mask = 'description,displayName,isCampaignScheduleEnabled,nextScheduledCampaignAt,recurrenceRule';
      const rule = (startDate: string) => ({ frequency: 'FREQUENCY_MONTHLY', interval: 1, startDate });
      const plain = await send({ displayName: 'Planned review', description: 'No schedule' }, mask);
      expect(plain.accessReviewTemplate).toMatchObject({ description: 'No schedule', isCampaignScheduleEnabled: false });
      const on = await send(
        { displayName: 'Planned review', isCampaignScheduleEnabled: true, recurrenceRule: rule('2098-05-04T08:00:00Z') },
        'displayName,isCampaignScheduleEnabled,recurrenceRule',
      );
      const { nextScheduledCampaignAt } = on.accessReviewTemplate;
      expect(Date.parse(nextScheduledCampaignAt)).toBe(Date.parse('2098-05-04T08:00:00Z'));
      const moved = await send(
        {
          displayName: 'Planned review',
          isCampaignScheduleEnabled: true,
          nextScheduledCampaignAt,
          recurrenceRule: rule('2098-06-04T08:00:00Z'),
        },
        mask,
      );
      expect(Date.parse(moved.accessReviewTemplate.nextScheduledCampaignAt)).toBe(Date.parse('2098-06-04T08:00:00Z'));
    });

    it('sends a template back as it was read with all its members in the mask, in either spelling, and changes nothing', async () => {
      const startDate = '2098-05-04T08:00:00Z';
      const made = await ok('POST', '/api/v1/access_review_template', {
        displayName: 'Echoed review',
        isCampaignScheduleEnabled: true,
        recurrenceRule: { frequency: 'FREQUENCY_MONTHLY', interval: 1, startDate },
        scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS',
      });
      const read = made.accessReviewTemplate;
      const path = `/api/v1/access_review_template/${read.id}`;
      const members = [...Object.keys(read), 'deletedAt'];
      const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const sameTimes = (rule: object): object => ({
        ...read,
        nextScheduledCampaignAt: '2098-05-04T10:00:00.000000+02:00',
        recurrenceRule: { ...read.recurrenceRule, ...rule },
      });
      for (const [accessReviewTemplate, updateMask] of [
        [read, members.join(',')],
        [Object.fromEntries(Object.entries(read).map(([name, value]) => [snake(name), value])), members.map(snake).join(',')],
        [sameTimes({ startDate: '2098-05-04T08:00:00.000Z' }), members.join(',')],
        [{ ...read, nextScheduledCampaignAt: null, deletedAt: null }, members.join(',')],
        [{ ...read, nextScheduledCampaignAt: '0001-01-01T00:00:00Z' }, members.join(',')],
      ]) {
        expect((await ok('POST', path, { accessReviewTemplate, updateMask })).accessReviewTemplate).toEqual(read);
      }
      // Without its scope type, which is fixed, and with the start moved by the rule while the time is that of another plan.
      const { scopeType, occurrences, id, ...plan } = sameTimes({ startDate: '2098-07-04T08:00:00Z' }) as Loose;
      const moved = await ok('POST', path, {
        accessReviewTemplate: { ...plan, nextScheduledCampaignAt: '2098-06-04T08:00:00Z' },
        updateMask: members.join(','),
      });
      expect(moved.accessReviewTemplate).toMatchObject({ scopeType, occurrences, id, nextScheduledCampaignAt: '2098-07-04T08:00:00Z' });
      // Switched off, with the time that it read while the schedule was on.
      const off = { ...moved.accessReviewTemplate, isCampaignScheduleEnabled: false };
      for (const nextScheduledCampaignAt of [off.nextScheduledCampaignAt, '2098-08-04T08:00:00Z']) {
        const after = await ok('POST', path, {
          accessReviewTemplate: { ...off, nextScheduledCampaignAt },
          updateMask: 'nextScheduledCampaignAt,isCampaignScheduleEnabled,recurrenceRule',
        });
        expect(after.accessReviewTemplate).toMatchObject({
          isCampaignScheduleEnabled: false,
          recurrenceRule: { startDate: '2098-07-04T08:00:00Z' },
        });
        expect(after.accessReviewTemplate).not.toHaveProperty('nextScheduledCampaignAt');
      }
      // What is the server's is refused as ever where it does not stand, or nothing else is asked for.
      for (const [value, updateMask] of [
        [7, 'occurrences,description'],
        [read.occurrences, 'occurrences'],
      ]) {
        const refused = await send('POST', path, { accessReviewTemplate: { occurrences: value }, updateMask });
        expect([refused.status, violatedFields(refused)]).toEqual([400, ['updateMask']]);
      }
    });

    it('makes an app, reads it, sends it whole without a mask, and finds what it planned', async () => {
      const plan = {
        displayName: 'Planned',
        description: '',
        identityMatching: 'APP_USER_IDENTITY_MATCHING_STRICT',
        monthlyCostUsd: 0,
        strictAccessEntitlementProvisioning: false,
      };
      const { app } = await ok('POST', '/api/v1/apps', plan);
      expect(app).toMatchObject({ ...plan, userCount: '0', connectorVersion: 0, isDirectory: false, parentAppId: '', appAccountId: '' });
      expect((await ok('GET', `/api/v1/apps/${app.id}`)).app).toEqual(app);
      // Everything it has a name for, and nothing that only the server writes.
      const input = {
        certifyPolicyId: app.certifyPolicyId,
        connectorVersion: app.connectorVersion,
        defaultRequestCatalogId: app.defaultRequestCatalogId,
        description: 'Now with words',
        displayName: app.displayName,
        grantPolicyId: app.grantPolicyId,
        identityMatching: app.identityMatching,
        instructions: app.instructions,
        isManuallyManaged: app.isManuallyManaged,
        monthlyCostUsd: 12,
        revokePolicyId: app.revokePolicyId,
        strictAccessEntitlementProvisioning: true,
      };
      const changed = await ok('POST', `/api/v1/apps/${app.id}`, { app: input });
      expect(changed.app).toEqual({ ...app, ...input, updatedAt: changed.app.updatedAt });
      await ok('DELETE', `/api/v1/apps/${app.id}`, {});
      // Its sign that a resource is gone.
      expect((await send('GET', `/api/v1/apps/${app.id}`)).status).toBe(404);
      expect((await send('DELETE', `/api/v1/apps/${app.id}`, {})).status).toBe(404);
    });

    it('sends an entitlement back whole: its places, empty lists and maps, one of two durations', async () => {
      const path = `/api/v1/apps/${stage.appId}/entitlements/${stage.entitlementId}`;
      const { appEntitlement: before } = (await ok('GET', path)).appEntitlementView;
      const input = {
        alias: '',
        appId: before.appId,
        appResourceId: before.appResourceId,
        appResourceTypeId: before.appResourceTypeId,
        certifyPolicyId: '',
        complianceFrameworkValueIds: [],
        defaultValuesApplied: false,
        description: 'Planned',
        displayName: before.displayName,
        durationUnset: {},
        emergencyGrantEnabled: false,
        emergencyGrantPolicyId: '',
        grantPolicyId: '',
        isManuallyManaged: true,
        matchBatonId: '',
        overrideAccessRequestsDefaults: false,
        provisionerPolicy: { connector: { defaultBehavior: {} } },
        purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
        revokePolicyId: '',
        riskLevelValueId: '',
        slug: '',
        sourceConnectorIds: {},
      };
      const { appEntitlement: after } = (await ok('POST', path, { entitlement: input })).appEntitlementView;
      expect(after).toMatchObject({
        description: 'Planned',
        durationUnset: {},
        complianceFrameworkValueIds: [],
        displayName: before.displayName,
      });
      expect(after).not.toHaveProperty('durationGrant');
      const { durationUnset: _unset, ...timed } = input;
      const limited = await ok('POST', path, { entitlement: { ...timed, durationGrant: '3600s' } });
      expect(limited.appEntitlementView.appEntitlement).toMatchObject({ durationGrant: '3600s' });
      expect(limited.appEntitlementView.appEntitlement).not.toHaveProperty('durationUnset');
      expect((await send('POST', path, { entitlement: { ...input, durationGrant: '3600s' } })).status).toBe(400);
    });

    it('sets owners to nobody by leaving the list out, by null and by an empty one', async () => {
      const path = `/api/v1/apps/${stage.appId}/owners`;
      for (const nobody of [{}, { userIds: null }, { userIds: [] }]) {
        await ok('PUT', path, { userIds: stage.people.map(({ id }) => id) });
        expect((await ok('GET', path)).list.length).toBe(3);
        await ok('PUT', path, nobody);
        expect((await ok('GET', path)).list).toEqual([]);
      }
    });

    it('adds entries of an access profile, reads all ids, replaces them, and deletes with a body', async () => {
      const made = await ok('POST', '/api/v1/catalogs', {
        displayName: 'Planned',
        description: '',
        published: true,
        visibleToEveryone: false,
      });
      const path = `/api/v1/catalogs/${made.requestCatalogView.requestCatalog.id}`;
      const refs = [{ appId: stage.appId, id: stage.entitlementId }];
      await ok('POST', `${path}/requestable_entries`, { appEntitlements: refs, createRequests: null });
      expect((await ok('GET', `${path}/requestable_entitlementIDs`)).refs).toEqual(refs);
      await ok('POST', `${path}/requestable_entitlements/update`, { appEntitlements: refs });
      await ok('DELETE', `${path}/requestable_entries`, { appEntitlements: refs });
      expect((await ok('GET', `${path}/requestable_entitlementIDs`)).refs).toEqual([]);
      await ok('POST', `${path}/visibility_bindings`, { accessEntitlements: refs });
      await ok('DELETE', `${path}/visibility_bindings`, { accessEntitlements: refs });
      await ok('DELETE', path, {});
      expect((await send('GET', `${path}/requestable_entitlementIDs`)).status).toBe(404);
      expect((await send('DELETE', `${path}/requestable_entries`, { appEntitlements: refs })).status).toBe(404);
    });

    it('takes the first app of a search by name', async () => {
      const { list, nextPageToken } = await ok('POST', '/api/v1/search/apps', { displayName: 'stage', pageSize: 10, policyRefs: null });
      expect(list[0]).toMatchObject({ id: stage.appId, displayName: 'Stage' });
      expect(nextPageToken).toBe('');
    });
  });

  describe('of cone', () => {
    it('searches what it may ask for with empty texts and a size that is a float', async () => {
      const body = '{"entitlementAlias":"","pageSize":1e2,"query":""}';
      const { status, body: found } = await raw('POST', '/api/v1/search/request_catalog/entitlements', body);
      expect([status, found.list]).toEqual([200, []]);
      for (const size of ['100.0', '1.0e1', '"25"']) {
        expect([size, (await raw('POST', '/api/v1/search/apps', `{"pageSize":${size}}`)).status]).toEqual([size, 200]);
      }
      expect((await raw('POST', '/api/v1/search/apps', '{"pageSize":10.5}')).status).toBe(400);
    });

    it('reads paths as places in what was expanded, and each object by its @type', async () => {
      const body = await ok('POST', '/api/v1/search/entitlements', { appIds: [stage.appId], expandMask: { paths: ['*'] } });
      const own = body.list.find(({ appEntitlement }: Loose) => appEntitlement.id === stage.entitlementId);
      const at = (path: string): Loose => body.expanded[Number(/\[(\d+)\]/.exec(path)?.[1])];
      expect(at(own.appPath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: stage.appId });
      expect(at(own.appResourcePath)).toMatchObject({ '@type': 'type.googleapis.com/c1.api.app.v1.AppResource', id: stage.resourceId });
      expect(at(own.appResourceTypePath)['@type']).toBe('type.googleapis.com/c1.api.app.v1.AppResourceType');
    });
  });

  describe('of c1i', () => {
    it('names the thing in the body as well, beside a mask of exactly what it sends', async () => {
      const made = await ok('POST', '/api/v1/catalogs', { displayName: 'Named', description: 'x', published: true });
      const { id } = made.requestCatalogView.requestCatalog;
      const change = async (catalog: object, updateMask: string): Promise<Loose> =>
        (await ok('POST', `/api/v1/catalogs/${id}`, { catalog: { id, ...catalog }, updateMask })).requestCatalogView.requestCatalog;
      expect(await change({ published: false }, 'published')).toMatchObject({ published: false, displayName: 'Named' });
      expect(await change({ description: '' }, 'description')).toMatchObject({ description: '' });
      expect(await change({ displayName: 'Again', visibleToEveryone: true }, 'displayName,visibleToEveryone')).toMatchObject({
        displayName: 'Again',
        visibleToEveryone: true,
        published: false,
      });
    });

    it('makes a type, a resource of it and an entitlement on that, owners with it, by the ids of the replies', async () => {
      const at = `/api/v1/apps/${stage.appId}`;
      const type = await ok('POST', `${at}/resource_types`, { displayName: 'Payroll role', resourceType: 'CUSTOM' });
      const typeId = type.appResourceType.id;
      const resource = await ok('POST', `${at}/resource_types/${typeId}/resources`, { displayName: 'Payroll' });
      const resourceId = resource.appResource.id;
      const owners = stage.people.slice(0, 2).map(({ id }) => id);
      const made = await ok('POST', `${at}/entitlements`, {
        displayName: 'Payroll admin',
        slug: 'member',
        alias: 'payroll_admin',
        appResourceTypeId: typeId,
        appResourceId: resourceId,
        appEntitlementOwnerIds: owners,
      });
      const { appEntitlement } = made.appEntitlementView;
      expect(appEntitlement).toMatchObject({ appResourceTypeId: typeId, appResourceId: resourceId, isManuallyManaged: true });
      expect((await ok('GET', `${at}/entitlements/${appEntitlement.id}/ownerids`)).userIds.sort()).toEqual([...owners].sort());
      const wrong = await send('POST', `${at}/entitlements`, { displayName: 'x', durationGrant: '1h' });
      expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('durationGrant')]);
    });

    it('asks who holds what by app, person, account and entitlement, and counts through how many ways', async () => {
      const person = stage.people[2]?.id;
      const at = `/api/v1/apps/${stage.appId}/entitlements/${stage.entitlementId}`;
      await ok('POST', `${at}/add-manual-user`, { userIds: [person] });
      const search = async (body: object): Promise<Loose[]> => (await ok('POST', '/api/v1/search/grants', { pageSize: 50, ...body })).list;
      const [grant] = await search({ appIds: [stage.appId], entitlementRefs: [{ appId: stage.appId, id: stage.entitlementId }] });
      const account = grant.appEntitlementUserBinding.appUser.appUser;
      expect(grant.appEntitlementUserBinding.appEntitlementUserBindingCreatedAt).toMatch(/Z$/);
      expect(grant.appEntitlementUserBinding.grantSources).toEqual([]);
      expect(account.identityUserId).toBe(person);
      for (const filter of [{ userId: person }, { appUserIds: [account.id] }]) {
        expect((await search(filter)).map(({ entitlement }) => entitlement.appEntitlement.id)).toContain(stage.entitlementId);
      }
      const [listed] = (
        await ok('POST', '/api/v1/search/app_users', {
          appId: stage.appId,
          pageSize: 50,
          appUserStatuses: ['STATUS_ENABLED'],
          appUserTypes: ['APP_USER_TYPE_USER'],
        })
      ).list;
      expect(listed.appUser).toMatchObject({ id: account.id, status: { status: 'STATUS_ENABLED' } });
      // A body on DELETE, as few clients send it.
      await ok('DELETE', `${at}/remove-membership`, { appUserId: account.id });
    });
  });

  describe('of the SDKs', () => {
    it('sends null for what is not set, and numbers of 64 bits as either', async () => {
      const path = `/api/v1/apps/${stage.appId}/resource_types/${stage.resourceTypeId}/resources/${stage.resourceId}`;
      for (const grantCount of [0, '0', 7, '7', null]) {
        const appResource = { description: `Echo ${grantCount}`, grantCount, secretTrait: null, profile: null, createdAt: null };
        const { appResourceView: view } = await ok('POST', path, { appResource, updateMask: null, expandMask: null });
        expect(view.appResource).toMatchObject({ description: `Echo ${grantCount}`, grantCount: '0' });
      }
    });

    it('sends times with nanoseconds and offsets, and reads them back in UTC', async () => {
      const at = `/api/v1/apps/${stage.appId}/entitlements/${stage.entitlementId}`;
      await ok('POST', `${at}/add-manual-user`, { userIds: [stage.people[0]?.id] });
      const { bindings } = await ok('GET', `${at}/users/${stage.people[0]?.id}/grants`);
      for (const [sent, read] of [
        ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00Z'],
        ['2999-01-01T02:00:00+02:00', '2999-01-01T00:00:00Z'],
        ['2999-01-01T00:00:00.123Z', '2999-01-01T00:00:00.123Z'],
        ['2999-01-01T00:00:00.123456789Z', expect.stringMatching(/^2999-01-01T00:00:00\.123/)],
      ]) {
        const path = `${at}/users/${bindings[0].appUserId}/update-grant-duration`;
        expect((await ok('POST', path, { newDeprovisionAt: sent })).binding.deprovisionAt).toEqual(read);
      }
    });

    it('sends enums by name in any list, and learns which it does not know', async () => {
      const path = '/api/v1/search/app_users';
      expect((await ok('POST', path, { appUserTypes: ['APP_USER_TYPE_USER', 'APP_USER_TYPE_SYSTEM_ACCOUNT'] })).list).toEqual(
        expect.any(Array),
      );
      for (const wrong of ['USER_TYPE', 'app_user_type_user', '']) {
        const answer = await send('POST', path, { appUserTypes: [wrong] });
        expect([wrong, answer.status, answer.body.message]).toEqual([wrong, 400, expect.stringContaining('appUserTypes[0]')]);
      }
    });

    it('deletes with an empty body, with {} and with a JSON type and nothing behind it', async () => {
      for (const body of [undefined, '', '{}']) {
        const { app } = await ok('POST', '/api/v1/apps', { displayName: `Short ${body}` });
        const { status, body: answer } = await raw('DELETE', `/api/v1/apps/${app.id}`, body);
        expect([body, status, answer]).toEqual([body, 200, {}]);
      }
    });

    it('asks for JSON among others, under a name and version, and posts nothing where nothing is to be said', async () => {
      const headers = { accept: 'application/json;q=1, application/json;q=0', 'user-agent': 'speakeasy-sdk/go 1.2.3 2.4.5 0.1.0 sdk' };
      const { status, body } = await raw('POST', '/api/v1/search/users', undefined, headers);
      expect([status, body.list.length > 2]).toEqual([200, true]);
    });

    it('pages a search by the token alone beside the same filters, and ends at an empty token', async () => {
      for (let number = 0; number < 12; number++) {
        await ok('POST', '/api/v1/attributes/risk_levels', { value: `Habit ${number}` });
      }
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const page: Loose = await ok('POST', '/api/v1/search/attributes', { query: 'habit', pageSize: 10, pageToken });
        seen.push(...page.list.map(({ value }: Loose) => value));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(new Set(seen).size).toBe(12);
    });
  });
});
