/**
 * Who may do what: every operation of the contract by everybody there is, over HTTP. An operation without a row fails. What decides it is
 * in src/http/permissions.ts and in the modules; the expectations here were written from the table of roles alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeOf } from '../../src/http/route-of.ts';
import { loadSamples } from '../support/load-samples.ts';
import { listOperations, sampleOf, send } from '../support/operations.ts';
import { startTestServer, type TestPerson, type TestServer } from '../support/server.ts';
import { makeWorld, type World } from '../support/world.ts';

/**
 * 2: 200, 3: 403, 4: 404, 0: 400, because no state allows it; in this order: Super Administrator, owner of the review (a Basic User), reviewer (a Basic User with tasks),
 * Campaign Administrator (of other reviews), Read-Only Administrator, another Basic User, a credential for the system log alone.
 */
const anybody = '2222223';
const inventoryRead = '2332233';
/** Of the inventory, what concerns oneself: a task about it, or a review of one's own. */
const concernRead = '2222243';
/** Of the inventory, one's own alone, in a path that names somebody. */
const ownRead = '2442243';
const superAlone = '2333333';
/** Programs and their credentials, sessions, deliveries: only who sees everything reads them. */
const configurationRead = '2333233';
const reviewRead = '2244243';
/** Of a review that was started: its reviewer knows of it, and may do no more than read it. */
const startedRead = '2234243';
// Nobody is asked yet.
const preparedRead = '2244243';
const reviewManage = '2244343';
const taskRead = '2224243';
const taskDecide = '2224343';

