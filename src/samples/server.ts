/**
 * Needs of loading the sample company: calls of the API by the names of operations. The command line and the console each bring their own, so
 * nothing here knows Node or a browser.
 */
import type { Operations } from '../gen/routes.js';

/** The operations that are called. */
export type SampleOperation =
  | 'AccessConflictService.CreateMonitor'
  | 'AccessReviewService.Create'
  | 'AccessReviewService.Get'
  | 'AccessReviewService.List'
  | 'AccessReviewService.Update'
  | 'AppEntitlementMonitorBindingService.CreateAppEntitlementMonitorBinding'
  | 'AppEntitlementService.AddManuallyManagedMembers'
  | 'AppEntitlementService.Create'
  | 'AppEntitlementService.List'
  | 'AppEntitlementService.Update'
  | 'AppOwnerService.Add'
  | 'AppService.Create'
  | 'AppService.List'
  | 'AuthService.Introspect'
  | 'ConflictAlertService.List'
  | 'ConflictMonitorService.Enable'
  | 'ConflictMonitorService.List'
  | 'ConflictMonitorService.ListEntitlements'
  | 'ImportService.ImportGrants'
  | 'ImportService.ImportPeople'
  | 'ImportService.List'
  | 'ReviewActionsService.Prepare'
  | 'ReviewActionsService.Start'
  | 'RiskLevelService.CreateRiskLevelAttributeValue'
  | 'RiskLevelService.ListRiskLevels'
  | 'SampleService.Get'
  | 'SampleService.Mark'
  | 'UserService.List';

type RequestOf<K extends SampleOperation> = Operations[K]['request'];
type ReplyOf<K extends SampleOperation> = Operations[K]['reply'];

/** A server that the sample company is loaded into, as its administrator. */
export interface SampleServer {
  call<K extends SampleOperation>(operation: K, request: RequestOf<K>): Promise<ReplyOf<K>>;
  /** A call whose body is a CSV file. */
  upload<K extends SampleOperation>(operation: K, request: RequestOf<K>, csv: string): Promise<ReplyOf<K>>;
  /** Moments to look again; ends with an error when nobody waits any more. */
  pauses(): AsyncIterable<unknown>;
  /** Resolves when nothing runs on the review any more; an error where what ran has failed. */
  waitForPhase(reviewId: string): Promise<void>;
}

/** Item in the replies of lists. */
type ItemOf<O> = O extends { list?: readonly (infer T)[] } ? T : never;

/** All pages of a list. */
export async function listAll<K extends SampleOperation>(
  server: SampleServer,
  operation: K,
  request: RequestOf<K>,
): Promise<ItemOf<ReplyOf<K>>[]> {
  const found: ItemOf<ReplyOf<K>>[] = [];
  let pageToken = '';
  do {
    const asked: unknown = { pageSize: 100, ...(request as object), pageToken };
    const reply: unknown = await server.call(operation, asked as RequestOf<K>);
    const page = reply as { list?: ItemOf<ReplyOf<K>>[]; nextPageToken?: string };
    found.push(...(page.list ?? []));
    pageToken = page.nextPageToken ?? '';
  } while (pageToken !== '');
  return found;
}

/** The ids of the apps by their names. */
export async function listAppIds(server: SampleServer): Promise<ReadonlyMap<string, string>> {
  return new Map((await listAll(server, 'AppService.List', {})).map(({ displayName = '', id = '' }) => [displayName, id]));
}

/** The ids of an app's entitlements by their names. */
export async function listEntitlementIds(server: SampleServer, appId: string): Promise<ReadonlyMap<string, string>> {
  const views = await listAll(server, 'AppEntitlementService.List', { appId });
  return new Map(views.map(({ appEntitlement }) => [appEntitlement?.displayName ?? '', appEntitlement?.id ?? '']));
}
