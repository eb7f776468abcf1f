/**
 * Ids of another tenant inside the bodies of requests, wherever a body may name something: refused as ids of nothing are, in the same words,
 * without a word of what they are there, and nothing is made or changed. Ids in paths are tested in tenancy.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Loose } from '../support/api.ts';
import { fingerprint } from '../support/fingerprint.ts';
import type { Sample } from '../support/operations.ts';
import { untilAtRest } from '../support/until-at-rest.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** The other tenant's things; each name begins with Secret. */
interface Foreign {
  readonly userId: string;
  readonly appId: string;
  readonly typeId: string;
  readonly resourceId: string;
  readonly entitlementId: string;
  readonly policyId: string;
  readonly levelId: string;
  readonly frameworkId: string;
  readonly reviewId: string;
  readonly accountId: string;
}

/** The same ids, all of nothing. */
const nothing: Foreign = Object.fromEntries(
  ['userId', 'appId', 'typeId', 'resourceId', 'entitlementId', 'policyId', 'levelId', 'frameworkId', 'reviewId', 'accountId'].map(
    (name, index) => [name, `${'0'.repeat(25)}${String(index).padStart(2, '0')}`],
  ),
) as unknown as Foreign;

type Request = (stage: Stage, foreign: Foreign) => readonly [operation: string, sample: Sample];
const inApp = (stage: Stage, more: Readonly<Record<string, string>> = {}) => ({ app_id: stage.appId, ...more });
const newEntitlement =
  (fields: (foreign: Foreign) => object): Request =>
  (stage, foreign) => ['AppEntitlementService.create', { path: inApp(stage), fields: { displayName: 'New', ...fields(foreign) } }];
const sameEntitlement =
  (fields: (foreign: Foreign) => object): Request =>
  (stage, foreign) => [
    'AppEntitlementService.update',
    { path: inApp(stage, { id: stage.entitlementId }), fields: { entitlement: fields(foreign) } },
  ];
const ofCatalog =
  (operation: string, field: string, ref: (stage: Stage, foreign: Foreign) => object): Request =>
  (stage, foreign) => [operation, { path: { catalog_id: profileId }, fields: { [field]: [ref(stage, foreign)] } }];
let profileId = '';
const whole = (_stage: Stage, { appId, entitlementId }: Foreign) => ({ appId, id: entitlementId });
const half = (stage: Stage, { entitlementId }: Foreign) => ({ appId: stage.appId, id: entitlementId });

const requests: Readonly<Record<string, Request>> = {
  'the owners of a new app': (_stage, { userId }) => ['AppService.create', { fields: { displayName: 'New', owners: [userId] } }],
  'whose holders own a new app': (stage, foreign) => [
    'AppService.create',
    { fields: { displayName: 'New', appEntitlementOwnerRefs: [whole(stage, foreign)] } },
  ],
  'the policy of a new app': (_stage, { policyId }) => ['AppService.create', { fields: { displayName: 'New', certifyPolicyId: policyId } }],
  'the policy of an app': (stage, { policyId }) => [
    'AppService.update',
    { path: { id: stage.appId }, fields: { app: { certifyPolicyId: policyId } } },
  ],
  'the owners of an app': (stage, { userId }) => ['AppOwnerService.set', { path: inApp(stage), fields: { userIds: [userId] } }],
  'the owners of a resource': (stage, { userId }) => [
    'AppResourceOwnerService.add',
    { path: inApp(stage, { resource_type_id: stage.resourceTypeId, resource_id: stage.resourceId }), fields: { userId } },
  ],
  'the owners of an entitlement': (stage, { userId }) => [
    'AppEntitlementOwnerService.set',
    { path: inApp(stage, { entitlement_id: stage.entitlementId }), fields: { userIds: [userId] } },
  ],
  'the owners of a new resource': (stage, { userId }) => [
    'AppResourceService.createManuallyManagedAppResource',
    { path: inApp(stage, { app_resource_type_id: stage.resourceTypeId }), fields: { displayName: 'New', resourceOwnerUserIds: [userId] } },
  ],
  'what a resource is below': (stage, { resourceId }) => [
    'AppResourceService.update',
    {
      path: inApp(stage, { app_resource_type_id: stage.resourceTypeId, id: stage.resourceId }),
      fields: { appResource: { parentAppResourceId: resourceId } },
    },
  ],
  'the resource of a new entitlement': newEntitlement(({ typeId, resourceId }) => ({
    appResourceTypeId: typeId,
    appResourceId: resourceId,
  })),
  'the owners of a new entitlement': newEntitlement(({ userId }) => ({ appEntitlementOwnerIds: [userId] })),
  'the risk level of a new entitlement': newEntitlement(({ levelId }) => ({ riskLevelValueId: levelId })),
  'the framework of an entitlement': sameEntitlement(({ frameworkId }) => ({ complianceFrameworkValueIds: [frameworkId] })),
  'the risk level of an entitlement': sameEntitlement(({ levelId }) => ({ riskLevelValueId: levelId })),
  'the policy of an entitlement': sameEntitlement(({ policyId }) => ({ grantPolicyId: policyId })),
  'the people of a source': (stage, { userId }) => ['ConnectorService.create', { path: inApp(stage), fields: { userIds: [userId] } }],
  'the app of a directory': (_stage, { appId }) => ['DirectoryService.create', { fields: { appId } }],
  'what an access profile gives': ofCatalog('RequestCatalogManagementService.addAppEntitlements', 'appEntitlements', whole),
  'what it gives, as if it were of our app': ofCatalog('RequestCatalogManagementService.addAppEntitlements', 'appEntitlements', half),
  'all that an access profile gives': ofCatalog('RequestCatalogManagementService.updateAppEntitlements', 'appEntitlements', whole),
  'who sees an access profile': ofCatalog('RequestCatalogManagementService.addAccessEntitlements', 'accessEntitlements', whole),
  'who decides in somebody’s place': (stage, { userId }) => [
    'UserService.setExpiringUserDelegationBindingByAdmin',
    { path: { user_id: stage.people[0]?.id ?? '' }, fields: { delegatedUserId: userId } },
  ],
  'the owners of a new review': (_stage, { userId }) => [
    'AccessReviewService.create',
    { fields: { displayName: 'New', ownerIds: [userId] } },
  ],
  'what a new review repeats': (_stage, { reviewId }) => [
    'AccessReviewService.create',
    { fields: { displayName: 'New', duplicateFrom: reviewId } },
  ],
  'whose account an account stands for': (stage, { userId }) => [
    'AccountOwnerService.setOwner',
    { path: inApp(stage, { app_user_id: accountId }), fields: { userId } },
  ],
  'whose membership ends': (stage, foreign) => [
    'AppEntitlementService.removeEntitlementMembership',
    { path: inApp(stage, { app_entitlement_id: stage.entitlementId }), fields: { appUserId: foreign.accountId } },
  ],
};
let accountId = '';

