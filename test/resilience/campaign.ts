/**
 * One review from import to report, driven over HTTP by somebody who does not give up: every step is repeated until it is acknowledged, and
 * every acknowledged decision goes into a journal. Who is killed meanwhile is decided in the tests; what must be true afterwards is in
 * check-campaign.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Client, ClientError, createClient } from '../../src/client/index.ts';
import { AccessReviewActionsService } from '../../src/gen/c1/api/accessreview/v1/access_review_actions_service_pb.js';
import { AccessReviewReportService } from '../../src/gen/c1/api/accessreview/v1/access_review_report_service_pb.js';
import { AccessReviewService } from '../../src/gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppService } from '../../src/gen/c1/api/app/v1/app_service_pb.js';
import { AuthService } from '../../src/gen/c1/api/auth/v1/auth_service_pb.js';
import { TaskService } from '../../src/gen/c1/api/task/v1/task_service_pb.js';
import { TaskActionsService } from '../../src/gen/c1/api/task/v1/task_actions_service_pb.js';
import { UserService } from '../../src/gen/c1/api/user/v1/user_service_pb.js';
import { ImportService } from '../../src/gen/countersign/v1/imports_pb.js';
import { IssuedCredentialService } from '../../src/gen/countersign/v1/people_pb.js';
import { ReviewActionsService, ReviewSubmissionService } from '../../src/gen/countersign/v1/review_pb.js';
import type { DataSet, GrantRecord } from '../support/data-sets.ts';

/** Times somebody had to ask again. */
export const retries = { unreachable: 0, unavailable: 0 };

/** True if an error means "nobody is there at the moment", which is all that a kill may look like to a client. */
function isOutage(error: unknown): boolean {
  if (error instanceof ClientError) {
    if (error.status === 503) {
      retries.unavailable += 1;
      return true;
    }
    retries.unreachable += error.status === 0 ? 1 : 0;
    return error.status === 0;
  }
  // The reply broke off in its middle: fetch says so when the body is read, and names what happened to the connection.
  const isBrokenOff = error instanceof TypeError && (error.cause !== undefined || error.message === 'terminated');
  retries.unreachable += isBrokenOff ? 1 : 0;
  return isBrokenOff;
}

/** Repeats `work` until it is answered; errors that are no outage come through, a 500 among them. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + 120_000; ; ) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || Date.now() > until) {
        throw error;
      }
      await delay(50);
    }
  }
}

/** `wanted` grants out of a data set: its first ones, or more of them with every account several times over. */
export function resizeGrants(data: DataSet, wanted: number): GrantRecord[] {
  const rows: GrantRecord[] = [];
  for (let copy = 1; rows.length < wanted; copy += 1) {
    const some = data.grants.slice(0, wanted - rows.length);
    rows.push(...(copy === 1 ? some : some.map((row) => ({ ...row, account: `${row.account}-${copy}` }))));
  }
  return rows;
}

/** Name of an item in a report: account, resource and the entitlement's name. */
export function keyOf(account: string, resource: string, entitlement: string): string {
  return [account, resource, entitlement].join('|');
}

/** Each grant once, by its key. */
export function distinctKeys(rows: readonly GrantRecord[]): Set<string> {
  return new Set(rows.map((row) => keyOf(row.account, row.resource, `${row.resource} ${row.entitlement}`)));
}

/** The rows as a file. */
export function writeGrantsCsv(rows: readonly GrantRecord[]): Buffer {
  const columns = [
    'account',
    'email',
    'account_type',
    'account_status',
    'resource_type',
    'resource',
    'entitlement',
    'granted_at',
    'last_used_at',
  ] as const;
  return Buffer.from(`${[columns.join(','), ...rows.map((row) => columns.map((column) => row[column]).join(','))].join('\n')}\n`);
}

/** Somebody who decides through the API. */
export interface Reviewer {
  readonly id: string;
  readonly email: string;
  readonly client: Client;
}

/** A decision that the server acknowledged with 200. */
export interface JournalEntry {
  readonly decision: 'CERTIFY' | 'DENY';
  readonly email: string;
  /** Comment of the decision, '' for one that went through a submission. */
  readonly comment: string;
}

