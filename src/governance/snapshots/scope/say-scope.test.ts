/** Scopes in words: no filter is passed over in silence, and long lists are counted. */
import { describe, expect, it } from 'vitest';
import { sayScope, type SetupLists } from './say-scope.ts';
import type { ScopeEntry } from './store-scope-lists.ts';
import type { ChosenScope, Filters, What } from './types-scope.ts';

const noPeople = { userIds: undefined, statuses: undefined, managerIds: undefined, attributes: undefined, notHolding: undefined };
const noAccounts = { types: undefined, statuses: undefined, unowned: undefined, domain: undefined };
const noGrants = {
  addedAtLeastSecondsAgo: undefined,
  unusedForSeconds: undefined,
  unreviewedForSeconds: undefined,
  addedFrom: undefined,
  addedBefore: undefined,
  heldHow: undefined,
  lasts: undefined,
};
const noFilters: Filters = {
  exclusion: { types: undefined, statuses: undefined },
  legacy: { accounts: [noAccounts, noAccounts], people: noPeople },
  accounts: noAccounts,
  people: noPeople,
  accountExpression: '',
  userExpression: '',
  filtersPeople: false,
  grants: noGrants,
  principals: 'ACCOUNTS',
  profiles: { included: undefined, excluded: undefined },
};
const nothing: What = {
  scopeType: 'BY_ENTITLEMENTS',
  wholeAppIds: [],
  namedAppIds: [],
  entitlements: [],
  appAccess: false,
  criteria: undefined,
  byResources: false,
  byRoles: false,
  allMonitors: false,
  everything: false,
};
const noSetup: SetupLists = { entitlements: [], entitlementCount: 0, resourceTypes: [] };

function makeEntry(fields: Partial<ScopeEntry>): ScopeEntry {
  return {
    list: 'EXCLUSION',
    kind: '',
    appId: 'app',
    objectId: '',
    entitlementId: '',
    accountId: '',
    roleResourceId: '',
    reason: '',
    ...fields,
  };
}

function say(what: Partial<What>, filters: Partial<Filters> = {}, entries: readonly ScopeEntry[] = [], setup: Partial<SetupLists> = {}) {
  const chosen: ChosenScope = { what: { ...nothing, ...what }, filters: { ...noFilters, ...filters }, entries };
  return sayScope(chosen, { ...noSetup, ...setup }, ({ kind, id }) => `${kind}:${id}`);
}

describe('what a scope asks about', () => {
  const entitlement = (id: string) => ({ appId: 'a', entitlementId: id, policyId: '' });
  it.each<[string, ReturnType<typeof say>, string]>([
    ['whole apps', say({ wholeAppIds: ['a', 'b'] }), 'Every entitlement of app:a and app:b but having an account.'],
    ['entitlements', say({ entitlements: [entitlement('x'), entitlement('y')] }), 'Of app:a: entitlement:x and entitlement:y.'],
    ['everything', say({ everything: true }), 'Every entitlement in every app.'],
    ['accounts', say({ appAccess: true, namedAppIds: ['a'] }), 'Whether somebody should have an account in app:a.'],
    ['accounts anywhere', say({ appAccess: true }), 'Whether somebody should have an account, in every app.'],
    [
      'criteria',
      say({ criteria: { riskLevelIds: ['high', 'top'], frameworkIds: ['sox'] } }),
      'Every entitlement with the risk level classification:high or classification:top and under classification:sox.',
    ],
    [
      'all conflicts',
      say({ scopeType: 'BY_ACCESS_CONFLICTS', allMonitors: true }),
      'Access that breaks one of the conflict rules that are on.',
    ],
    [
      'conflicts',
      say({ scopeType: 'BY_ACCESS_CONFLICTS' }, {}, [makeEntry({ list: 'MONITOR', objectId: 'm' })]),
      'Access that breaks these conflict rules: monitor:m.',
    ],
    [
      'resources',
      say({ scopeType: 'BY_RESOURCE' }, {}, [makeEntry({ list: 'RESOURCE', objectId: 'r' })]),
      'Every entitlement on these resources: resource:r of app:app.',
    ],
    [
      'what is inherited',
      say({ scopeType: 'BY_INHERITANCE' }, {}, [makeEntry({ list: 'SCOPE_ROLE', objectId: 'r', roleResourceId: 'q' })]),
      'These roles: resource:q within resource:r of app:app; and what each is inherited through.',
    ],
    [
      'types of resources',
      say({}, {}, [], { resourceTypes: [{ appId: 'a', resourceTypeId: 't' }] }),
      'Everything on resources of the type resource type:t of app:a.',
    ],
  ])('%s', (_, { asked }, wanted) => {
    expect(asked).toBe(wanted);
  });

  it('counts what is too long to be named', () => {
    const entitlements = Array.from({ length: 20 }, (_, at) => ({ appId: 'a', entitlementId: `e${at}` }));
    const { asked } = say({}, {}, [], { entitlements, entitlementCount: 431 });
    expect(asked).toContain('entitlement:e19 and others');
    expect(asked).toContain('431 entitlements in all, named one by one');
    const many = Array.from({ length: 23 }, (_, at) => makeEntry({ kind: 'USER', objectId: `u${at}` }));
    expect(say({}, {}, many).leftOut).toMatch(/person:u19; 3 more\.$/);
  });
});

