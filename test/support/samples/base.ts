/**
 * Sample requests of the operations about reviews, tasks, policies and credentials, and of reading the inventory.
 */
import type { TestPerson } from '../server.ts';
import { type World, worldGrants, worldPeople } from '../world.ts';
import type { MakeSample } from './sample.ts';

const review =
  (which: 'draftId' | 'openId', fields: object = {}): MakeSample =>
  (world) => ({
    path: { access_review_id: world[which], id: world[which] },
    fields: { ...fields },
  });
const app =
  (fields: object = {}): MakeSample =>
  (world) => ({
    path: {
      app_id: world.appId,
      id: world.appId,
      app_resource_type_id: world.resourceTypeId,
      app_resource_id: world.resourceId,
      app_entitlement_id: world.entitlementId,
      app_user_id: world.accountId,
      user_id: world.userId,
    },
    fields: { ...fields },
  });
const nothing: MakeSample = () => ({});
const decision =
  (fields: object = {}): MakeSample =>
  (world) => ({ path: { task_id: world.taskIds.at(-1) ?? '' }, fields: { ...fields } });
const inState =
  (state: string): MakeSample =>
  async (world) => ({ path: { access_review_id: await world.makeReviewIn(state) } });

/** A draft of which an administrator chose two, to be shortened to one: owners who may not make reviews only narrow. */
async function shortenIn(world: World, path: string, list: string, entry: object) {
  const id = await world.makeDraft();
  const other = { ...entry, appId: world.userId };
  await world.call(world.tenant.admin, 'POST', `/api/v1/access_review/${id}/${path}`, { [list]: [entry, other] });
  return { path: { access_review_id: id }, fields: { [list]: [entry] } };
}

const subjects = new WeakMap<World, Promise<TestPerson>>();