/** Owner, reviewer and Basic User work through issued credentials, which make no credentials of their own. */
const expected: Readonly<Record<string, string>> = {
  'AccessReviewActionsService.generateReport': startedRead,
  'AccessReviewReportService.list': startedRead,
  'AccessReviewService.create': '2332333',
  'AccessReviewService.delete': reviewManage,
  'AccessReviewService.get': reviewRead,
  'AccessReviewService.list': anybody,
  'AccessReviewService.update': reviewManage,
  'AccessReviewService.setCampaignScopeByResourceType': reviewManage,
  'AccessReviewSetupEntitlementAndScopeService.getCampaignScopeAndEntitlements': reviewRead,
  'AccessReviewSetupEntitlementAndScopeService.setCampaignScopeAndEntitlements': reviewManage,
  'AccessReviewTemplateService.create': '2332333',
  'AccessReviewTemplateService.delete': reviewManage,
  'AccessReviewTemplateService.get': reviewRead,
  'AccessReviewTemplateService.update': reviewManage,
  'AccessReviewTemplateSetupEntitlementService.getScopeAndEntitlements': reviewRead,
  'AccessReviewTemplateSetupEntitlementService.setScopeAndEntitlements': reviewManage,
  'AccessReviewTemplateSetupEntitlementService.setScopeByResourceType': reviewManage,
  'ReviewTemplateService.list': anybody,
  // Making reviews takes a role that makes them, and owning the template.
  'ReviewTemplateService.createReview': '2334333',
  'ReviewTemplateService.createFromReview': '2334333',
  'ReviewTemplateService.listOwners': reviewRead,
  'ReviewTemplateService.setOwners': reviewManage,
  'ReviewTemplateService.getScopeLists': reviewRead,
  'ReviewTemplateService.setScopeLists': reviewManage,
  'ReviewTemplateService.getTriggers': reviewRead,
  'ReviewTemplateService.setTriggers': reviewManage,
  'AppEntitlementSearchService.search': inventoryRead,
  'AppEntitlementSearchService.searchGrants': anybody,
  'AppEntitlementService.searchAppEntitlementsWithExpired': inventoryRead,
  'AppEntitlementService.addManuallyManagedMembers': superAlone,
  'AppEntitlementService.removeEntitlementMembership': superAlone,
  'AppEntitlementUserBindingFeedService.searchGrantFeed': inventoryRead,
  'AppEntitlementUserBindingHistoryService.searchPastGrants': inventoryRead,
  'AppEntitlementUserBindingService.listAppUsersForIdentityWithGrant': ownRead,
  'AppEntitlementUserBindingService.removeGrantDuration': superAlone,
  'AppEntitlementUserBindingService.updateGrantDuration': superAlone,
  'GrantService.list': inventoryRead,
  'EntitlementActivityService.list': inventoryRead,
  'PersonGrantService.list': ownRead,
  'PersonFactService.list': ownRead,
  'AppEntitlementService.get': concernRead,
  'AppEntitlementService.list': inventoryRead,
  'AppEntitlementService.listForAppResource': inventoryRead,
  'AppEntitlementService.listForAppUser': ownRead,
  'AppEntitlementService.listUsers': inventoryRead,
  'AppEntitlementService.create': superAlone,
  'AppEntitlementService.delete': superAlone,
  'AppEntitlementService.searchAppEntitlementsForAppUser': ownRead,
  'AppEntitlementService.update': superAlone,
  'AppEntitlementOwnerService.add': superAlone,
  'AppEntitlementOwnerService.delete': superAlone,
  'AppEntitlementOwnerService.list': inventoryRead,
  'AppEntitlementOwnerService.listOwnerIDs': inventoryRead,
  'AppEntitlementOwnerService.remove': superAlone,
  'AppEntitlementOwnerService.set': superAlone,
  'AppOwnerService.add': superAlone,
  'AppOwnerService.delete': superAlone,
  'AppOwnerService.list': inventoryRead,
  'AppOwnerService.listOwnerIDs': inventoryRead,
  'AppOwnerService.remove': superAlone,
  'AppOwnerService.set': superAlone,
  'AppResourceOwnerService.add': superAlone,
  'AppResourceOwnerService.delete': superAlone,
  'AppResourceOwnerService.list': inventoryRead,
  'AppResourceOwnerService.listOwnerIDs': inventoryRead,
  'AppResourceOwnerService.remove': superAlone,
  'AppResourceOwnerService.set': superAlone,
  'AppResourceService.createManuallyManagedAppResource': superAlone,
  'AppResourceService.deleteManuallyManagedAppResource': superAlone,
  'AppResourceService.searchAppResourceTypes': inventoryRead,
  'AppResourceService.searchAppResources': inventoryRead,
  'AppResourceService.update': superAlone,
  'AppResourceTypeService.createManuallyManagedResourceType': superAlone,
  'AppResourceTypeService.deleteManuallyManagedResourceType': superAlone,
  'AppResourceTypeService.updateManuallyManagedResourceType': superAlone,
  'AppService.searchUserOwnership': inventoryRead,
  'AppResourceService.get': inventoryRead,
  'AppResourceService.list': inventoryRead,
  'AppResourceTypeService.get': inventoryRead,
  'AppResourceTypeService.list': inventoryRead,
  'AppService.search': inventoryRead,
  'AppService.create': superAlone,
  'AppService.delete': superAlone,
  'AppService.get': concernRead,
  'AppService.list': inventoryRead,
  'AppService.update': superAlone,
  'AccountOwnerService.releaseOwner': superAlone,
  'AccountOwnerService.setOwner': superAlone,
  'MatchOrderService.getOrder': inventoryRead,
  'MatchOrderService.setOrder': superAlone,
  'IdentityService.listAmbiguousAccounts': inventoryRead,
  'IdentityService.listLeaversWithAccounts': inventoryRead,
  'IdentityService.listPeopleWithoutManager': inventoryRead,
  'IdentityService.listUndescribedEntitlements': inventoryRead,
  'IdentityService.listUnownedAccounts': inventoryRead,
  'RevocationService.get': reviewRead,
  'RevocationService.claim': reviewManage,
  'RevocationService.confirm': reviewManage,
  'RevocationService.retry': reviewManage,
  'DeliveryService.discard': superAlone,
  'DeliveryService.get': configurationRead,
  'DeliveryService.list': configurationRead,
  'DeliveryService.repeat': superAlone,
  'DeliveryService.repeatDead': superAlone,
  'DirectoryService.create': superAlone,
  'DirectoryService.delete': superAlone,
  'DirectoryService.get': inventoryRead,
  'DirectoryService.list': inventoryRead,
  'DirectoryService.update': superAlone,
  'AppUserService.listAppUserCredentials': inventoryRead,
  'AppUserService.listOwnedServiceAccounts': anybody,
  'AppUserService.update': superAlone,
  'AppUserService.list': inventoryRead,
  'AppUserService.search': anybody,
  'AppUsersForUserService.listAppUsersForUser': ownRead,
  'AttributeService.createAttributeValue': superAlone,
  'AttributeService.deleteAttributeValue': superAlone,
  'AttributeService.getAttributeValue': inventoryRead,
  'AttributeService.listAttributeTypes': inventoryRead,
  'AttributeService.listAttributeValues': inventoryRead,
  'AttributeService.searchAttributeValues': inventoryRead,
  'ComplianceFrameworkService.createComplianceFrameworkAttributeValue': superAlone,
  'ComplianceFrameworkService.deleteComplianceFrameworkAttributeValue': superAlone,
  'ComplianceFrameworkService.getComplianceFrameworkAttributeValue': inventoryRead,
  'ComplianceFrameworkService.listComplianceFrameworks': inventoryRead,
  'RiskLevelService.createRiskLevelAttributeValue': superAlone,
  'RiskLevelService.deleteRiskLevelAttributeValue': superAlone,
  'RiskLevelService.getRiskLevelAttributeValue': inventoryRead,
  'RiskLevelService.listRiskLevels': inventoryRead,
  'AuthService.introspect': anybody,
  'PersonalClientSearchService.search': anybody,
  'PersonalClientService.create': '2332233',
  'PersonalClientService.delete': '2444343',
  'PersonalClientService.get': '2444243',
  'PersonalClientService.list': anybody,
  'PersonalClientService.update': '2444343',
  'RequestCatalogManagementService.addAccessEntitlements': superAlone,
  'RequestCatalogManagementService.addAppEntitlements': superAlone,
  'RequestCatalogManagementService.create': superAlone,
  'RequestCatalogManagementService.createRequestableEntry': superAlone,
  'RequestCatalogManagementService.delete': superAlone,
  'RequestCatalogManagementService.deleteRequestableEntry': superAlone,
  'RequestCatalogManagementService.get': inventoryRead,
  'RequestCatalogManagementService.getRequestableEntry': inventoryRead,
  'RequestCatalogManagementService.list': inventoryRead,
  'RequestCatalogManagementService.listAllEntitlementIdsPerApp': inventoryRead,
  'RequestCatalogManagementService.listEntitlementsForAccess': inventoryRead,
  'RequestCatalogManagementService.listEntitlementsPerCatalog': inventoryRead,
  'RequestCatalogManagementService.removeAccessEntitlements': superAlone,
  'RequestCatalogManagementService.removeAppEntitlements': superAlone,
  'RequestCatalogManagementService.update': superAlone,
  'RequestCatalogManagementService.updateAppEntitlements': superAlone,
  'RequestCatalogSearchService.searchEntitlements': anybody,
  'ConnectorService.create': superAlone,
  'ConnectorService.createDelegated': superAlone,
  'ConnectorService.delete': superAlone,
  'ConnectorService.forceSync': superAlone,
  'ConnectorService.get': inventoryRead,
  'ConnectorService.list': inventoryRead,
  'ConnectorService.pauseSync': superAlone,
  'ConnectorService.resumeSync': superAlone,
  'ConnectorService.update': superAlone,
  'ConnectorService.updateDelegated': superAlone,
  'ScimService.createToken': superAlone,
  'ScimService.revokeToken': superAlone,
  'SourceService.get': inventoryRead,
  'SourceService.list': inventoryRead,
  'SourceService.setRemovalShare': superAlone,
  'RoleService.get': inventoryRead,
  'RoleService.list': inventoryRead,
  'RoleService.update': superAlone,
  'PolicyService.create': superAlone,
  'PolicyService.delete': superAlone,
  'PolicyService.get': inventoryRead,
  'PolicyService.list': inventoryRead,
  'PolicyService.update': superAlone,
  'PolicyService.search': inventoryRead,
  'SystemLogService.listEvents': '2333332',
  'TaskActionsService.approve': taskDecide,
  'TaskActionsService.comment': taskDecide,
  'TaskActionsService.deny': taskDecide,
  'TaskActionsService.reassign': taskDecide,
  'TaskActionsService.restart': '2234343',
  'TaskActionsService.hardReset': '2234343',
  'TaskActionsService.approveWithStepUp': '3304343',
  'TaskActionsService.close': '2334343',
  'TaskActionsService.escalateToEmergencyAccess': '0004043',
  'TaskActionsService.processNow': '2234343',
  'TaskActionsService.retryProvisioning': '0034343',
  'TaskActionsService.skipStep': '2234343',
  'TaskActionsService.updateGrantDuration': '0004043',
  'TaskActionsService.updateRequestData': '0004043',
  'CertifyTaskService.approveUntil': taskDecide,
  'CertifyTaskService.remind': '2234343',
  'CertifyTaskService.searchReassignees': taskDecide,
  'TaskService.list': taskRead,
  'TaskService.search': anybody,
  'TaskService.get': taskRead,
  'UserService.search': inventoryRead,
  'UserService.get': '2442243',
  'UserService.introspect': anybody,
  'UserService.list': inventoryRead,
  // A Basic User knows of themselves alone.
  'UserService.getUserProfileTypes': '2442243',
  'UserService.setExpiringUserDelegationBindingByAdmin': superAlone,
  'ProfileAttributeService.list': inventoryRead,
  'ProfileAttributeService.set': superAlone,
  'ProfileAttributeService.delete': superAlone,
  'ProfileAttributeService.search': inventoryRead,
  'ServicePrincipalService.create': superAlone,
  'ServicePrincipalService.createCredential': superAlone,
  'ServicePrincipalService.delete': superAlone,
  'ServicePrincipalService.get': configurationRead,
  'ServicePrincipalService.getCredential': configurationRead,
  'ServicePrincipalService.list': configurationRead,
  'ServicePrincipalService.listCredentials': configurationRead,
  'ServicePrincipalService.revokeCredential': superAlone,
  'ServicePrincipalService.update': superAlone,
  'ServicePrincipalService.updateCredential': superAlone,
  // Requests with an access token belong to no session: sessions.test.ts asks with cookies.
  'SessionService.get': '0000003',
  'SessionSettingsService.get': configurationRead,
  'SessionSettingsService.testSourceIP': configurationRead,
  'SessionSettingsService.update': superAlone,
  'ImportService.importPeople': superAlone,
  'ImportService.importGrants': superAlone,
  'ImportService.get': inventoryRead,
  'ImportService.list': inventoryRead,
  'ImportService.listGrants': inventoryRead,
  'ImportService.diff': inventoryRead,
  'ColumnMappingService.inspect': superAlone,
  'ColumnMappingService.get': inventoryRead,
  'ColumnMappingService.set': superAlone,
  'IssuedCredentialService.issue': superAlone,
  'UserRoleService.getRoles': inventoryRead,
  'UserRoleService.setRoles': superAlone,
  'ReviewActionsService.prepare': reviewManage,
  'ReviewActionsService.start': reviewManage,
  'ReviewActionsService.close': reviewManage,
  'ReviewActionsService.reset': reviewManage,
  'ReviewActionsService.getProgress': reviewRead,
  'ReviewActionsService.getCounts': startedRead,
  'ReviewProgressService.listReviewers': startedRead,
  'ReviewProgressService.listApps': startedRead,
  'ReviewProgressService.listDepartments': startedRead,
  'ReviewActionsService.remind': '2234343',
  // Whom its acknowledgement names; others see that it is there, or do not.
  'ReviewActionsService.acknowledge': '2344343',
  'ReviewAccuracyService.getAccuracy': startedRead,
  'ReviewAcknowledgementService.getAcknowledgement': startedRead,
  'ReviewAcknowledgementService.setAcknowledgement': reviewManage,
  // Not even who owned it knows of a deleted review.
  'ReviewTombstoneService.get': '2444243',
  'ReviewTombstoneService.list': '2444243',
  'ReviewOwnerService.listOwners': reviewRead,
  'ReviewOwnerService.setOwners': reviewManage,
  'ReviewScopeListService.get': reviewRead,
  'ReviewScopeListService.set': reviewManage,
  'ReviewReplayService.replay': startedRead,
  'ReviewIndependenceService.getIndependence': startedRead,
  'ReviewIndependenceService.setIndependence': reviewManage,
  'ReviewIndependenceService.listRelatedDecisions': startedRead,
  'ReviewerFigureService.list': startedRead,
  // There is one draw for each review, so the next is refused to whoever may draw.
  'SecondReviewService.draw': '0034343',
  'SecondReviewService.get': startedRead,
  'SecondReviewService.end': reviewManage,
  'SecondReviewService.listItems': startedRead,
  'SecondReviewService.listMine': '2222223',
  // Of whoever asks, whom it asks.
  'SecondReviewService.listQuestions': '2222223',
  // Owners and those who read everything know the first decisions.
  'SecondReviewService.answer': '3322323',
  'RollForwardService.create': preparedRead,
  'RollForwardService.get': preparedRead,
  'RollForwardService.listLines': preparedRead,
  'ReviewSelectionService.preview': reviewManage,
  'ReviewSelectionService.listSelections': startedRead,
  // The answer is one result per task; a Read-Only Administrator's are all refused.
  'ReviewSubmissionService.submit': taskRead,
  'ReviewSubmissionService.listSubmissions': taskRead,
  'PendingDecisionService.listPendingDecisions': taskRead,
  'PendingDecisionService.setPendingDecisions': taskRead,
  'ReviewQueueService.readQueue': taskRead,
  'ReviewChangeService.list': taskRead,
  'ReviewCommentService.list': taskRead,
  // Not through a credential that somebody else made.
  'MyDelegationService.set': '2332233',
};