describe('each filter', () => {
  const people = {
    userIds: ['u1'],
    statuses: ['ENABLED'],
    managerIds: ['boss'],
    attributes: [{ key: 'department', values: ['Sales', ''] }],
    notHolding: [{ appId: 'a', id: 'admin' }],
  };
  it.each<[string, keyof ReturnType<typeof say>, Partial<Filters>, string[]]>([
    [
      'of people',
      'people',
      { people, filtersPeople: true, userExpression: 'subject.x' },
      [
        'These people: person:u1',
        'people who are enabled',
        'direct reports of person:boss',
        'people whose department is Sales or empty',
        'people who hold none of these: entitlement:admin',
        'the expression holds: subject.x',
        'no account without an owner',
      ],
    ],
    [
      'of accounts',
      'accounts',
      {
        accounts: { types: ['SERVICE_ACCOUNT'], statuses: ['ENABLED', 'DISABLED'], unowned: true, domain: 'EXTERNAL' },
        accountExpression: 'account.y',
        principals: 'BOTH',
      },
      [
        'Accounts of type service account',
        'accounts that are enabled or disabled',
        'accounts without an owner',
        'nobody of the directory has',
        'account.y',
        'groups and other resources',
      ],
    ],
    [
      'of accounts, as older reviews have it',
      'accounts',
      { legacy: { accounts: [{ ...noAccounts, types: ['USER'] }], people: noPeople } },
      ['type user'],
    ],
    [
      'of grants',
      'grants',
      {
        grants: {
          addedAtLeastSecondsAgo: 7_776_000,
          unusedForSeconds: 90,
          unreviewedForSeconds: 86_400,
          addedFrom: new Date('2026-01-01T00:00:00Z'),
          addedBefore: new Date('2026-02-01T00:00:00Z'),
          heldHow: 'INHERITED',
          lasts: 'TEMPORARY',
        },
        profiles: { included: ['p'], excluded: 'all' },
      },
      [
        '90 days before',
        'used for 90 seconds',
        'reviewed for 1 day',
        '2026-01-01',
        '2026-02-01',
        'inherited',
        'with an end',
        'profile:p',
        'no access profile',
      ],
    ],
    [
      'of what is left out',
      'leftOut',
      { exclusion: { types: ['SYSTEM_ACCOUNT'], statuses: ['DELETED'] } },
      ['type system account', 'are deleted'],
    ],
  ])('%s is said', (_, part, filters, wanted) => {
    const said = say({}, filters)[part];
    for (const words of wanted) {
      expect(said).toContain(words);
    }
  });

  it('says nothing where nothing filters', () => {
    expect(say({ everything: true })).toMatchObject({ people: '', accounts: '', grants: '', leftOut: '' });
  });

  it('says what was left out, and why', () => {
    const { leftOut, grants } = say({}, {}, [
      makeEntry({ kind: 'ENTITLEMENT', entitlementId: 'e', reason: 'reviewed elsewhere' }),
      makeEntry({ kind: 'GRANT', entitlementId: 'e', accountId: 'acc' }),
      makeEntry({ kind: 'RESOURCE', objectId: 'r' }),
      makeEntry({ kind: 'RESOURCE_TYPE', objectId: 't' }),
      makeEntry({ kind: 'ACCOUNT', accountId: 'acc' }),
      makeEntry({ list: 'CHANGES_ONLY' }),
      makeEntry({ list: 'GRANT', entitlementId: 'e', accountId: 'acc' }),
    ]);
    expect(leftOut).toBe(
      'Entitlement:e of app:app (reviewed elsewhere); entitlement:e of account account:acc; resource resource:r of app:app; resources of the type resource type:t of app:app; account account:acc of app:app.',
    );
    expect(grants).toBe(
      'Only 1 grant named one by one; and only what is new or changed since the review before; the rest of what was certified there is carried over.',
    );
  });
});
