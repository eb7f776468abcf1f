/** Gathers what the modules give the program: the services of the contract, jobs, effects, looks and loaders. It is put to work in app.ts. */
import type { ServeConfig } from './config/read-config.ts';
import {
  anchorKind,
  checkKind as logCheckKind,
  createAnchorEffect,
  createAnchorsDue,
  createJobKinds as createLogJobs,
  createServices as createLogServices,
  isCheckDue,
  sendAnchorKind,
} from './foundation/log-proofs/index.ts';
import { services as auditServices } from './foundation/audit/index.ts';
import { services as holdServices } from './foundation/holds/index.ts';
import { services as secondPersonServices } from './foundation/second-persons/index.ts';
import { services as suspensionServices } from './foundation/suspensions/index.ts';
import { emptyReviewsKind, isReviewDue, jobKinds as erasureJobs, services as erasureServices } from './outward/erasures/index.ts';
import { services as attributeServices } from './inventory/classifications/index.ts';
import {
  accountLoader,
  appLoader,
  entitlementLoader,
  resourceLoader,
  resourceTypeLoader,
  services as catalogServices,
} from './inventory/catalog/index.ts';
import { jobKinds as conflictJobs, services as conflictServices } from './governance/conflicts/index.ts';
import { createServices as createConnectorServices } from './inventory/connector-tasks/index.ts';
import { services as connectorServices } from './inventory/sources/index.ts';
import { createServices as createCredentialServices } from './foundation/credentials/index.ts';
import { roleLoader, services as directoryServices, userLoader } from './foundation/directory/index.ts';
import { jobKinds as evidenceJobs, services as evidenceServices } from './outward/evidence/index.ts';
import {
  createFetchEffect,
  fetchKind,
  jobKinds as fetchJobs,
  lookKind as fetchLookKind,
  createServices as createFetchServices,
} from './inventory/fetches/index.ts';
import { jobKinds as grantJobs, services as grantServices } from './inventory/grants/index.ts';
import { services as identityServices } from './inventory/identity/index.ts';
import { services as importServices } from './inventory/syncs/index.ts';
import { jobKinds as nameMergeJobs } from './outward/name-merges/index.ts';
import type { Notifications } from './outward/notifications/index.ts';
import { policyLoader, services as policyServices } from './governance/policies/index.ts';
import { jobKinds as profileJobs, services as profileServices } from './inventory/access-profiles/index.ts';
import {
  type createKeeper,
  createRetentionJob,
  createRetentionService,
  jobKinds as reportJobs,
  retentionKind,
  services as reportServices,
} from './outward/reports/index.ts';
import { createDeliveryEffects, services as deliveryServices } from './foundation/deliveries/index.ts';
import {
  createPrepareJob,
  prepareKind,
  jobKinds as reviewJobs,
  reviewLoader,
  createServices as createReviewServices,
  signAcknowledgement,
} from './governance/reviews/index.ts';
import {
  createPlanEffect,
  followRemoval,
  jobKinds as revocationJobs,
  planKind,
  services as revocationServices,
} from './governance/revocations/index.ts';
import { services as personRecordServices } from './inventory/people/index.ts';
import { services as personClaimServices } from './inventory/person-claims/index.ts';
import { services as personMergeServices } from './outward/person-merges/index.ts';
import { services as scimServices } from './inventory/scim/index.ts';
import { createServices as createTaskServices, insightLoader, jobKinds as taskJobs } from './governance/tasks/index.ts';
import { services as sampleServices } from './governance/samples/index.ts';
import { services as coverageServices } from './governance/coverage/index.ts';
import { services as secondReviewServices } from './governance/second-reviews/index.ts';
import { services as walkthroughServices } from './governance/walkthroughs/index.ts';
import { jobKinds as rollForwardJobs, services as rollForwardServices } from './governance/roll-forwards/index.ts';
import { jobKinds as templateJobs, services as templateServices, templateLoader } from './governance/templates/index.ts';
import { createProviderClient, createServices as createSessionServices } from './foundation/sessions/index.ts';
import { createServices as createSignatureServices, type Signing } from './foundation/signatures/index.ts';
import { AccessReviewSchema } from './gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewTemplateSchema } from './gen/c1/api/accessreview/v1/access_review_template_pb.js';
import { AppEntitlementSchema, AppResourceSchema, AppResourceTypeSchema, AppSchema, AppUserSchema } from './gen/c1/api/app/v1/app_pb.js';
import { RoleSchema } from './gen/c1/api/iam/v1/iam_pb.js';
import { PolicySchema } from './gen/c1/api/policy/v1/policy_pb.js';
import { UserSchema } from './gen/c1/api/user/v1/user_pb.js';
import { TaskInsightSchema } from './gen/countersign/v1/tasks_pb.js';
import type { EffectKind, JobKind } from './jobs/index.ts';
import type { OutgoingRules } from './lib/outgoing.ts';
import { type Loaders, loads } from './wire/expand.ts';
import { type BoundService, joinServices } from './wire/service.ts';

