/**
 * Brings the sample company in and gets its review running, through the API alone, as any client would. Every step looks first whether it
 * was done: a demo that was stopped half-way goes on where it stopped.
 */
import type { Client } from '../client/index.ts';
import type { AccessReviewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppOwnerService } from '../gen/c1/api/app/v1/app_owner_service_pb.js';
import { AppEntitlementService } from '../gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import { AuthService } from '../gen/c1/api/auth/v1/auth_service_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { ImportService } from '../gen/countersign/v1/imports_pb.js';
import { ReviewActionsService } from '../gen/countersign/v1/review_pb.js';
import { createReview } from './create-review.ts';
import { sampleManualApp, writeSampleGrants, writeSampleTills } from './demo-access.ts';
import { sampleReviewName, writeSamplePeople, type SampleFile } from './demo-company.ts';
import { findApp } from './find.ts';
import type { CommandIo } from './io.ts';
import { waitForPhase } from './wait.ts';

/** What the demo shows afterwards. */
export interface LoadedDemo {
  readonly userId: string;
  readonly review: AccessReviewJson & { readonly id: string };
}

/** Loads what is missing and returns what is there; `say` hears each step in a few words. */
export async function loadSampleCompany(io: CommandIo, client: Client, say: (step: string) => void): Promise<LoadedDemo> {
  const userId = (await client.call(AuthService.method.introspect, {})).userId ?? '';
  let review = await findSampleReview(client);
  if (review === undefined) {
    const grants = [...writeSampleGrants(), writeSampleTills()];
    say('importing 60 people');
    await send(client, writeSamplePeople());
    for (const file of grants) {
      say(`importing the grants of ${file.app}${file.source === '' ? '' : ` from the ${file.source}`}`);
      await send(client, file);
    }
    say('writing down who has which key');
    await writeDownKeys(client, userId);
    // Somebody must be asked about accounts that nobody owns; here it is whoever tries the demo.
    for (const name of ['Sample Ledger', 'Sample Code']) {
      const app = await findApp(client, name);
      await client.call(AppOwnerService.method.add, { appId: app.id, userId });
    }
    say('creating a review');
    const description = 'Made by the demo: does everybody in the sample company still need what they hold?';
    review = withId(await createReview(client, { name: sampleReviewName, description, app: [...new Set(grants.map((file) => file.app))] }));
  }
  // Each action waits for the one before it; a review that was closed or deleted meanwhile is left as it is.
  if (review.state === 'ACCESS_REVIEW_STATE_DRAFT' || review.state === 'ACCESS_REVIEW_STATE_PREPARING') {
    say('taking the snapshot and finding the reviewers');
    await client.call(ReviewActionsService.method.prepare, { accessReviewId: review.id });
    await waitForPhase(io, client, review.id);
    review = await getReview(client, review.id);
  }
  if (review.state === 'ACCESS_REVIEW_STATE_REVIEW' || review.state === 'ACCESS_REVIEW_STATE_STARTING') {
    say('starting the review');
    await client.call(ReviewActionsService.method.start, { accessReviewId: review.id });
    await waitForPhase(io, client, review.id);
    review = await getReview(client, review.id);
  }
  return { userId, review };
}

async function findSampleReview(client: Client): Promise<LoadedDemo['review'] | undefined> {
  for await (const view of client.pages(AccessReviewService.method.list, {})) {
    if (view.accessReview?.displayName === sampleReviewName) {
      return withId(view.accessReview);
    }
  }
  return undefined;
}

async function getReview(client: Client, id: string): Promise<LoadedDemo['review']> {
  return withId((await client.call(AccessReviewService.method.get, { id })).accessReview?.accessReview ?? {});
}

function withId(review: AccessReviewJson): LoadedDemo['review'] {
  return { ...review, id: review.id ?? '' };
}

async function send(client: Client, file: SampleFile): Promise<void> {
  const upload = { content: new Blob([file.csv]).stream(), gzip: false };
  if (file.app === '') {
    await client.upload(ImportService.method.importPeople, {}, upload);
  } else {
    await client.upload(ImportService.method.importGrants, { app: file.app, source: file.source }, upload);
  }
}

async function writeDownKeys(client: Client, userId: string): Promise<void> {
  const { name, entitlements } = sampleManualApp;
  const appId = (await findByName(client, name)) ?? (await createManualApp(client, name, userId));
  const idOf = new Map<string, string>();
  for await (const { user } of client.pages(UserService.method.list, {})) {
    idOf.set(user?.email ?? '', user?.id ?? '');
  }
  const there = new Map<string, string>();
  for await (const { appEntitlement } of client.pages(AppEntitlementService.method.list, { appId })) {
    there.set(appEntitlement?.displayName ?? '', appEntitlement?.id ?? '');
  }
  for (const { name: displayName, emails } of entitlements) {
    let id = there.get(displayName);
    if (id === undefined) {
      const { appEntitlementView } = await client.call(AppEntitlementService.method.create, { appId, displayName });
      id = appEntitlementView?.appEntitlement?.id ?? '';
    }
    const userIds = emails.flatMap((email) => idOf.get(email) ?? []);
    await client.call(AppEntitlementService.method.addManuallyManagedMembers, { appId, appEntitlementId: id, userIds });
  }
}

async function findByName(client: Client, displayName: string): Promise<string | undefined> {
  for await (const app of client.pages(AppService.method.list, {})) {
    if (app.displayName === displayName) {
      return app.id;
    }
  }
  return undefined;
}

async function createManualApp(client: Client, displayName: string, userId: string): Promise<string> {
  const description = 'Keys that are handed out manually. No source reports them.';
  return (await client.call(AppService.method.create, { displayName, description, owners: [userId] })).app?.id ?? '';
}
