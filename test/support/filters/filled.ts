/**
 * An inventory in which every filter of every search has something to find and something to leave out: two apps from files, people, owners,
 * attributes, an access profile, reviews, credentials and policies, made through the API alone.
 */
import { ROLES } from '../../../src/foundation/directory/index.ts';
import { type Loose, request } from '../api.ts';
import type { TestPerson } from '../server.ts';
import type { Stage } from '../stage.ts';
import { untilLater } from '../until.ts';
import { sendFile } from '../world.ts';

/** Ids by what they are of. `anne` holds `open` on the resource `vault` through `alpha`; everything else is there to be left out. */
export interface Filled {
  readonly stage: Stage;
  readonly anne: TestPerson;
  readonly bertId: string;
  readonly bossId: string;
  readonly programId: string;
  /** Of a person who brings in files. */
  readonly serverAdminId: string;
  readonly filingId: string;
  readonly archiveId: string;
  readonly accounts: Readonly<Record<'alpha' | 'beta' | 'gamma' | 'delta' | 'zeta', string>>;
  /** Its one grant has ended. */
  readonly epsilonId: string;
  /** Could be two people's. */
  readonly twinsId: string;
  readonly entitlements: Readonly<Record<'open' | 'enter' | 'read' | 'gone' | 'lost', string>>;
  readonly resources: Readonly<Record<'vault' | 'room' | 'shelf', string>>;
  readonly types: Readonly<Record<'role' | 'group', string>>;
  readonly connectorId: string;
  readonly archiveConnectorId: string;
  readonly syncs: Readonly<Record<'first' | 'second' | 'archive' | 'failed', string>>;
  /** Between the two syncs. */
  readonly betweenSyncs: string;
  readonly values: Readonly<Record<'high' | 'low' | 'sox' | 'iso', string>>;
  readonly policies: Readonly<Record<'wide' | 'narrow' | 'emergency' | 'deleted', string>>;
  readonly reviews: Readonly<Record<'chosen' | 'empty', string>>;
  /** Of it the chosen review says that it was made. */
  readonly templateId: string;
  readonly clientIds: Readonly<Record<'key' | 'lock', string>>;
}

const people = `email,display_name,manager_email,department,job_title,employment_status,employee_id,site,joined
boss@corp.example,Boss,,Ops,Head,ACTIVE,E1,Paris,2020-01-01
anne@corp.example,Änne Alpha,boss@corp.example,Sales,Clerk,ACTIVE,E77,Berlin,2024-05-01
bert@corp.example,Bert Beta,,Ops,Cook,TERMINATED,E2,Paris,2019-01-01
one@corp.example,One,,Ops,,ACTIVE,T,,
two@corp.example,Two,,Ops,,ACTIVE,T,,
`;
const header =
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,display_name,expires_at,seat,employee_id\n';
const filing = `${header}alpha,anne@corp.example,USER,ENABLED,role,Vault,open,,,Account of Änne,2999-01-01T00:00:00Z,5,
beta,,SERVICE_ACCOUNT,DISABLED,group,Room,enter,,,Robot,,1,
gamma,gamma@outside.example,USER,ENABLED,group,Room,enter,,,Guest,,1,
delta,bert@corp.example,USER,ENABLED,group,Room,enter,,,Leaver,,1,
eta,,SERVICE_ACCOUNT,ENABLED,group,Room,enter,,,Machine,,1,
`;
const archive = `${header}zeta,boss@corp.example,USER,ENABLED,role,Shelf,read,,,Reader,,1,
twins,,USER,ENABLED,role,Shelf,read,,,Twins,,1,T
`;
const steps = { certify: { steps: [{ approval: { manager: { fallback: true } } }] } };

