/** Brings the sample company into the server of the demo, with the client and the words of the command line. */
import type { DescMessage, JsonObject } from '@bufbuild/protobuf';
import type { Client, Method } from '../../client/index.ts';
import { AccessConflictService, AppEntitlementMonitorBindingService } from '../../gen/c1/api/accessconflict/v1/access_conflict_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppEntitlementService } from '../../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppOwnerService } from '../../gen/c1/api/app/v1/app_owner_service_pb.js';
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';
import { RiskLevelService } from '../../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { AuthService } from '../../gen/c1/api/auth/v1/auth_service_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { ConflictAlertService, ConflictMonitorService } from '../../gen/countersign/v1/conflicts_pb.js';
import { ImportService } from '../../gen/countersign/v1/imports_pb.js';
import { ReviewActionsService } from '../../gen/countersign/v1/review_pb.js';
import { SampleService } from '../../gen/countersign/v1/samples_pb.js';
import { type LoadedSamples, loadSamples, type SampleStep } from '../../samples/load.ts';
import type { SampleOperation, SampleServer } from '../../samples/server.ts';
import type { CommandIo } from '../frame/io.ts';
import { pauses, waitForPhase } from '../frame/wait.ts';

const methods: Readonly<Record<SampleOperation, Method<DescMessage, DescMessage>>> = {
  'AccessConflictService.CreateMonitor': AccessConflictService.method.createMonitor,
  'AccessReviewService.Create': AccessReviewService.method.create,
  'AccessReviewService.Get': AccessReviewService.method.get,
  'AccessReviewService.List': AccessReviewService.method.list,
  'AccessReviewService.Update': AccessReviewService.method.update,
  'AppEntitlementMonitorBindingService.CreateAppEntitlementMonitorBinding':
    AppEntitlementMonitorBindingService.method.createAppEntitlementMonitorBinding,
  'AppEntitlementService.AddManuallyManagedMembers': AppEntitlementService.method.addManuallyManagedMembers,
  'AppEntitlementService.Create': AppEntitlementService.method.create,
  'AppEntitlementService.List': AppEntitlementService.method.list,
  'AppEntitlementService.Update': AppEntitlementService.method.update,
  'AppOwnerService.Add': AppOwnerService.method.add,
  'AppService.Create': AppService.method.create,
  'AppService.List': AppService.method.list,
  'AuthService.Introspect': AuthService.method.introspect,
  'ConflictAlertService.List': ConflictAlertService.method.list,
  'ConflictMonitorService.Enable': ConflictMonitorService.method.enable,
  'ConflictMonitorService.List': ConflictMonitorService.method.list,
  'ConflictMonitorService.ListEntitlements': ConflictMonitorService.method.listEntitlements,
  'ImportService.ImportGrants': ImportService.method.importGrants,
  'ImportService.ImportPeople': ImportService.method.importPeople,
  'ImportService.List': ImportService.method.list,
  'ReviewActionsService.Prepare': ReviewActionsService.method.prepare,
  'ReviewActionsService.Start': ReviewActionsService.method.start,
  'RiskLevelService.CreateRiskLevelAttributeValue': RiskLevelService.method.createRiskLevelAttributeValue,
  'RiskLevelService.ListRiskLevels': RiskLevelService.method.listRiskLevels,
  'SampleService.Get': SampleService.method.get,
  'SampleService.Mark': SampleService.method.mark,
  'UserService.List': UserService.method.list,
};

/** Data the demo shows afterwards. */
export type LoadedDemo = LoadedSamples;

/** Loads what is missing and returns what is there; `say` hears each step in a few words. */
export async function loadSampleCompany(io: CommandIo, client: Client, say: (step: string) => void): Promise<LoadedDemo> {
  // The demo writes its mails into a folder, where they can be looked at.
  return loadSamples(sampleServerOf(io, client), { sendMails: true, say: (step) => say(wordsOf(step)) });
}

function sampleServerOf(io: CommandIo, client: Client): SampleServer {
  // The names of the operations say the types of requests and replies, as the methods do.
  return {
    call: (operation, request) => client.call(methods[operation], request as JsonObject) as Promise<never>,
    upload: (operation, request, csv) =>
      client.upload(methods[operation], request as JsonObject, { content: new Blob([csv]).stream(), gzip: false }) as Promise<never>,
    pauses: () => pauses(io.signal),
    waitForPhase: (reviewId) => waitForPhase(io, client, reviewId),
  };
}

const words = {
  words: 'saying what each right allows',
  keys: 'writing down who has which key',
  conflicts: 'looking for conflicts of access',
  review: 'creating a review',
  prepare: 'taking the snapshot and finding the reviewers',
  start: 'starting the review',
} as const;

function wordsOf(step: SampleStep): string {
  switch (step.kind) {
    case 'people':
      return `importing ${step.count} people`;
    case 'access':
      return `importing the grants of ${step.app}${step.source === '' ? '' : ` from the ${step.source}`}`;
    default:
      return words[step.kind];
  }
}
