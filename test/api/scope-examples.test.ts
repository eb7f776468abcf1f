/** Scopes over a small company, over HTTP: what each chooses, what leaves out the rest, and what is refused with every reason. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, request } from '../support/api.ts';
import type { TestServer } from '../support/server.ts';
import { type Company, grantsCsv, type Held, held, startCompany } from '../support/small-company.ts';
import { sampled } from '../support/runs.ts';

describe('scopes', () => {
  let company: Company;
  let server: TestServer;
  let appId: string;
  let users: Company['users'];
  let ids: Company['ids'];
  let resources: Company['resources'];
  beforeAll(async () => {
    company = await startCompany();
    ({ server, appId, users, ids, resources } = company);
  });
  afterAll(() => server.stop());

  const P = () => ({ singleApp: { appId } });
  const call: Company['call'] = (...of) => company.call(...of);
  const draft: Company['draft'] = (...of) => company.draft(...of);
  const preview: Company['preview'] = (id) => company.preview(id);
  const act: Company['act'] = (...of) => company.act(...of);

  /** The items of a scope, as "account entitlement"; its preview counts the same, and its funnel sums to all grants of the app. */
  async function itemsFor(document: object, lists?: object): Promise<string[]> {
    const id = await draft(document, lists);
    const { items, funnel } = await preview(id);
    expect(funnel.reduce((sum: number, stage: Loose) => sum + Number(stage.grants), 0)).toBe(12);
    await act(id, 'prepare', 'REVIEW');
    const found = company.itemsOf((await company.selections(id)).list);
    expect(Number(items)).toBe(found.length);
    expect(await call('POST', `/api/v1/access_review/${id}/action/replay`, {})).toMatchObject({ matches: true, differenceCount: '0' });
    const { completeness } = await call('GET', `/api/v1/access_review/${id}/completeness`);
    // The company is brought into its state by hand, behind its file: that is sum 2.
    expect(completeness.sums.filter((one: Loose) => !one.holds && one.number !== 2)).toEqual([]);
    return found;
  }
  const all = held.map(([account, entitlement]) => `${account} ${entitlement}`).sort();
  const ofA1 = ['a1 grp', 'a1 pay', 'a1 rep', 'a1 sub'];
  const cc = (value: string) => ({ multiUserProfileAttributes: { cc: { values: [{ value }] } } });
  const criteria = (userCriteria: object) => ({ ...P(), scopeV2: { userCriteria } });
  const accountsBy = (accountCriteria: object, more: object = {}) => ({ ...P(), scopeV2: { accountCriteria, ...more } });
  const grantsBy = (grantsByCriteria: object) => ({ ...P(), scopeV2: { grantsByCriteria } });
  const inheriting = () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_INHERITANCE', scopeV2: { resourceSelection: {} } });
  const role = (scope: string, at: string) => ({ appId, scopeResourceId: resources[scope], roleResourceId: resources[at] });
  const links = (more: object = {}) => ({ scopeV2: { principalTypeFilter: 'PRINCIPAL_TYPE_FILTER_RESOURCES', ...more } });
  const linksToo = (more: object = {}) => ({ scopeV2: { principalTypeFilter: 'PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES', ...more } });
  const named = (...of: [string, string][]) => ({
    grants: of.map(([account, entitlement]) => ({ appId, entitlementId: ids[entitlement], accountId: ids[account] })),
  });
  const without = (...items: string[]) => all.filter((item) => !items.includes(item));

  const cases: [string, () => object, readonly string[], (() => object)?][] = [
    ['an app', P, all],
    ['grants by name', P, ['a1 sub', 'a2 pay'], () => named(['a1', 'sub'], ['a2', 'pay'])],
    ['grants by name, within what is chosen', () => ({ ...P(), ...linksToo() }), ['a1 sub'], () => named(['a1', 'sub'], ['a1', 'app'])],
    ['its app access', () => ({ ...P(), scopeV2: { appAccess: {} } }), ['a1 app', 'a2 app', 'a3 app', 's1 app', 'x1 app']],
    [
      'people by status, and all they hold',
      () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS', scopeV2: { userCriteria: { userStatus: ['ENABLED'] } } }),
      ['a1 app', ...ofA1, 'a2 app', 'a2 pay'],
    ],
    ['all but the members of a group', () => criteria({ groupAppEntitlementsRef: [{ appId, id: ids.grp }] }), ['a2 pay', 'a3 sub']],
    ['reports of a manager', () => criteria({ managerUserIds: [users.max] }), [...ofA1, 'a2 pay']],
    ['reports of a manager with an attribute', () => criteria({ managerUserIds: [users.max], ...cc('7') }), ofA1],
    ['people without an attribute', () => criteria(cc('')), ['a2 pay']],
    [
      'a manager by address, as an attribute',
      () => criteria({ multiUserProfileAttributes: { manager: { values: [{ value: 'ida@corp.test' }] } } }),
      ['a3 sub'],
    ],
    [
      'an attribute of the older scope without values, which filters nothing',
      () => ({ ...P(), inclusionScope: { multiUserProfileAttributes: { cc: { values: [] } } } }),
      all,
    ],
    ['external accounts', () => accountsBy({ accountDomain: 'APP_USER_DOMAIN_EXTERNAL' }, { appAccess: {} }), ['x1 app']],
    ['trusted accounts', () => accountsBy({ accountDomain: 'APP_USER_DOMAIN_TRUSTED' }, { appAccess: {} }), ['a1 app', 'a2 app', 'a3 app']],
    [
      'accounts alone: everything they hold',
      () => ({ scopeV2: { accountCriteria: { accountTypes: ['SERVICE_ACCOUNT'] } } }),
      ['s1 app', 's1 rep'],
    ],
    ['what was not used for long', () => grantsBy({ daysSinceLastUsed: '90' }), without('a1 pay')],
    ['what is held directly', () => grantsBy({ sourceFilter: 'GRANT_SOURCE_FILTER_DIRECT' }), without('a1 rep')],
    ['what is inherited', () => grantsBy({ sourceFilter: 'GRANT_SOURCE_FILTER_INHERITED' }), ['a1 rep']],
    ['what has an end', () => grantsBy({ typeFilter: 'GRANT_FILTER_TYPE_TEMPORARY' }), ['a1 sub']],
    [
      'old grants of people',
      () => ({ ...P(), scopeV2: { accountCriteria: { accountTypes: ['USER'] }, grantsByCriteria: { daysSinceAdded: '90' } } }),
      [...ofA1, 'a3 sub'],
    ],
    [
      'a resource',
      () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE', scopeV2: { resourceSelection: {} } }),
      ['a1 rep', 's1 rep'],
      () => ({ resources: [{ appId, id: resources.Repo }] }),
    ],
    [
      'a resource, and some accounts',
      () => ({
        scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE',
        scopeV2: { resourceSelection: {}, accountCriteria: { accountTypes: ['USER'] } },
      }),
      ['a1 rep'],
      () => ({ resources: [{ appId, id: resources.Repo }] }),
    ],
    [
      'a resource, and by way of what its access is inherited',
      inheriting,
      ['a1 rep', 's1 rep', 'a1 grp'],
      () => ({ resources: [{ appId, id: resources.Repo }] }),
    ],
    [
      'nothing by way of which only what is left out is inherited',
      inheriting,
      ['s1 rep'],
      () => ({
        resources: [{ appId, id: resources.Repo }],
        exclusions: [{ kind: 'GRANT', appId, entitlementId: ids.rep, accountId: ids.a1, reason: 'Elsewhere' }],
      }),
    ],
    [
      'a resource and what lies above it',
      inheriting,
      ['a1 pay', 'a2 pay', 'a1 sub', 'a3 sub'],
      () => ({ resources: [{ appId, id: resources.Pay }] }),
    ],
    [
      'roles at or below a scope',
      () => ({ ...inheriting(), scopeV2: { scopeRoleSelection: {} } }),
      ['a1 pay', 'a2 pay', 'a1 rep', 's1 rep', 'a1 grp'],
      () => ({ scopeRoles: [role('Ledger', 'Pay'), role('Repo', 'Repo')] }),
    ],
    [
      'links of resources to an entitlement',
      () => ({ ...links(), multiApp: { appEntitlements: { [appId]: { appId, entitlementIds: [ids.rep] } } } }),
      ['Staff rep'],
    ],
    [
      'links by what grants are filtered by: direct, permanent, last used nobody knows when',
      () => ({
        ...P(),
        ...links({
          grantsByCriteria: {
            sourceFilter: 'GRANT_SOURCE_FILTER_DIRECT',
            typeFilter: 'GRANT_FILTER_TYPE_PERMANENT',
            daysSinceLastUsed: '90',
            daysSinceAdded: '0',
          },
        }),
      }),
      ['Staff rep'],
    ],
    [
      'links beside what some accounts hold',
      () => ({ ...P(), ...linksToo({ accountCriteria: { accountTypes: ['SERVICE_ACCOUNT'] } }) }),
      ['s1 rep', 'Staff rep'],
    ],
    [
      'links to a resource beside what is inherited',
      () => ({ ...inheriting(), ...linksToo({ resourceSelection: {} }) }),
      ['a1 rep', 's1 rep', 'a1 grp', 'Staff rep'],
      () => ({ resources: [{ appId, id: resources.Repo }] }),
    ],
    ['unowned accounts', () => accountsBy({ noAccountOwner: true }), ['s1 rep']],
    ['a risk', () => ({ scopeV2: { appSelectionCriteria: { riskLevelAttributeValueIds: [company.high] } } }), ['a1 pay', 'a2 pay']],
    [
      'all but what is on a list',
      P,
      ['a1 grp', 'a1 rep'],
      () => ({
        exclusions: [
          { kind: 'ENTITLEMENT', appId, entitlementId: ids.pay, reason: 'Elsewhere' },
          { kind: 'GRANT', appId, entitlementId: ids.sub, accountId: ids.a1, reason: 'Elsewhere' },
          { kind: 'ACCOUNT', appId, accountId: ids.s1, reason: 'Elsewhere' },
          { kind: 'USER', id: users.cyn, reason: 'Elsewhere' },
        ],
      }),
    ],
  ];
  it.each(sampled(cases, 6))('%s', async (_name, document, expected, lists) => {
    expect(await itemsFor(document(), lists?.())).toEqual([...expected].sort());
  });

  it('says of each grant which filter is the first that leaves it out, with names', async () => {
    const id = await draft({
      ...P(),
      scopeV2: { accountCriteria: { accountTypes: ['USER'] }, grantsByCriteria: { daysSinceAdded: '90' } },
    });
    const { funnel, topEntitlements, difference, staleSources } = await preview(id);
    const stages = Object.fromEntries(
      funnel.filter((one: Loose) => one.grants !== '0').map((one: Loose) => [one.filter, Number(one.grants)]),
    );
    expect(stages).toEqual({ NOT_CHOSEN: 5, ACCOUNT: 1, GRANT: 1, ITEM: 5 });
    expect(funnel.find((one: Loose) => one.filter === 'GRANT').samples).toEqual(['a2 (Bob)']);
    expect(funnel.find((one: Loose) => one.filter === 'ACCOUNT').samples).toEqual(['s1']);
    expect(topEntitlements[0]).toMatchObject({ appEntitlementId: ids.sub, items: '2' });
    expect([difference, staleSources]).toEqual([undefined, []]);
  });

  it('looks sixteen resources up, and ends in a circle', async () => {
    const { db, tenantId } = server.system();
    for (let height = 1; height <= 16; height++) {
      const name = `Above ${height}`;
      resources[name] = `above${String(height).padStart(22, '0')}`;
      await db.run(
        `INSERT INTO resources (tenant_id, app_id, id, resource_type_id, external_id, display_name, created_at, updated_at)
         SELECT r.tenant_id, r.app_id, $3, r.resource_type_id, $4, $4, r.created_at, r.updated_at FROM resources r WHERE r.tenant_id = $1 AND r.id = $2`,
        [tenantId, resources.Repo, resources[name], name],
      );
      await company.putBelow(height === 1 ? 'Repo' : `Above ${height - 1}`, name);
    }
    const lists = { resources: [{ appId, id: resources.Repo }] };
    const repo = ['a1 grp', 'a1 rep', 's1 rep'];
    await company.putBelow('Above 16', 'Ledger');
    expect(await itemsFor(inheriting(), lists)).toEqual(repo);
    await company.putBelow('Above 15', 'Ledger');
    expect(await itemsFor(inheriting(), lists)).toEqual([...repo, 'a1 sub', 'a3 sub'].sort());
    await company.putBelow('Above 15', 'Repo');
    expect(await itemsFor(inheriting(), lists)).toEqual(repo);
    await company.putBelow('Repo', '');
  });

  it('counts by way of which entitlement nothing in scope is inherited as not chosen', async () => {
    const id = await draft(
      { ...inheriting(), scopeV2: { resourceSelection: {}, accountCriteria: { accountTypes: ['SERVICE_ACCOUNT'] } } },
      {
        resources: [{ appId, id: resources.Repo }],
      },
    );
    const { funnel, entitlements, topEntitlements, undescribedEntitlements, undescribedItems, items } = await preview(id);
    // The file describes none.
    expect([undescribedEntitlements, undescribedItems]).toEqual([entitlements, items]);
    const stages = funnel.filter((one: Loose) => one.grants !== '0').map((one: Loose) => `${one.filter} ${one.grants}`);
    expect(stages).toEqual(['NOT_CHOSEN 10', 'ACCOUNT 1', 'ITEM 1']);
    expect([entitlements, topEntitlements.length]).toEqual(['1', 1]);
  });

  it('says whom an expression failed for, and what the policy decides by itself', async () => {
    const step = { accept: { acceptMessage: 'Nobody decides about service accounts' } };
    const approval = { approval: { manager: { fallback: false } } };
    const document = {
      displayName: 'By itself',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: {
        certify: { steps: [approval] },
        service: { steps: [step] },
        later: { steps: [{ wait: { duration: { duration: '3600s' } } }, approval] },
      },
      rules: [
        { condition: 'account.appUserType == AppUserType.SERVICE_ACCOUNT', stepKey: 'service' },
        { condition: 'entitlement.displayName.contains("sub")', stepKey: 'later' },
      ],
    };
    const { policy } = await call('POST', '/api/v1/policies', document);
    const decided = await preview(await draft({ ...P(), policyId: policy.id }));
    expect([decided.items, decided.acceptedItems, decided.rejectedItems, decided.waitingItems, decided.unassignedItems]).toEqual([
      '7',
      '1',
      '0',
      '2',
      '0',
    ]);
    const failed = await preview(await draft({ ...P(), scopeV2: { celExpression: { expression: 'subject.profile.cc == "7"' } } }));
    const stages = failed.funnel.filter((one: Loose) => one.grants !== '0').map((one: Loose) => `${one.filter} ${one.grants}`);
    expect(stages).toEqual(['NOT_CHOSEN 5', 'UNOWNED 1', 'CEL_ERROR 1', 'ITEM 5']);
    expect(failed.expressionErrors).toEqual([
      {
        appId,
        appUserId: ids.a2,
        account: 'a2',
        message: expect.stringContaining('cc'),
        field: 'scopeV2.celExpression',
        expression: 'subject.profile.cc == "7"',
      },
    ]);
  });

  it('shows the funnel and an example where an expression fails for everybody, and prepare names it', async () => {
    const expression = 'subject.profile.no_such_column == "7"';
    const id = await draft({ ...P(), scopeV2: { celExpression: { expression } } });
    const shown = await request(server, server.admin, 'POST', `/api/v1/access_review/${id}/preview`, {});
    expect([shown.status, shown.body.items, shown.body.sampleItems]).toEqual([200, '0', []]);
    const stages = shown.body.funnel.filter((one: Loose) => one.grants !== '0').map(({ filter }: Loose) => filter);
    expect(stages).toEqual(['NOT_CHOSEN', 'UNOWNED', 'CEL_ERROR']);
    const [first] = shown.body.expressionErrors;
    expect(first).toMatchObject({ account: expect.stringMatching(/^a\d$/), field: 'scopeV2.celExpression', expression });
    expect(first.message).toContain('no_such_column');
    const { status, body } = await request(server, server.admin, 'POST', `/api/v1/access_review/${id}/action/prepare`, {});
    expect(status).toBe(400);
    expect(body.message).toMatch(
      /an expression fails for \d+ of \d+ accounts, such as "a\d": .*no_such_column.*\(scopeV2\.celExpression: subject\./,
    );
  });

  it('counts what an older filter of people drops because nobody owns it as unowned', async () => {
    const { funnel } = await preview(await draft({ ...P(), inclusionScope: { userStatuses: ['USER_ENABLED'] } }));
    const stages = Object.fromEntries(
      funnel.filter((one: Loose) => one.grants !== '0').map((one: Loose) => [one.filter, Number(one.grants)]),
    );
    expect(stages).toEqual({ NOT_CHOSEN: 5, LEGACY: 1, UNOWNED: 1, ITEM: 5 });
  });

  const refused: [string, () => object, readonly string[], (() => object)?][] = [
    [
      'unowned accounts of people',
      () => ({ ...P(), scopeV2: { accountCriteria: { noAccountOwner: true }, userCriteria: { userStatus: ['ENABLED'] } } }),
      ['scopeV2.accountCriteria.noAccountOwner'],
    ],
    [
      'a risk and a framework that nothing has',
      () => ({
        scopeV2: {
          appSelectionCriteria: { riskLevelAttributeValueIds: [company.high], complianceFrameworkAttributeValueIds: [company.framework] },
        },
      }),
      ['accessReview'],
    ],
    [
      'several things at once',
      () => ({
        ...P(),
        scopeV2: { userCriteria: {}, accountCriteria: {}, grantsByCriteria: {}, appSelectionCriteria: {}, excludedSpecificResources: {} },
      }),
      [
        'scopeV2.userCriteria',
        'scopeV2.accountCriteria',
        'scopeV2.grantsByCriteria',
        'scopeV2.excludedSpecificResources',
        'scopeV2.appSelectionCriteria',
      ],
    ],
    [
      'a key without values',
      () => criteria({ multiUserProfileAttributes: { cc: { values: [] } } }),
      ['scopeV2.userCriteria.multiUserProfileAttributes.cc'],
    ],
    ['people by no people', () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_USERS', ...P() }), ['scopeType']],
    [
      'resources with an app',
      () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_RESOURCE', ...P(), scopeV2: { resourceSelection: {} } }),
      ['scopeV2.resourceSelection', 'singleApp'],
    ],
    [
      'conflicts of none, with an app',
      () => ({ scopeType: 'ACCESS_REVIEW_SCOPE_TYPE_BY_ACCESS_CONFLICTS', ...P(), scopeV2: { allUsers: {} } }),
      ['scopeType', 'singleApp'],
    ],
    ['inheritance of nothing', () => ({ ...inheriting(), scopeV2: {} }), ['scopeType']],
    ['inheritance with an app', () => ({ ...inheriting(), ...P() }), ['scopeV2.resourceSelection', 'singleApp']],
    [
      'roles outside of their scope',
      () => ({ ...inheriting(), scopeV2: { scopeRoleSelection: {} } }),
      ['scopeRoles[1]'],
      () => ({ resources: [{ appId, id: resources.Repo }], scopeRoles: [role('Ledger', 'Pay'), role('Pay', 'Ledger')] }),
    ],
    ['conflicts among entitlements', () => ({ ...P(), scopeV2: { allAccessConflicts: {} } }), ['scopeV2.allAccessConflicts']],
    ['links of some people', () => ({ ...P(), ...links({ userCriteria: { userStatus: ['ENABLED'] } }) }), ['scopeV2.principalTypeFilter']],
    [
      'links of some accounts',
      () => ({ ...P(), ...links(), exclusionScope: { appUserTypes: ['APP_USER_TYPE_USER'] } }),
      ['scopeV2.principalTypeFilter'],
    ],
    [
      'inherited links, of which there are none',
      () => ({ ...P(), ...links({ grantsByCriteria: { sourceFilter: 'GRANT_SOURCE_FILTER_INHERITED' } }) }),
      ['accessReview'],
    ],
    [
      'profiles by a type without a list',
      () => grantsBy({ accessProfileFilter: { filterType: 'ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC' } }),
      ['scopeV2.grantsByCriteria.accessProfileFilter.filterType'],
    ],
    [
      'one entitlement under two policies',
      () => ({
        multiApp: {
          appEntitlementDetails: {
            one: { entitlementDetails: { a: { appId, entitlementId: ids.pay, policyId: 'p1' } } },
            two: { entitlementDetails: { a: { appId, entitlementId: ids.pay, policyId: 'p2' } } },
          },
        },
      }),
      ['accessReview.multiApp.appEntitlementDetails.one.entitlementDetails.a.entitlementId'],
    ],
    ['what is not there to be left out', P, ['accessReview'], () => ({ exclusions: [{ kind: 'USER', id: 'nobody', reason: 'x' }] })],
  ];
  it.each(sampled(refused, 6))('refuses %s, at preview and at prepare', async (_name, document, fields, lists) => {
    const id = await draft(document(), lists?.());
    for (const path of ['preview', 'action/prepare']) {
      const answer = await request(server, server.admin, 'POST', `/api/v1/access_review/${id}/${path}`, {});
      expect(answer.status).toBe(400);
      const violations = answer.body.details.flatMap((detail: Loose) => detail.fieldViolations ?? []).map((one: Loose) => one.field);
      expect([...new Set(violations)].sort()).toEqual(expect.arrayContaining([...fields]));
    }
  });

  it('leads to insights that name the path by which access is inherited, and the date at which it ends', async () => {
    const id = await draft(P(), named(['a1', 'rep'], ['a1', 'sub']));
    await act(id, 'prepare', 'REVIEW');
    await act(id, 'start', 'OPEN');
    const body = { accessReviewIds: [id], pageSize: 10, expandMask: { paths: ['insight_ids'] } };
    const { expanded } = await call('POST', '/api/v1/search/tasks', body);
    const sentences = expanded.flatMap(({ term, sentence }: Loose) => (/INHERITED|TEMPORARY/.test(term) ? [sentence] : []));
    expect(sentences.sort()).toEqual(['The access ends on 2099-01-01.', 'The access is inherited through “Staff grp”.']);
  });

  it('takes lists whole, with a reason for all that is left out, while the review is a draft', async () => {
    const id = await draft(P());
    const path = `/api/v1/access_review/${id}/scope_lists`;
    const lists = {
      monitorIds: ['m'],
      resources: [{ appId, id: resources.Repo }],
      scopeRoles: [{ appId, scopeResourceId: resources.Repo, roleResourceId: resources.Staff }],
      exclusions: [
        { kind: 'SCOPE_EXCLUSION_KIND_ACCOUNT', appId, id: '', entitlementId: '', accountId: ids.a1, reason: 'Asked elsewhere' },
      ],
      changesOnly: true,
      grants: [{ appId, entitlementId: ids.pay, accountId: ids.a1 }],
    };
    expect(await call('PUT', path, lists)).toEqual({ scopeLists: { ...lists, resourceTypes: [] } });
    // Types have an operation of their own, and are read with the others.
    const { db, tenantId } = server.system();
    const { id: resourceTypeId } = await db.one<{ id: string }>('SELECT r.id FROM resource_types r WHERE r.tenant_id = $1', [tenantId]);
    const resourceTypes = [{ appId, resourceTypeId }];
    await call('POST', `/api/v1/access_review/${id}/scope_by_resource_type`, { resourceTypeSelections: resourceTypes });
    expect(await call('PUT', path, lists)).toEqual({ scopeLists: { ...lists, resourceTypes } });
    expect(await call('GET', path)).toEqual({ scopeLists: { ...lists, resourceTypes } });
    const wrong = await request(server, server.admin, 'PUT', path, {
      resources: [{ appId: '', id: '' }],
      exclusions: [{ kind: 'USER', appId, id: users.ann, reason: ' ' }, { reason: 'x' }],
    });
    expect(wrong.status).toBe(400);
    const fields = wrong.body.details[0].fieldViolations.map((one: Loose) => one.field);
    expect(fields).toEqual(['resources[0].appId', 'resources[0].id', 'exclusions[0].appId', 'exclusions[0].reason', 'exclusions[1].kind']);
    await call('PUT', path, {});
    await act(id, 'prepare', 'REVIEW');
    await call('PUT', path, {});
    expect((await request(server, server.admin, 'PUT', path, lists)).status).toBe(400);
  });

  it('replays a closed review to the same hashes after imports, and compares the next one with it', async () => {
    const id = await draft({ ...P(), scopeV2: { grantsByCriteria: { daysSinceLastUsed: '90' } } });
    await act(id, 'prepare', 'REVIEW');
    const inherited = await draft(inheriting(), { resources: [{ appId, id: resources.Repo }] });
    await act(inherited, 'prepare', 'REVIEW');
    const { inputHash, itemsHash, list } = await company.selections(id);
    const expected = new Map<string, string[]>();
    for (const { selection } of list) {
      expected.set(selection.appUserId, [...(expected.get(selection.appUserId) ?? []), selection.appEntitlementId]);
    }
    const sha = (...pieces: (string | Buffer)[]) => pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest();
    const digests = [...expected.keys()].sort().map((one) => sha(['A', one, ...(expected.get(one) ?? []).sort()].join('\x1f')));
    expect(itemsHash).toBe(sha(sha(appId, ...digests)).toString('hex'));
    expect(inputHash).toMatch(/^[0-9a-f]{64}$/);
    await act(id, 'start', 'OPEN');
    // What was not used is used now, what was held directly is inherited, one is gone, one is new.
    const next: Held[] = [
      ...held
        .filter(([account, entitlement]) => !(account === 's1' || (account === 'a1' && entitlement === 'sub')))
        .map(([account, entitlement, facts]): Held => [account, entitlement, account === 'a3' ? { ...facts, used: 1 } : facts]),
      ['a1', 'sub', { via: 'role/Staff/grp' }],
      ['s1', 'grp', {}],
    ];
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(next));
    await act(id, 'close', 'CLOSED');
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(held));
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(next));
    const replay = await call('POST', `/api/v1/access_review/${id}/action/replay`, {});
    expect(replay).toMatchObject({
      matches: true,
      inputHash,
      itemsHash,
      recordedInputHash: inputHash,
      recordedItemsHash: itemsHash,
      items: '6',
    });
    const ofInherited = await call('POST', `/api/v1/access_review/${inherited}/action/replay`, {});
    expect(ofInherited).toMatchObject({ matches: true, items: '3', differenceCount: '0' });
    const again = await call('POST', '/api/v1/access_review', { duplicateFrom: inherited, displayName: 'Again' });
    // s1 has lost rep, and what a1 holds it by way of is as before.
    expect(await preview(again.accessReview.accessReview.id)).toMatchObject({ items: '2' });
    const copied = await call('POST', '/api/v1/access_review', { duplicateFrom: id, displayName: 'Next' });
    const { difference } = await preview(copied.accessReview.accessReview.id);
    // a1 grp, rep and a2 pay stay; a1 sub is held otherwise; s1 grp is new; a3 sub and s1 rep are gone.
    expect(difference).toEqual({ predecessorId: id, added: '1', unchanged: '3', changed: '1', gone: '2', carried: '0' });
    const { db, tenantId } = server.system();
    await db.run(
      `UPDATE tasks SET entitlement_id = $3 WHERE tenant_id = $1 AND review_id = $2 AND entitlement_id = $4 AND account_id = $5`,
      [tenantId, id, ids.pay, ids.grp, ids.a1],
    );
    expect(await call('POST', `/api/v1/access_review/${id}/action/replay`, {})).toMatchObject({
      matches: false,
      itemsHash,
      differenceCount: '2',
      differences: [expect.anything(), expect.anything()],
    });
  });

  it('asks about a link as about a grant: its resource stands for the account, and it ends with the last path that has it', async () => {
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(held));
    await call('POST', `/api/v1/apps/${appId}/owners/${users.max}`, {});
    const policyOf = async (step: object): Promise<string> => {
      const document = {
        displayName: 'Links',
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: step }] } },
      };
      return (await call('POST', '/api/v1/policies', document)).policy.id;
    };
    const both = { ...P(), ...linksToo({ accountCriteria: { accountTypes: ['SERVICE_ACCOUNT'] } }), autoResolve: true };
    // Nobody is the manager of a resource.
    const byManager = await preview(await draft({ ...both, policyId: await policyOf({ manager: {} }) }));
    expect([byManager.items, byManager.linkItems, byManager.accounts]).toEqual(['2', '1', '1']);
    expect(byManager.reviewers.map(({ reason }: Loose) => reason)).toEqual(['REVIEW_OWNERS']);

    const id = await draft({ ...both, policyId: await policyOf({ appOwners: {} }) });
    await act(id, 'prepare', 'REVIEW');
    await act(id, 'start', 'OPEN');
    const search = async (query: string): Promise<Loose> =>
      call('POST', '/api/v1/search/tasks', { accessReviewIds: [id], query, expandMask: { paths: ['*'] } });
    const find = async () => (await search('staff')).list;
    const [view, ...more] = await find();
    expect(more).toEqual([]);
    expect(view.appUserPath).toBe('');
    expect(view.task).toMatchObject({
      displayName: 'Certify Staff Repo rep in P',
      description: 'Everybody who holds the resource Staff inherits this entitlement.',
      userId: '',
      stepApproverIds: [users.max],
      type: { certify: { appUserId: '', identityUserId: '', appEntitlementId: ids.rep } },
      data: { principalResource: 'Staff', principalResourceId: resources.Staff, reviewerReason: 'APP_OWNERS' },
    });
    expect((await search('')).list.length).toBe(2);

    // Nobody holds it by way of the group any more.
    const next = held.map(([account, entitlement]): Held => [account, entitlement, {}]);
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(next));
    await expect.poll(async () => (await find())[0].task.data.endReason, { timeout: 60_000 }).toBe('GRANT_GONE');
    const restart = await request(server, server.admin, 'POST', `/api/v1/tasks/${view.task.id}/action/restart`, { comment: 'again' });
    expect(restart.status).toBe(400);
    const replay = await call('POST', `/api/v1/access_review/${id}/action/replay`, {});
    expect(replay).toMatchObject({ matches: true, items: '2', differenceCount: '0' });

    await act(id, 'close', 'CLOSED');
    const reports = `/api/v1/access_review/${id}/report`;
    await call('POST', reports, { format: 'ACCESS_REVIEW_REPORT_FORMAT_CSV' });
    const done = async () => (await call('GET', reports)).list.find((one: Loose) => one.downloadUrl);
    await expect.poll(done, { timeout: 60_000 }).toBeDefined();
    const lines = (await (await fetch((await done()).downloadUrl)).text()).split('\n').map((line) => line.split(','));
    const at = (line: readonly string[], heading: string) => line[lines[0]?.indexOf(heading) ?? 0];
    const principals = lines.slice(1, -1).map((line) => `${at(line, 'Account')} ${at(line, 'Identity type')}`);
    expect(principals.sort()).toEqual(['Staff RESOURCE', 's1 SERVICE_ACCOUNT']);
  });

  it('proves the removal of a link by a sync without it', async () => {
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(held));
    const id = await draft({ ...P(), ...links() });
    await act(id, 'prepare', 'REVIEW');
    await act(id, 'start', 'OPEN');
    const [{ task }] = (await call('POST', '/api/v1/search/tasks', { accessReviewIds: [id] })).list;
    await call('POST', `/api/v1/tasks/${task.id}/action/deny`, { comment: 'Not the whole staff' });
    await act(id, 'close', 'CLOSED');
    const { db, tenantId } = server.system();
    const state = async () =>
      (await db.rows<{ state: string }>('SELECT r.state FROM revocations r WHERE r.tenant_id = $1', [tenantId]))[0]?.state;
    await expect.poll(state, { timeout: 60_000 }).toBe('IN_PROGRESS');
    const next = held.map(([account, entitlement]): Held => [account, entitlement, {}]);
    await company.importCsv('/api/v1/imports/grants?app=P&allow_removals=true', grantsCsv(next));
    await expect.poll(state, { timeout: 60_000 }).toBe('VERIFIED');
  });
});
