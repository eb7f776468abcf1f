/**
 * Relations between things, over HTTP: owners of apps, resources and entitlements, what access profiles give and who sees them, who holds an
 * entitlement manually. Added once and again, listed to the end, replaced, taken away once and again, cleared, nothing to another tenant, and gone
 * with what it belongs to. And what there is one of: session settings, the roles, an account.
 */
import type { DescField, JsonValue } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionSettingsSchema } from '../../src/gen/c1/api/settings/v1/settings_pb.js';
import { AppUserSchema } from '../../src/gen/c1/api/app/v1/app_pb.js';
import { ROLES } from '../../src/foundation/directory/index.ts';
import { serverOwnedNames } from '../../src/wire/plan.ts';
import { type Loose, violatedFields } from '../support/api.ts';
import type { Sample } from '../support/operations.ts';
import { jsonAt, listMaskPaths, sampleField, valueAt } from '../support/sample-message.ts';
import { openStage, type Stage } from '../support/stage.ts';

type Ask = readonly [operation: string, sample: Sample];

/** Things that belong to something: who or what is in it is said by ids. */
interface Circle {
  readonly name: string;
  /** Twelve that can be in it. */
  readonly candidates: (stage: Stage) => Promise<string[]>;
  /** Makes what it belongs to; the parameters of the paths. */
  readonly make: (stage: Stage) => Promise<Readonly<Record<string, string>>>;
  readonly add: (path: Readonly<Record<string, string>>, id: string) => Ask;
  readonly remove: (path: Readonly<Record<string, string>>, id: string) => Ask;
  readonly set?: (path: Readonly<Record<string, string>>, ids: readonly string[]) => Ask;
  readonly clear?: (path: Readonly<Record<string, string>>, ids: readonly string[]) => Ask;
  /** It is a thing of its own: what is not there cannot be taken away. */
  readonly isThing?: true;
  readonly list: string;
  readonly keyOf: (row: Loose) => string;
  /** All ids in one reply. */
  readonly ids?: readonly [operation: string, pick: (body: Loose) => string[]];
  /** Ends what it belongs to. */
  readonly end: (path: Readonly<Record<string, string>>) => Ask;
}

const makePeople = async (stage: Stage): Promise<string[]> => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number++) {
    ids.push((await stage.server.makePerson(`owner${number}-${Math.random()}@stage.example`)).id);
  }
  return ids;
};
const makeEntitlements = async (stage: Stage): Promise<string[]> => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number++) {
    const fields = { displayName: `Given ${number}` };
    const body = await stage.ok('AppEntitlementService.create', { path: { app_id: stage.appId }, fields });
    ids.push(body.appEntitlementView.appEntitlement.id);
  }
  return ids;
};
const newEntitlement = async (stage: Stage): Promise<string> => {
  const body = await stage.ok('AppEntitlementService.create', { path: { app_id: stage.appId }, fields: { displayName: 'Owned' } });
  return body.appEntitlementView.appEntitlement.id;
};
const newProfile = async (stage: Stage): Promise<Readonly<Record<string, string>>> => {
  const body = await stage.ok('RequestCatalogManagementService.create', { fields: { displayName: 'Starter' } });
  const { id } = body.requestCatalogView.requestCatalog;
  return { id, catalog_id: id, app_id: stage.appId };
};
const idOf = ({ id }: Loose): string => id;
const userIds = (body: Loose): string[] => body.userIds;
const ref = (path: Readonly<Record<string, string>>, id: string) => ({ appId: path.app_id, id });