/** A review under way, and the answers its reviewers got. */
export interface Campaign {
  readonly reviewId: string;
  readonly keys: ReadonlySet<string>;
  /** Acknowledged decisions by task id. */
  readonly journal: Map<string, JournalEntry>;
  /** Tasks whose last request was neither acknowledged nor repeated, because the close came first: both ends are right. */
  readonly uncertain: Set<string>;
}

function upload(csv: Buffer): { content: ReadableStream<Uint8Array>; gzip: boolean } {
  return { content: new Blob([new Uint8Array(gzipSync(csv, { level: 1 }))]).stream(), gzip: true };
}

/** Imports the people of a data set, and says how many rows were acknowledged. */
export async function importPeople(admin: Client, csv: Buffer): Promise<number> {
  const { import: done } = await persist(() => admin.upload(ImportService.method.importPeople, {}, upload(csv)));
  return Number(done?.rows);
}

/** Imports the grants of an app; how many were new, and how many were there from an attempt that was not acknowledged. */
export async function importGrants(admin: Client, app: string, csv: Buffer): Promise<{ added: number; unchanged: number }> {
  const { import: done } = await persist(() => admin.upload(ImportService.method.importGrants, { app }, upload(csv)));
  return { added: Number(done?.added), unchanged: Number(done?.unchanged) };
}

/** Everybody's id by mail address. */
export async function listPeople(admin: Client): Promise<Map<string, string>> {
  return persist(async () => {
    const ids = new Map<string, string>();
    for await (const view of admin.pages(UserService.method.list, {})) {
      ids.set(view.user?.email ?? '', view.user?.id ?? '');
    }
    return ids;
  });
}

/** Gives somebody a credential and returns them with a client of their own; '' is the administrator. */
export async function makeReviewer(admin: Client, id: string, email: string): Promise<Reviewer> {
  if (email === '') {
    const { userId = '' } = await persist(() => admin.call(AuthService.method.introspect, {}));
    return { id: userId, email: '', client: admin };
  }
  const { client, clientSecret = '' } = await persist(() =>
    admin.call(IssuedCredentialService.method.issue, { userId: id, displayName: 'Review' }),
  );
  return { id, email, client: createClient({ url: admin.url, credential: { clientId: client?.clientId ?? '', clientSecret } }) };
}

/** A draft over everything in the app. An attempt that was not acknowledged may leave another draft behind. */
export async function draftReview(admin: Client, app: string, keys: ReadonlySet<string>): Promise<Campaign> {
  const reviewId = await persist(async () => {
    let appId = '';
    for await (const found of admin.pages(AppService.method.list, {})) {
      appId = found.displayName === app ? (found.id ?? '') : appId;
    }
    const { accessReview } = await admin.call(AccessReviewService.method.create, { displayName: `Review of ${app}` });
    const id = accessReview?.accessReview?.id ?? '';
    await admin.call(AccessReviewService.method.update, { id, accessReview: { displayName: `Review of ${app}`, singleApp: { appId } } });
    return id;
  });
  return { reviewId, keys, journal: new Map(), uncertain: new Set() };
}

/** Asks for a move and waits until the review is there, whatever happens to the server meanwhile. */
export async function moveReview(admin: Client, { reviewId }: Campaign, move: 'prepare' | 'start' | 'close'): Promise<void> {
  const wanted = { prepare: 'REVIEW', start: 'OPEN', close: 'CLOSED' }[move];
  const request = { accessReviewId: reviewId };
  for (const until = Date.now() + 120_000; ; await delay(30)) {
    const state = await persist(
      async () => (await admin.call(AccessReviewService.method.get, { id: reviewId })).accessReview?.accessReview?.state,
    );
    if (state === `ACCESS_REVIEW_STATE_${wanted}`) {
      return;
    }
    if (Date.now() > until) {
      throw new Error(`the review is still ${state} and not ${wanted}`);
    }
    // Asked for again and again: while it runs, the answer is "already".
    await persist(() => askFor(admin, move, request));
    const { progress } = await persist(() => admin.call(ReviewActionsService.method.getProgress, request));
    if (progress?.error) {
      throw new Error(`${move} failed: ${progress.error}`);
    }
  }
}