/** Fills a stage. */
export async function fillStage(stage: Stage): Promise<Filled> {
  const { server, ok, all } = stage;
  const upload = async (path: string, file: string): Promise<Loose> => {
    const { status, body } = await sendFile(server, server.admin, path, file);
    if (status !== 200) {
      throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    }
    return body.import;
  };
  await upload('/api/v1/imports/people?source=staff', people);
  const first = await upload('/api/v1/imports/grants?app=Filing', `${filing}epsilon,,USER,ENABLED,role,Vault,open,,,Past,,1,\n`);
  // Revisions have milliseconds: one of its own lies between the two.
  await untilLater();
  const betweenSyncs = new Date().toISOString();
  await untilLater();
  const second = await upload('/api/v1/imports/grants?app=Filing&allow_removals=true', filing);
  const other = await upload('/api/v1/imports/grants?app=Archive', archive);
  await sendFile(server, server.admin, '/api/v1/imports/grants?app=Archive', 'nothing\n1\n');
  const failed = (await all('ImportService.list', { fields: { state: 'IMPORT_STATE_FAILED' } }))[0].import.id;
  const [filingId, archiveId]: string[] = [first.appId, other.appId];
  const byName = async (operation: string, appId = '', more: Readonly<Record<string, string>> = {}): Promise<Loose> => {
    const rows = await all(operation, { path: { app_id: appId, ...more } });
    return Object.fromEntries(
      rows.map((row) => Object.values(row).find((one: Loose) => one?.id !== undefined)).map((one: Loose) => [one.displayName, one.id]),
    );
  };
  const users = await byName('UserService.list');
  const accounts = { ...(await byName('AppUserService.list', filingId)), ...(await byName('AppUserService.list', archiveId)) };
  const types = await byName('AppResourceTypeService.list', filingId);
  const archiveTypes = await byName('AppResourceTypeService.list', archiveId);
  const inType = async (appId = '', type = ''): Promise<Loose> => byName('AppResourceService.list', appId, { app_resource_type_id: type });
  const vault = (await inType(filingId, types.role)).Vault;
  const ended = await all('AppUserService.search', { fields: { appId: filingId, appUserStatuses: ['STATUS_DELETED'] } });
  const byExternalId = async (appId = ''): Promise<Loose> =>
    Object.fromEntries(
      (await all('AppEntitlementService.list', { path: { app_id: appId } })).map(({ appEntitlement: one }) => [one.externalId, one.id]),
    );
  const given = await byExternalId(filingId);
  const gone = await ok('AppEntitlementService.create', { path: { app_id: filingId ?? '' }, fields: { displayName: 'Gone' } });
  // Of an app that is deleted.
  const { app: past } = await ok('AppService.create', { fields: { displayName: 'Past' } });
  const lost = await ok('AppEntitlementService.create', { path: { app_id: past.id }, fields: { displayName: 'Lost' } });
  await ok('AppService.delete', { path: { id: past.id } });
  const goneId: string = gone.appEntitlementView.appEntitlement.id;
  const anne = await server.issueClient(users['Änne Alpha']);
  const value = async (operation: string, text: string): Promise<string> => (await ok(operation, { fields: { value: text } })).value.id;
  const level = 'RiskLevelService.createRiskLevelAttributeValue';
  const framework = 'ComplianceFrameworkService.createComplianceFrameworkAttributeValue';
  const values = {
    high: await value(level, 'Very high'),
    low: await value(level, 'Low'),
    sox: await value(framework, 'SOX'),
    iso: await value(framework, 'ISO 27001'),
  };
  const policy = async (fields: object): Promise<string> =>
    (await ok('PolicyService.create', { fields: { policyType: 'POLICY_TYPE_CERTIFY', policySteps: steps, ...fields } })).policy.id;
  const scope = { appId: filingId, appEntitlementId: given.open };
  const policies = {
    wide: await policy({ displayName: 'Wide path', description: 'for all' }),
    narrow: await policy({ displayName: 'Narrow path', scope, policyType: 'POLICY_TYPE_GRANT', policySteps: { grant: steps.certify } }),
    emergency: await policy({ displayName: 'Red button', scope: { ...scope, slot: 'POLICY_SCOPE_SLOT_EMERGENCY' } }),
    deleted: await policy({ displayName: 'Past path' }),
  };
  await ok('PolicyService.delete', { path: { id: policies.deleted } });
  const chosen = { certifyPolicyId: policies.wide };
  await ok('AppService.update', { path: { id: filingId ?? '' }, fields: { app: { ...chosen, description: 'Keeps folders' } } });
  await ok('AppEntitlementService.update', {
    path: { app_id: filingId ?? '', id: given.open },
    fields: {
      entitlement: {
        ...chosen,
        alias: 'open-vault',
        slug: 'opener',
        displayName: 'Öffnet the vault',
        description: 'Day and night',
        requestSchemaId: 'form',
        purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
        riskLevelValueId: values.high,
        complianceFrameworkValueIds: [values.sox],
      },
    },
  });
  await ok('AccountOwnerService.setOwner', {
    path: { app_id: filingId ?? '', app_user_id: accounts.Machine },
    fields: { userId: server.admin.id },
  });
  const owned = { app_id: filingId ?? '', resource_type_id: types.role, resource_id: vault };
  await ok('AppResourceOwnerService.set', { path: owned, fields: { userIds: [anne.id] } });
  await ok('DirectoryService.create', { fields: { appId: filingId } });
  await ok('UserService.setExpiringUserDelegationBindingByAdmin', { path: { user_id: anne.id }, fields: { delegatedUserId: users.Boss } });
  await ok('UserRoleService.setRoles', { path: { user_id: anne.id }, fields: { roleIds: [ROLES.READ_ONLY_ADMINISTRATOR.id] } });
  const review = async (): Promise<string> =>
    (await ok('AccessReviewService.create', { fields: { displayName: 'Review' } })).accessReview.accessReview.id;
  const reviews = { chosen: await review(), empty: await review() };
  const template = await ok('AccessReviewTemplateService.create', { fields: { displayName: 'Every quarter', policyId: policies.wide } });
  const templateId: string = template.accessReviewTemplate.id;
  await ok('AccessReviewService.update', {
    path: { id: reviews.chosen },
    fields: { accessReview: { accessReviewTemplateId: templateId } },
  });
  await ok('AccessReviewSetupEntitlementAndScopeService.setCampaignScopeAndEntitlements', {
    path: { access_review_id: reviews.chosen },
    fields: { entitlements: [{ appId: filingId, appEntitlementId: given.open }] },
  });
  const profile = await ok('RequestCatalogManagementService.create', {
    fields: { displayName: 'All', published: true, visibleToEveryone: true },
  });
  const catalogId: string = profile.requestCatalogView.requestCatalog.id;
  const archived = await byExternalId(archiveId);
  await ok('RequestCatalogManagementService.addAppEntitlements', {
    path: { catalog_id: catalogId },
    fields: {
      appEntitlements: [
        { appId: filingId, id: given.open },
        { appId: archiveId, id: archived.read },
        { appId: filingId, id: goneId },
      ],
    },
  });
  await ok('AppEntitlementService.delete', { path: { app_id: filingId ?? '', id: goneId } });
  const key = async (person: TestPerson, displayName: string): Promise<string> =>
    (await request(server, person, 'POST', '/api/v1/iam/personal_clients', { displayName })).body.client.id;
  for (const [subject, name, type] of [
    ['user', 'joined', 'DATE'],
    ['user', 'site', 'TEXT'],
    ['account', 'seat', 'NUMBER'],
  ] as const) {
    await ok('ProfileAttributeService.set', { path: { subject, name }, fields: { type: `PROFILE_ATTRIBUTE_TYPE_${type}` } });
  }
  const campaigner = await server.makePerson('keys@corp.example', ['CAMPAIGN_ADMINISTRATOR']);
  return {
    stage,
    anne,
    bertId: users['Bert Beta'],
    bossId: users.Boss,
    programId: stage.principalId,
    serverAdminId: server.admin.id,
    filingId: filingId ?? '',
    archiveId: archiveId ?? '',
    accounts: {
      alpha: accounts['Account of Änne'],
      beta: accounts.Robot,
      gamma: accounts.Guest,
      delta: accounts.Leaver,
      zeta: accounts.Reader,
    },
    epsilonId: ended[0].appUser.id,
    twinsId: accounts.Twins,
    entitlements: {
      open: given.open,
      enter: given.enter,
      read: archived.read,
      gone: goneId,
      lost: lost.appEntitlementView.appEntitlement.id,
    },
    resources: { vault, room: (await inType(filingId, types.group)).Room, shelf: (await inType(archiveId, archiveTypes.role)).Shelf },
    types: { role: types.role, group: types.group },
    connectorId: second.connectorId,
    archiveConnectorId: other.connectorId,
    syncs: { first: first.id, second: second.id, archive: other.id, failed },
    betweenSyncs,
    values,
    policies,
    reviews,
    templateId,
    clientIds: { key: await key(server.admin, 'Green key'), lock: await key(campaigner, 'Blue lock') },
  };
}