const circles: readonly Circle[] = [
  {
    name: 'owners of an app',
    candidates: makePeople,
    make: async (stage) => {
      const { app } = await stage.ok('AppService.create', { fields: { displayName: `Owned ${Math.random()}` } });
      return { app_id: app.id, id: app.id };
    },
    add: (path, id) => ['AppOwnerService.add', { path: { ...path, user_id: id } }],
    remove: (path, id) => ['AppOwnerService.remove', { path: { ...path, user_id: id } }],
    set: (path, ids) => ['AppOwnerService.set', { path, fields: { userIds: ids } }],
    // Of an app only those who are named.
    clear: (path, ids) => ['AppOwnerService.delete', { path, fields: { userIds: ids } }],
    list: 'AppOwnerService.list',
    keyOf: idOf,
    ids: ['AppOwnerService.listOwnerIDs', userIds],
    end: (path) => ['AppService.delete', { path }],
  },
  {
    name: 'owners of a resource',
    candidates: makePeople,
    make: async (stage) => {
      const path = { app_id: stage.appId, app_resource_type_id: stage.resourceTypeId };
      const body = await stage.ok('AppResourceService.createManuallyManagedAppResource', { path, fields: { displayName: 'Owned' } });
      const { id } = body.appResource;
      return { ...path, id, resource_type_id: stage.resourceTypeId, resource_id: id };
    },
    add: (path, id) => ['AppResourceOwnerService.add', { path, fields: { userId: id } }],
    remove: (path, id) => ['AppResourceOwnerService.remove', { path, fields: { userId: id } }],
    set: (path, ids) => ['AppResourceOwnerService.set', { path, fields: { userIds: ids } }],
    clear: (path) => ['AppResourceOwnerService.delete', { path }],
    list: 'AppResourceOwnerService.list',
    keyOf: idOf,
    ids: ['AppResourceOwnerService.listOwnerIDs', userIds],
    end: (path) => ['AppResourceService.deleteManuallyManagedAppResource', { path }],
  },
  {
    name: 'owners of an entitlement',
    candidates: makePeople,
    make: async (stage) => {
      const id = await newEntitlement(stage);
      return { app_id: stage.appId, entitlement_id: id, id };
    },
    add: (path, id) => ['AppEntitlementOwnerService.add', { path, fields: { userId: id } }],
    remove: (path, id) => ['AppEntitlementOwnerService.remove', { path: { ...path, user_id: id } }],
    set: (path, ids) => ['AppEntitlementOwnerService.set', { path, fields: { userIds: ids } }],
    clear: (path) => ['AppEntitlementOwnerService.delete', { path }],
    list: 'AppEntitlementOwnerService.list',
    keyOf: idOf,
    ids: ['AppEntitlementOwnerService.listOwnerIDs', userIds],
    end: (path) => ['AppEntitlementService.delete', { path }],
  },
  {
    name: 'entitlements that an access profile gives',
    candidates: makeEntitlements,
    make: newProfile,
    add: (path, id) => ['RequestCatalogManagementService.addAppEntitlements', { path, fields: { appEntitlements: [ref(path, id)] } }],
    remove: (path, id) => ['RequestCatalogManagementService.removeAppEntitlements', { path, fields: { appEntitlements: [ref(path, id)] } }],
    set: (path, ids) => [
      'RequestCatalogManagementService.updateAppEntitlements',
      { path, fields: { appEntitlements: ids.map((id) => ref(path, id)) } },
    ],
    list: 'RequestCatalogManagementService.listEntitlementsPerCatalog',
    keyOf: ({ appEntitlement }) => appEntitlement.id,
    ids: ['RequestCatalogManagementService.listAllEntitlementIdsPerApp', ({ refs }) => refs.map(idOf)],
    end: (path) => ['RequestCatalogManagementService.delete', { path }],
  },
  {
    name: 'entitlements that an access profile gives, one by one',
    isThing: true,
    candidates: makeEntitlements,
    make: newProfile,
    add: (path, id) => ['RequestCatalogManagementService.createRequestableEntry', { path: { ...path, entitlement_id: id } }],
    remove: (path, id) => ['RequestCatalogManagementService.deleteRequestableEntry', { path: { ...path, entitlement_id: id } }],
    list: 'RequestCatalogManagementService.listEntitlementsPerCatalog',
    keyOf: ({ appEntitlement }) => appEntitlement.id,
    end: (path) => ['RequestCatalogManagementService.delete', { path }],
  },
  {
    name: 'entitlements whose holders see an access profile',
    candidates: makeEntitlements,
    make: newProfile,
    add: (path, id) => ['RequestCatalogManagementService.addAccessEntitlements', { path, fields: { accessEntitlements: [ref(path, id)] } }],
    remove: (path, id) => [
      'RequestCatalogManagementService.removeAccessEntitlements',
      { path, fields: { accessEntitlements: [ref(path, id)] } },
    ],
    list: 'RequestCatalogManagementService.listEntitlementsForAccess',
    keyOf: ({ appEntitlement }) => appEntitlement.id,
    ids: ['RequestCatalogManagementService.get', (body) => body.requestCatalogView.requestCatalog.accessEntitlements.map(idOf)],
    end: (path) => ['RequestCatalogManagementService.delete', { path }],
  },
];