/** Returns what signing needs of this process. */
export function createSigning({ allowOutbound }: ServeConfig, forTests: Omit<OutgoingRules, 'allowed'>, clock: () => Date): Signing {
  const outgoing: OutgoingRules = { allowed: allowOutbound, ...forTests };
  return { client: createProviderClient(outgoing), outgoing, clock };
}

/** Lists what runs the contract's methods, module by module. */
export function allServices(config: ServeConfig, notificationServices: readonly BoundService[], signing: Signing): readonly BoundService[] {
  return joinServices([
    ...auditServices,
    ...createLogServices(config),
    ...deliveryServices,
    ...directoryServices,
    ...createCredentialServices({ secretLabel: config.secretLabel }),
    ...createSessionServices(signing.outgoing),
    ...createSignatureServices(signing),
    ...secondPersonServices,
    ...suspensionServices,
    ...holdServices,
    ...attributeServices,
    ...catalogServices,
    ...connectorServices,
    ...identityServices,
    ...personRecordServices,
    ...grantServices,
    ...profileServices,
    ...importServices,
    ...createFetchServices(installationOf(config, signing.outgoing)),
    ...personClaimServices,
    ...scimServices,
    ...createConnectorServices({ secretLabel: config.secretLabel, connectorHost: config.connectorHost }),
    ...policyServices,
    ...conflictServices,
    ...createTaskServices(followRemoval, signing, signAcknowledgement),
    ...revocationServices,
    ...createReviewServices(config.mail !== undefined, signing),
    ...templateServices,
    ...rollForwardServices,
    ...secondReviewServices,
    ...walkthroughServices,
    ...coverageServices,
    ...sampleServices,
    ...reportServices,
    ...evidenceServices,
    ...erasureServices,
    ...personMergeServices,
    createRetentionService(config.minimumEventYears),
    ...notificationServices,
  ]);
}

/** Lists the kinds of jobs. */
export function allJobKinds(config: ServeConfig, notifications: Notifications): ReadonlyMap<string, JobKind> {
  return new Map([
    ...createLogJobs(config),
    ...grantJobs,
    ...profileJobs,
    ...fetchJobs,
    ...conflictJobs,
    ...taskJobs,
    ...revocationJobs,
    ...reviewJobs,
    ...templateJobs,
    ...erasureJobs,
    ...nameMergeJobs,
    ...rollForwardJobs,
    [prepareKind, createPrepareJob(config.maxReviewItems)],
    ...reportJobs,
    ...evidenceJobs,
    ...notifications.jobKinds,
    [retentionKind, createRetentionJob(config.minimumEventYears)],
  ]);
}

/** Returns the parts of this installation that fetches may use. */
const installationOf = ({ importDir, settleSeconds }: ServeConfig, outgoing: OutgoingRules) => ({
  importDir,
  settleMs: settleSeconds * 1000,
  outgoing,
});

/** Lists the kinds of effects outside the database. */
export function allEffects(
  config: ServeConfig,
  { deliveryKinds }: Notifications,
  outgoing: OutgoingRules,
  clock: () => Date,
): ReadonlyMap<string, EffectKind> {
  return new Map([
    ...createDeliveryEffects(deliveryKinds),
    [sendAnchorKind, createAnchorEffect({ outgoing, checkpointDir: config.checkpointDir })],
    [fetchKind, createFetchEffect(installationOf(config, outgoing), clock)],
    [planKind, createPlanEffect(clock)],
  ]);
}

/** Lists the jobs that a tenant may need now and then, and how that is found out. */
export function allLooks(config: ServeConfig): NonNullable<Parameters<typeof createKeeper>[0]['others']> {
  return [
    { kind: logCheckKind, isDue: isCheckDue },
    { kind: anchorKind, isDue: createAnchorsDue(config) },
    { kind: emptyReviewsKind, isDue: isReviewDue },
    // Ages grow by themselves.
    { kind: fetchLookKind, isDue: () => Promise.resolve(true) },
  ];
}

/** Lists the loaders of objects that expand replies, by type. */
export function allLoaders(): Loaders {
  return new Map([
    loads(UserSchema, userLoader),
    loads(RoleSchema, roleLoader),
    loads(AppSchema, appLoader),
    loads(AppEntitlementSchema, entitlementLoader),
    loads(AppResourceSchema, resourceLoader),
    loads(AppResourceTypeSchema, resourceTypeLoader),
    loads(AppUserSchema, accountLoader),
    loads(PolicySchema, policyLoader),
    loads(AccessReviewSchema, reviewLoader),
    loads(AccessReviewTemplateSchema, templateLoader),
    loads(TaskInsightSchema, insightLoader),
  ]);
}