/** A new credential of the first person's own. */
async function ofSubject(world: World) {
  const subject = subjects.get(world) ?? world.tenant.ownClient(world.userId);
  subjects.set(world, subject);
  const { body } = await world.call(await subject, 'POST', '/api/v1/iam/personal_clients', { displayName: 'Of the first person' });
  return { path: { id: body.client.id } };
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AccessReviewActionsService.generateReport': review('openId', { format: 'ACCESS_REVIEW_REPORT_FORMAT_JSON' }),
  'AccessReviewReportService.list': review('openId'),
  'AccessReviewService.create': () => ({ fields: { displayName: 'Made' } }),
  'AccessReviewService.delete': async (world) => ({ path: { id: await world.makeDraft() } }),
  'AccessReviewService.get': review('openId'),
  'AccessReviewService.list': nothing,
  'AccessReviewService.update': review('draftId', { accessReview: { description: 'Changed' } }),
  'AccessReviewService.setCampaignScopeByResourceType': (world) =>
    shortenIn(world, 'scope_by_resource_type', 'resourceTypeSelections', { appId: world.appId, resourceTypeId: world.resourceTypeId }),
  'AccessReviewSetupEntitlementAndScopeService.getCampaignScopeAndEntitlements': review('draftId'),
  'AccessReviewSetupEntitlementAndScopeService.setCampaignScopeAndEntitlements': (world) =>
    shortenIn(world, 'scope_and_entitlements', 'entitlements', { appId: world.appId, appEntitlementId: world.entitlementId }),
  'AppEntitlementSearchService.search': (world) => ({ fields: { appIds: [world.appId] } }),
  'AppEntitlementService.searchAppEntitlementsWithExpired': app(),
  'AppEntitlementService.get': (world) => ({ path: { app_id: world.appId, id: world.entitlementId } }),
  'AppEntitlementService.list': app(),
  'AppEntitlementService.listForAppResource': app(),
  'AppEntitlementService.listForAppUser': app(),
  'AppEntitlementService.listUsers': app(),
  'AppOwnerService.add': (world) => ({ path: { app_id: world.otherAppId, user_id: world.userId } }),
  'AppOwnerService.delete': (world) => ({ path: { app_id: world.otherAppId }, fields: { userIds: [world.userId] } }),
  'AppOwnerService.list': app(),
  'AppOwnerService.listOwnerIDs': app(),
  'AppOwnerService.remove': (world) => ({ path: { app_id: world.otherAppId, user_id: world.userId } }),
  'AppOwnerService.set': (world) => ({ path: { app_id: world.otherAppId }, fields: { userIds: [world.userId] } }),
  'AppResourceService.get': (world) => ({
    path: { app_id: world.appId, app_resource_type_id: world.resourceTypeId, id: world.resourceId },
  }),
  'AppResourceService.list': app(),
  'AppResourceTypeService.get': (world) => ({ path: { app_id: world.appId, id: world.resourceTypeId } }),
  'AppResourceTypeService.list': app(),
  'AppService.search': nothing,
  'AppService.create': (_world, person) => ({ fields: { displayName: `Of ${person.email} ${Math.random()}` } }),
  'AppService.delete': async (world) => {
    const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/apps', { displayName: `To delete ${Math.random()}` });
    return { path: { id: body.app.id } };
  },
  'AppService.get': app(),
  'AppService.list': nothing,
  'AppService.update': (world) => ({ path: { id: world.otherAppId }, fields: { app: { description: 'Changed' } } }),
  'AppUserService.list': app(),
  'AppUserService.search': (world) => ({ fields: { appIds: [world.appId] } }),
  'AppUsersForUserService.listAppUsersForUser': app(),
  'AuthService.introspect': nothing,
  'PersonalClientSearchService.search': nothing,
  // As narrow as the one it is made with: a narrowed credential makes no other.
  'PersonalClientService.create': async (world, person) => {
    const { body } = await world.call(person, 'GET', '/api/v1/auth/introspect');
    return { fields: { displayName: 'Made', scopedRoles: body.roleIds ?? [] } };
  },
  'PersonalClientService.delete': ofSubject,
  'PersonalClientService.get': ofSubject,
  'PersonalClientService.list': nothing,
  'PersonalClientService.update': async (world) => ({ ...(await ofSubject(world)), fields: { client: { displayName: 'Changed' } } }),
  'RoleService.get': () => ({ path: { role_id: '000000000000000000BasicUser' } }),
  'RoleService.list': nothing,
  'PolicyService.create': () => ({
    fields: {
      displayName: 'Made',
      policyType: 'POLICY_TYPE_CERTIFY',
      policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
    },
  }),
  'PolicyService.delete': async (world) => ({ path: { id: await world.makePolicy() } }),
  'PolicyService.get': (world) => ({ path: { id: world.policyId } }),
  'PolicyService.list': nothing,
  'PolicyService.update': (world) => ({ path: { id: world.policyId }, fields: { policy: { description: 'Changed' } } }),
  'PolicyService.search': nothing,
  'SystemLogService.listEvents': nothing,
  'TaskActionsService.approve': (world) => ({ path: { task_id: world.taskIds.pop() ?? '' } }),
  'TaskActionsService.comment': decision({ comment: 'Why?' }),
  'TaskActionsService.deny': (world) => ({ path: { task_id: world.taskIds.pop() ?? '' }, fields: { comment: 'No longer needed' } }),
  'TaskActionsService.reassign': (world) => ({
    path: { task_id: world.taskIds.pop() ?? '' },
    fields: { newStepUserIds: [world.owner.id], comment: 'Yours' },
  }),
  'TaskActionsService.restart': decision(),
  'TaskActionsService.hardReset': decision(),
  'TaskService.list': (world) => ({ fields: { taskId: world.taskIds[0] ?? '' } }),
  'TaskService.search': (world) => ({ fields: { accessReviewIds: [world.openId] } }),
  'TaskService.get': (world) => ({ path: { id: world.taskIds[0] ?? '' } }),
  'UserService.search': nothing,
  'UserService.get': (world) => ({ path: { id: world.userId } }),
  'UserService.introspect': nothing,
  'UserService.list': nothing,
  'ImportService.importPeople': () => ({ file: worldPeople }),
  'ImportService.importGrants': () => ({ fields: { app: 'World' }, file: worldGrants }),
  'ImportService.get': (world) => ({ path: { id: world.importId } }),
  'ImportService.list': nothing,
  'IssuedCredentialService.issue': (world) => ({ path: { user_id: world.userId }, fields: { displayName: 'Made' } }),
  'UserRoleService.getRoles': (world) => ({ path: { user_id: world.userId } }),
  'UserRoleService.setRoles': (world) => ({ path: { user_id: world.userId }, fields: { roleIds: ['000000000000000000BasicUser'] } }),
  'ReviewActionsService.prepare': inState('PREPARING'),
  'ReviewActionsService.start': inState('STARTING'),
  'ReviewActionsService.close': inState('CLOSED'),
  'ReviewActionsService.reset': inState('REVIEW'),
  'ReviewActionsService.getCounts': review('openId'),
  'ReviewActionsService.getProgress': review('draftId'),
  'ReviewProgressService.listReviewers': review('openId'),
  'ReviewProgressService.listApps': review('openId'),
  'ReviewProgressService.listDepartments': review('openId'),
  'ReviewOwnerService.listOwners': review('draftId'),
  'ReviewOwnerService.setOwners': async (world) => ({
    path: { access_review_id: await world.makeDraft() },
    fields: { userIds: [world.owner.id, world.userId] },
  }),
  'ReviewSelectionService.preview': review('draftId'),
  'ReviewSelectionService.listSelections': review('openId'),
  'ReviewSubmissionService.submit': (world) => ({
    path: { access_review_id: world.openId },
    fields: { decisions: [{ taskId: world.taskIds.pop() ?? '', decision: 'REVIEW_DECISION_CERTIFY' }] },
  }),
  'ReviewSubmissionService.listSubmissions': review('openId'),
};