describe('what belongs to something', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.stop());

  describe.each(circles.map((circle) => [circle.name, circle] as const))('%s', (_name, circle) => {
    let path: Readonly<Record<string, string>>;
    let some: string[];
    const [first = '', second = '', third = ''] = ['0', '1', '2'];
    const at = (index: string): string => some[Number(index)] ?? '';
    const listed = async (size = 100): Promise<string[]> => (await stage.all(circle.list, { path }, size)).map(circle.keyOf);
    const expectIn = async (ids: readonly string[]): Promise<void> => {
      expect((await listed()).sort()).toEqual([...ids].sort());
      if (circle.ids !== undefined) {
        const [operation, pick] = circle.ids;
        expect(pick(await stage.ok(operation, { path })).sort()).toEqual([...ids].sort());
      }
    };
    const done = async (ask: Ask): Promise<Loose> => stage.ok(...ask);

    beforeAll(async () => {
      path = await circle.make(stage);
      some = await circle.candidates(stage);
    });

    it('begin empty, and are added once and again', async () => {
      await expectIn([]);
      await done(circle.add(path, at(first)));
      await expectIn([at(first)]);
      await done(circle.add(path, at(first)));
      await expectIn([at(first)]);
      await done(circle.add(path, at(second)));
      await expectIn([at(first), at(second)]);
    });

    it('are taken away once and again', async () => {
      await done(circle.remove(path, at(first)));
      await expectIn([at(second)]);
      expect((await stage.ask(...circle.remove(path, at(first)))).status).toBe(circle.isThing === true ? 404 : 200);
      await expectIn([at(second)]);
    });

    it('are replaced, twice the same too, and cleared', async () => {
      const { set, clear } = circle;
      if (set !== undefined) {
        await done(set(path, [at(second), at(third), at(third)]));
        await expectIn([at(second), at(third)]);
        await done(set(path, [at(second), at(third)]));
        await expectIn([at(second), at(third)]);
        await done(set(path, []));
        await expectIn([]);
      }
      if (clear !== undefined) {
        await done(circle.add(path, at(first)));
        await done(clear(path, [at(first)]));
        await expectIn([]);
        await done(clear(path, [at(first)]));
      }
    });

    it('are listed once each, whatever the size of a page', async () => {
      for (const id of some) {
        await done(circle.add(path, id));
      }
      for (const size of [1, 10, 11, 100]) {
        const found = await listed(size);
        expect(new Set(found).size).toBe(found.length);
        expect([...found].sort()).toEqual([...some].sort());
      }
    });

    it('are never somebody or something that is not there', async () => {
      for (const ask of [circle.add(path, '0'.repeat(27)), ...(circle.set === undefined ? [] : [circle.set(path, ['0'.repeat(27)])])]) {
        expect([ask[0], (await stage.ask(...ask)).status]).toEqual([ask[0], expect.toBeOneOf([400, 404])]);
      }
      await expectIn(some);
    });

    it('are nothing to another tenant', async () => {
      const asks: Ask[] = [
        circle.add(path, at(first)),
        circle.remove(path, at(first)),
        [circle.list, { path }],
        ...(circle.set === undefined ? [] : [circle.set(path, [])]),
        ...(circle.clear === undefined ? [] : [circle.clear(path, some)]),
        ...(circle.ids === undefined ? [] : [[circle.ids[0], { path }] as const]),
      ];
      for (const [operation, sample] of asks) {
        expect([operation, (await stage.ask(operation, sample, stage.other)).status]).toEqual([operation, 404]);
      }
      await expectIn(some);
    });

    it('are gone with what they belong to', async () => {
      await done(circle.end(path));
      for (const [operation, sample] of [circle.add(path, at(first)), circle.remove(path, at(first)), [circle.list, { path }] as const]) {
        expect([operation, (await stage.ask(operation, sample)).status]).toEqual([operation, 404]);
      }
    });
  });

  it('a requestable entry is read by itself while it is there', async () => {
    const path = await newProfile(stage);
    const entry = { ...path, entitlement_id: stage.entitlementId };
    expect((await stage.ask('RequestCatalogManagementService.getRequestableEntry', { path: entry })).status).toBe(404);
    const made = await stage.ok('RequestCatalogManagementService.createRequestableEntry', { path: entry });
    expect(made.requestableEntry).toEqual({ catalogId: path.id, appId: stage.appId, entitlementId: stage.entitlementId });
    expect(await stage.ok('RequestCatalogManagementService.getRequestableEntry', { path: entry })).toEqual(made);
    expect((await stage.ask('RequestCatalogManagementService.getRequestableEntry', { path: entry }, stage.other)).status).toBe(404);
    await stage.ok('RequestCatalogManagementService.deleteRequestableEntry', { path: entry });
    expect((await stage.ask('RequestCatalogManagementService.getRequestableEntry', { path: entry })).status).toBe(404);
  });

  it('a manual grant is in every list of grants while it is there, and in history afterwards', async () => {
    const entitlementId = await newEntitlement(stage);
    const path = { app_id: stage.appId, app_entitlement_id: entitlementId };
    const refs = [{ appId: stage.appId, id: entitlementId }];
    const person = stage.people[0]?.id ?? '';
    const given = await stage.ok('AppEntitlementService.addManuallyManagedMembers', { path, fields: { userIds: [person] } });
    expect(given.failedUsersErrorMap).toEqual({});
    const held = { path: { ...path, identity_user_id: person } };
    const { bindings } = await stage.ok('AppEntitlementUserBindingService.listAppUsersForIdentityWithGrant', held);
    expect(bindings).toMatchObject([{ appId: stage.appId, appEntitlementId: entitlementId, grantSources: [] }]);
    const accountId: string = bindings[0].appUserId;
    const lists: readonly (readonly [string, Sample, (row: Loose) => string])[] = [
      ['AppEntitlementService.listUsers', { path }, (row) => row.appUser.appUser.id],
      ['AppEntitlementService.searchAppEntitlementsWithExpired', { path }, (row) => row.appUser?.id ?? row.appUserId],
      [
        'AppEntitlementSearchService.searchGrants',
        { fields: { entitlementRefs: refs } },
        (row) => row.appEntitlementUserBinding.appUser.appUser.id,
      ],
      ['GrantService.list', { path, fields: { entitlement_id: entitlementId } }, (row) => row.grant.account.id],
    ];
    const inLists = async (): Promise<Record<string, string[]>> =>
      Object.fromEntries(await Promise.all(lists.map(async ([name, sample, keyOf]) => [name, (await stage.all(name, sample)).map(keyOf)])));
    expect(await inLists()).toEqual(Object.fromEntries(lists.map(([name]) => [name, [accountId]])));
    const grant = { path: { ...path, app_user_id: accountId } };
    const until = '2999-01-01T00:00:00Z';
    const ending = await stage.ok('AppEntitlementUserBindingService.updateGrantDuration', {
      ...grant,
      fields: { newDeprovisionAt: until },
    });
    expect(ending.binding.deprovisionAt).toBe(until);
    const endless = await stage.ok('AppEntitlementUserBindingService.removeGrantDuration', grant);
    expect(endless.binding.deprovisionAt).toBeUndefined();
    const take: Ask = ['AppEntitlementService.removeEntitlementMembership', { path, fields: { appUserId: accountId } }];
    expect((await stage.ask(...take, stage.other)).status).toBe(404);
    await stage.ok(...take);
    expect((await stage.ask(...take)).status).toBe(404);
    expect((await stage.ok('AppEntitlementUserBindingService.listAppUsersForIdentityWithGrant', held)).bindings).toEqual([]);
    const after = await inLists();
    expect(after['AppEntitlementSearchService.searchGrants']).toEqual([]);
    expect(after['AppEntitlementService.listUsers']).toEqual([]);
    expect(after['GrantService.list']).toEqual([]);
    const past = await stage.all('AppEntitlementUserBindingHistoryService.searchPastGrants', { fields: { appEntitlementRefs: refs } });
    expect(past.map(({ history }) => [history.appUserId, history.revokedAt !== undefined])).toEqual([[accountId, true]]);
    const feed = await stage.all('AppEntitlementUserBindingFeedService.searchGrantFeed', { fields: { appEntitlementRefs: refs } });
    expect(feed.map(({ feed: event }) => event.eventType)).toEqual(['GRANT_EVENT_TYPE_REMOVED', 'GRANT_EVENT_TYPE_ADDED']);
  });

  it('the account made for a manual grant is read, typed, owned and ended, and nothing to another tenant', async () => {
    const person = stage.people[1]?.id ?? '';
    const access = (await stage.all('AppEntitlementService.list', { path: { app_id: stage.appId } })).find(
      ({ appEntitlement }) => appEntitlement.systemBuiltin,
    ).appEntitlement.id;
    const path = { app_id: stage.appId, app_entitlement_id: access };
    await stage.ok('AppEntitlementService.addManuallyManagedMembers', { path, fields: { userIds: [person] } });
    const [found] = await stage.all('AppUsersForUserService.listAppUsersForUser', { path: { app_id: stage.appId, user_id: person } });
    const { id } = found.appUser;
    const at = { app_user_app_id: stage.appId, app_user_id: id, app_id: stage.appId };
    const update = (appUser: object, updateMask: string, tenant = stage.server as Parameters<Stage['ask']>[2]) =>
      stage.ask('AppUserService.update', { path: at, fields: { appUser, updateMask } }, tenant);
    const typed = await update({ appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT', displayName: 'ignored' }, 'app_user_type');
    expect(typed.body.appUserView.appUser).toEqual({
      ...found.appUser,
      appUserType: 'APP_USER_TYPE_SERVICE_ACCOUNT',
      updatedAt: expect.any(String),
    });
    for (const name of [...serverOwnedNames(AppUserSchema), 'status.status', 'nothing']) {
      const answer = await update({}, name);
      expect([name, answer.status, violatedFields(answer)]).toEqual([name, 400, ['updateMask']]);
    }
    expect((await update({ appUserType: 'APP_USER_TYPE_USER' }, 'appUserType', stage.other)).status).toBe(404);
    await stage.ok('AppEntitlementService.removeEntitlementMembership', { path, fields: { appUserId: id } });
    expect((await update({ appUserType: 'APP_USER_TYPE_USER' }, 'appUserType')).status).toBe(404);
    const search = async (statuses: readonly string[]) =>
      (await stage.all('AppUserService.search', { fields: { appUserIds: [id], appUserStatuses: statuses } })).length;
    expect([await search([]), await search(['STATUS_DELETED'])]).toEqual([0, 1]);
  });

  describe('session settings', () => {
    const values: Readonly<Record<string, JsonValue>> = { maxSessionLength: '7200s' };
    const open = { enabled: true, sourceCidr: ['127.0.0.0/8', '::1/128', '192.0.2.0/24'] };
    const sampleFor = (path: string, field: DescField): JsonValue => {
      if (field.fieldKind === 'message' && field.message.name === 'CIDRRestriction') {
        return open;
      }
      return field.jsonName === 'sourceCidr' ? [...open.sourceCidr] : (values[path] ?? sampleField(field, {}));
    };

    it.each(listMaskPaths(SessionSettingsSchema).map(({ path, field }) => [path, field] as const))(
      '%s is set through the mask, alone',
      async (path, field) => {
        await stage.ok('SessionSettingsService.update', { fields: { sessionSettings: {}, updateMask: '*' } });
        // A restriction that is enabled names who it lets in.
        const parent = path.split('.')[0] ?? '';
        if (path.endsWith('.enabled')) {
          const fields = { sessionSettings: jsonAt(`${parent}.sourceCidr`, [...open.sourceCidr]), updateMask: `${parent}.sourceCidr` };
          await stage.ok('SessionSettingsService.update', { fields });
        }
        const { sessionSettings: before } = await stage.ok('SessionSettingsService.get');
        const value = sampleFor(path, field);
        const beside = path === 'externalClientsEnabled' ? { maxSessionLength: '9000s' } : { externalClientsEnabled: true };
        const fields = { sessionSettings: { ...beside, ...jsonAt(path, value) }, updateMask: path };
        const { sessionSettings: after } = await stage.ok('SessionSettingsService.update', { fields });
        expect(valueAt(after, path)).toEqual(value);
        expect({ ...after, [parent]: undefined }).toEqual({ ...before, [parent]: undefined });
        expect((await stage.ok('SessionSettingsService.get')).sessionSettings).toEqual(after);
      },
    );
  });

  it('roles are five, and stay as they are', async () => {
    const roles = await stage.all('RoleService.list', {}, 10);
    expect(roles.map(idOf).sort()).toEqual(Object.values(ROLES).map(idOf).sort());
    for (const role of roles) {
      const path = { role_id: role.id };
      expect((await stage.ok('RoleService.get', { path })).role).toEqual(role);
      expect((await stage.ok('RoleService.update', { path, fields: { role } })).role).toEqual(role);
      for (const [field, value] of [
        ['displayName', 'Other'],
        ['permissions', []],
        ['serviceRoles', ['x']],
      ] as const) {
        const answer = await stage.ask('RoleService.update', { path, fields: { role: { ...role, [field]: value }, updateMask: field } });
        const isSame = JSON.stringify(role[field]) === JSON.stringify(value);
        expect([role.id, field, answer.status]).toEqual([role.id, field, isSame ? 200 : 400]);
      }
      const owned = await stage.ask('RoleService.update', { path, fields: { role, updateMask: 'name' } });
      expect(violatedFields(owned)).toEqual(['updateMask']);
    }
    expect((await stage.ask('RoleService.get', { path: { role_id: '0'.repeat(27) } })).status).toBe(404);
  });
});