async function askFor(admin: Client, move: 'prepare' | 'start' | 'close', request: { accessReviewId: string }): Promise<void> {
  try {
    await admin.call(ReviewActionsService.method[move] as typeof ReviewActionsService.method.prepare, request);
  } catch (error) {
    // It got there between our look and our request.
    if (!(error instanceof ClientError && error.code === 'FAILED_PRECONDITION')) {
      throw error;
    }
  }
}

/** Decides a task from its id alone: one in four is denied. */
export function decisionFor(taskId: string): 'CERTIFY' | 'DENY' {
  return taskId.charCodeAt(taskId.length - 1) % 4 === 0 ? 'DENY' : 'CERTIFY';
}

/** The ids of up to `limit` open tasks that somebody is asked to decide. */
export async function listOpenTasks(reviewer: Reviewer, reviewId: string, limit: number): Promise<string[]> {
  return persist(async () => {
    const ids: string[] = [];
    const request = { accessReviewIds: [reviewId], assigneesInIds: [reviewer.id], taskStates: ['TASK_STATE_OPEN' as const] };
    for await (const view of reviewer.client.pages(TaskService.method.search, request)) {
      if (ids.push(view.task?.id ?? '') >= limit) {
        break;
      }
    }
    return ids;
  });
}

/** Decides one task until that is acknowledged. A refusal counts only where `mayBeRefused`, once the review may be closing. */
export async function decideOne(campaign: Campaign, reviewer: Reviewer, taskId: string, mayBeRefused = () => false): Promise<boolean> {
  const decision = decisionFor(taskId);
  const method = decision === 'CERTIFY' ? TaskActionsService.method.approve : TaskActionsService.method.deny;
  const comment = `by ${reviewer.email}`;
  try {
    await persist(() => reviewer.client.call(method as typeof TaskActionsService.method.approve, { taskId, comment }));
    campaign.journal.set(taskId, { decision, email: reviewer.email, comment });
    return true;
  } catch (error) {
    if (error instanceof ClientError && (error.code === 'FAILED_PRECONDITION' || error.code === 'CONFLICT') && mayBeRefused()) {
      campaign.uncertain.add(taskId);
      return false;
    }
    throw error;
  }
}

/** Decides many at once, until that is acknowledged; a result per task says that it holds. */
export async function submitMany(campaign: Campaign, reviewer: Reviewer, taskIds: readonly string[]): Promise<void> {
  const decisions = taskIds.map((taskId) => ({ taskId, decision: `REVIEW_DECISION_${decisionFor(taskId)}` as const }));
  const { results = [] } = await persist(() =>
    reviewer.client.call(ReviewSubmissionService.method.submit, { accessReviewId: campaign.reviewId, decisions }),
  );
  for (const result of results) {
    if (result.decided !== true) {
      throw new Error(`the task ${result.taskId} was not decided: ${result.code} ${result.message}`);
    }
    campaign.journal.set(result.taskId ?? '', { decision: decisionFor(result.taskId ?? ''), email: reviewer.email, comment: '' });
  }
  if (results.length !== taskIds.length) {
    throw new Error(`${taskIds.length} decisions had ${results.length} results`);
  }
}

/** Has a report made and downloads it. */
export async function fetchReport(admin: Client, reviewId: string, format: 'CSV' | 'JSON'): Promise<string> {
  const wanted = `ACCESS_REVIEW_REPORT_FORMAT_${format}` as const;
  await persist(() => admin.call(AccessReviewActionsService.method.generateReport, { accessReviewId: reviewId, format: wanted }));
  for (const until = Date.now() + 120_000; ; await delay(50)) {
    const { list = [] } = await persist(() => admin.call(AccessReviewReportService.method.list, { accessReviewId: reviewId }));
    const done = list.find((one) => one.format === wanted && one.state === 'REPORT_STATE_OK');
    if (done?.downloadUrl !== undefined) {
      const link = done.downloadUrl;
      return persist(async () => (await admin.download(link)).text());
    }
    if (Date.now() > until || list.some((one) => one.state === 'REPORT_STATE_ERROR')) {
      throw new Error('the report was not made');
    }
  }
}
