/**
 * Brings the sample company in and gets its review running, through the API alone, as any client would. Every step looks first whether it
 * was done: a demo that was stopped half-way goes on where it stopped.
 */
import type { Client } from '../client/index.ts';
import type { AccessReviewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { AppOwnerService } from '../gen/c1/api/app/v1/app_owner_service_pb.js';
import { AuthService } from '../gen/c1/api/auth/v1/auth_service_pb.js';
import { ImportService } from '../gen/countersign/v1/imports_pb.js';
import { ReviewActionsService } from '../gen/countersign/v1/review_pb.js';
import { createReview } from './create-review.ts';
import { sampleReviewName, writeSampleGrants, writeSamplePeople, type SampleFile } from './demo-company.ts';
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
    const grants = writeSampleGrants();
    say('importing 60 people');
    await send(client, writeSamplePeople());
    for (const file of grants) {
      say(`importing the grants of ${file.app}`);
      await send(client, file);
    }
    // Somebody must be asked about accounts that nobody owns; here it is whoever tries the demo.
    for (const name of ['Sample Ledger', 'Sample Code']) {
      const app = await findApp(client, name);
      await client.call(AppOwnerService.method.add, { appId: app.id, userId });
    }
    say('creating a review');
    const description = 'Made by the demo: does everybody in the sample company still need what they hold?';
    review = withId(await createReview(client, { name: sampleReviewName, description, app: grants.map((file) => file.app) }));
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
    await client.upload(ImportService.method.importGrants, { app: file.app }, upload);
  }
}