describe('ids of another tenant', () => {
  let stage: Stage;
  let foreign: Foreign;

  const print = () => fingerprint(stage.server.test, stage.server.id);

  beforeAll(async () => {
    stage = await openStage();
    const there = async (name: string, sample: Sample): Promise<Loose> => {
      const { status, body } = await stage.ask(name, sample, stage.other);
      expect([name, status]).toEqual([name, 200]);
      return body;
    };
    const displayName = 'Secret';
    const appId = (await there('AppService.create', { fields: { displayName } })).app.id;
    const path = { app_id: appId };
    const kind = { path, fields: { displayName, resourceType: 'ROLE' } };
    const typeId = (await there('AppResourceTypeService.createManuallyManagedResourceType', kind)).appResourceType.id;
    const resource = { path: { ...path, app_resource_type_id: typeId }, fields: { displayName } };
    const entitlement = await there('AppEntitlementService.create', { path, fields: { displayName } });
    const entitlementId = entitlement.appEntitlementView.appEntitlement.id;
    const { id: userId } = await stage.other.makePerson('secret@other.example');
    const at = { ...path, app_entitlement_id: entitlementId };
    await there('AppEntitlementService.addManuallyManagedMembers', { path: at, fields: { userIds: [userId] } });
    const steps = { policyType: 'POLICY_TYPE_CERTIFY', policySteps: { certify: { steps: [{ approval: { self: {} } }] } } };
    foreign = {
      userId,
      appId,
      typeId,
      resourceId: (await there('AppResourceService.createManuallyManagedAppResource', resource)).appResource.id,
      entitlementId,
      policyId: (await there('PolicyService.create', { fields: { displayName, ...steps } })).policy.id,
      levelId: (await there('RiskLevelService.createRiskLevelAttributeValue', { fields: { value: displayName } })).value.id,
      frameworkId: (await there('ComplianceFrameworkService.createComplianceFrameworkAttributeValue', { fields: { value: displayName } }))
        .value.id,
      reviewId: (await there('AccessReviewService.create', { fields: { displayName } })).accessReview.accessReview.id,
      accountId: (await there('AppUserService.list', { path })).list[0].appUser.id,
    };
    const made = await stage.ok('RequestCatalogManagementService.create', { fields: { displayName: 'Ours' } });
    profileId = made.requestCatalogView.requestCatalog.id;
    const member = { path: inApp(stage, { app_entitlement_id: stage.entitlementId }), fields: { userIds: [stage.people[0]?.id] } };
    await stage.ok('AppEntitlementService.addManuallyManagedMembers', member);
    accountId = (await stage.ok('AppUserService.list', { path: inApp(stage) })).list[0].appUser.id;
  }, 240_000);
  afterAll(() => stage.stop());

  it.each(Object.entries(requests))('as %s are refused as those of nothing are', async (_name, make) => {
    await untilAtRest(stage.server.test);
    const before = await print();
    const answers: Answer[] = [];
    for (const ids of [foreign, nothing]) {
      const [operation, sample] = make(stage, ids);
      const answer = await stage.ask(operation, sample);
      expect([operation, answer.status]).toEqual([operation, expect.toBeOneOf([400, 404])]);
      expect(JSON.stringify(answer.body)).not.toMatch(/secret/i);
      answers.push(answer);
    }
    // The same words, but for the ids, which the caller knows.
    const words = answers.map(({ status, body }) => [
      status,
      body.code,
      JSON.stringify([body.message, body.details]).replace(/[0-9A-Za-z]{27}/g, 'ID'),
    ]);
    expect(words[0]).toEqual(words[1]);
    expect(await print()).toEqual(before);
  });

  it('as members of an entitlement are reported one by one, and nobody is given anything', async () => {
    await untilAtRest(stage.server.test);
    const before = await print();
    const path = inApp(stage, { app_entitlement_id: stage.entitlementId });
    for (const { userId } of [foreign, nothing]) {
      const body = await stage.ok('AppEntitlementService.addManuallyManagedMembers', { path, fields: { userIds: [userId] } });
      expect(body.failedUsersErrorMap).toEqual({ [userId]: 'There is no such user.' });
    }
    expect(await print()).toEqual(before);
  });
});