/** The same of the operations whose samples say who may, by the names above. */
const named = { anybody, inventoryRead, superAlone, configurationRead, startedRead };
const rows: Readonly<Record<string, string>> = {
  ...expected,
  ...Object.fromEntries(Object.entries((await loadSamples()).roles).map(([operation, who]) => [operation, named[who]])),
};

const operations = await listOperations();
const statuses: Readonly<Record<string, number>> = { 0: 400, 2: 200, 3: 403, 4: 404 };
const codes: Readonly<Record<number, number>> = { 400: 9, 403: 7, 404: 5 };

describe('each operation by each role', () => {
  let server: TestServer;
  let world: World;
  let people: readonly TestPerson[];

  beforeAll(async () => {
    server = await startTestServer();
    world = await makeWorld(server);
    people = [server.admin, world.owner, world.assignee, world.campaigner, world.reader, world.basic, world.logReader];
  });
  afterAll(() => server.stop());

  it('has a row here or beside its sample, and each row is an operation', () => {
    expect(Object.keys(rows).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))('%s', async (name, operation) => {
    const row = rows[name] ?? '';
    const wanted = [...row].map((letter) => statuses[letter]);
    const got: number[] = [];
    // Who may do least comes first: what the powerful do may leave nothing to do.
    for (const person of people.toReversed()) {
      const answer = await send(server, person, operation, await sampleOf(operation, world, person));
      got.unshift(answer.status);
      if (answer.status !== 200) {
        expect(answer.body).toMatchObject({ code: codes[answer.status], message: expect.any(String), details: expect.any(Array) });
      }
    }
    expect(got).toEqual(wanted);
  });

  it.each(operations.map((operation) => [operation.name, operation] as const))('%s needs a token', async (_name, operation) => {
    const { verb, template } = routeOf(operation.desc);
    const path = template.replace(/\{[a-z_]+\}/g, 'x'.repeat(27));
    for (const authorization of [undefined, 'Bearer nonsense', 'Basic YTpi', `Bearer ${'a.'.repeat(3000)}`]) {
      const response = await server.fetch(path, { method: verb, headers: authorization === undefined ? {} : { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ code: 16 });
    }
  });

  it('refuses every decision of a Read-Only Administrator in a submission, and leaves the task open', async () => {
    const taskId = world.taskIds.at(-1) ?? '';
    const decisions = [{ taskId, decision: 'REVIEW_DECISION_DENY', comment: 'No' }];
    const { body } = await world.call(world.reader, 'POST', `/api/v1/access_review/${world.openId}/submissions`, { decisions });
    expect(body.results).toMatchObject([{ taskId, decided: false, code: 'PERMISSION_DENIED' }]);
    const task = await world.call(server.admin, 'GET', `/api/v1/tasks/${taskId}`);
    expect(task.body.taskView.task.state).toBe('TASK_STATE_OPEN');
  });

  it('says what a caller may do in objectPermissions and in the actions of a task', async () => {
    const seen: Record<string, unknown> = {};
    const taskId = world.taskIds.at(-1) ?? '';
    for (const [name, person] of Object.entries({
      admin: server.admin,
      owner: world.owner,
      assignee: world.assignee,
      reader: world.reader,
    })) {
      const review = await world.call(person, 'GET', `/api/v1/access_review/${world.draftId}`);
      const task = await world.call(person, 'GET', `/api/v1/tasks/${taskId}`);
      seen[name] = [review.body.accessReview?.objectPermissions, [...task.body.taskView.task.actions].sort()];
    }
    const deciding = ['TASK_ACTION_TYPE_APPROVE', 'TASK_ACTION_TYPE_COMMENT', 'TASK_ACTION_TYPE_DENY', 'TASK_ACTION_TYPE_REASSIGN'];
    const running = ['HARD_RESET', 'PROCESS_NOW', 'RESTART', 'SEND_REMINDER', 'SKIP_STEP'].map((name) => `TASK_ACTION_TYPE_${name}`);
    const none = { prepare: false, start: false, close: false, reset: false, remind: false, acknowledge: false, report: false };
    const all = { read: true, edit: true, delete: true, extra: { ...none, prepare: true, duplicateFrom: false } };
    expect(seen).toEqual({
      admin: [{ ...all, extra: { ...all.extra, duplicateFrom: true } }, [...deciding, ...running, 'TASK_ACTION_TYPE_CLOSE'].sort()],
      owner: [all, [...deciding, ...running].sort()],
      assignee: [undefined, deciding],
      reader: [{ read: true, edit: false, delete: false, extra: { ...none, duplicateFrom: false } }, []],
    });
  });
});
