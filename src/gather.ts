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
} from './domains/log-proofs/index.ts';
import { services as auditServices } from './domains/audit/index.ts';
import { services as holdServices } from './domains/holds/index.ts';
import { services as secondPersonServices } from './domains/second-persons/index.ts';
import { services as suspensionServices } from './domains/suspensions/index.ts';
import { emptyReviewsKind, isReviewDue, jobKinds as erasureJobs, services as erasureServices } from './domains/erasures/index.ts';
import { services as attributeServices } from './domains/classifications/index.ts';
import {
  accountLoader,
  appLoader,
  entitlementLoader,
  resourceLoader,
  resourceTypeLoader,
  services as catalogServices,
} from './domains/catalog/index.ts';
import { jobKinds as conflictJobs, services as conflictServices } from './domains/conflicts/index.ts';
import { createServices as createConnectorServices } from './domains/connector-tasks/index.ts';
import { services as connectorServices } from './domains/sources/index.ts';
import { createServices as createCredentialServices } from './domains/credentials/index.ts';
import { roleLoader, services as directoryServices, userLoader } from './domains/directory/index.ts';
import { jobKinds as evidenceJobs, services as evidenceServices } from './domains/evidence/index.ts';
import {
  createFetchEffect,
  fetchKind,
  jobKinds as fetchJobs,
  lookKind as fetchLookKind,
  createServices as createFetchServices,
} from './domains/fetches/index.ts';
import { jobKinds as grantJobs, services as grantServices } from './domains/grants/index.ts';
import { services as identityServices } from './domains/identity/index.ts';
import { services as importServices } from './domains/syncs/index.ts';
import { jobKinds as nameMergeJobs } from './domains/name-merges/index.ts';
import type { Notifications } from './domains/notifications/index.ts';
import { policyLoader, services as policyServices } from './domains/policies/index.ts';
import { jobKinds as profileJobs, services as profileServices } from './domains/access-profiles/index.ts';
import {
  type createKeeper,
  createRetentionJob,
  createRetentionService,
  jobKinds as reportJobs,
  retentionKind,
  services as reportServices,
} from './domains/reports/index.ts';
import { createDeliveryEffects, services as deliveryServices } from './domains/deliveries/index.ts';
import {
  createPrepareJob,
  prepareKind,
  jobKinds as reviewJobs,
  reviewLoader,
  createServices as createReviewServices,
  signAcknowledgement,
} from './domains/reviews/index.ts';
import {
  createPlanEffect,
  followRemoval,
  jobKinds as revocationJobs,
  planKind,
  services as revocationServices,
} from './domains/revocations/index.ts';
import { services as personRecordServices } from './domains/people/index.ts';
import { services as personClaimServices } from './domains/person-claims/index.ts';
import { services as personMergeServices } from './domains/person-merges/index.ts';
import { services as scimServices } from './domains/scim/index.ts';
import { createServices as createTaskServices, insightLoader, jobKinds as taskJobs } from './domains/tasks/index.ts';
import { services as sampleServices } from './domains/samples/index.ts';
import { services as coverageServices } from './domains/coverage/index.ts';
import { services as secondReviewServices } from './domains/second-reviews/index.ts';
import { services as walkthroughServices } from './domains/walkthroughs/index.ts';
import { jobKinds as rollForwardJobs, services as rollForwardServices } from './domains/roll-forwards/index.ts';
import { jobKinds as templateJobs, services as templateServices, templateLoader } from './domains/templates/index.ts';
import { createProviderClient, createServices as createSessionServices } from './domains/sessions/index.ts';
import { createServices as createSignatureServices, type Signing } from './domains/signatures/index.ts';
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
