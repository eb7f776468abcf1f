/** `countersign review show`: what a review asks, of what, by when, and what can be done with it now. */
import type { Client } from '../../client/index.ts';
import type { AccessReviewJson, AccessReviewViewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { PolicyService } from '../../gen/c1/api/policy/v1/policy_service_pb.js';
import { ReviewOwnerService } from '../../gen/countersign/v1/review_pb.js';
import type { Commands } from '../frame/commands.ts';
import { reviewState } from './finish-phase.ts';
import { count } from '../frame/io.ts';
import { readArrivals, sayArrivals } from './review-arrivals.ts';
import { listAll, nameApps } from '../frame/list.ts';
import { sayScope } from './say-scope.ts';

/** Adds the command. */
export function addShowCommand(group: Commands): void {
  group.call('show', {
    description: 'show one review: what it asks, by when, and what you can do with it now',
    operands: { '<review>': 'id of the review' },
    method: AccessReviewService.method.get,
    json: (view) => view.accessReview,
    text: (view, _, { client }) => describe(client, view),
  });
}

/** Omits owners, policy and scope for whoever reads only their own tasks. */
async function describe(client: Client, view: AccessReviewViewJson): Promise<string[]> {
  const { accessReview: review = {}, objectPermissions } = view;
  const isWhole = objectPermissions?.edit === true || (review.policyId ?? '') !== '';
  const head = [`${review.displayName ?? ''}  ${reviewState(review)}`, ...sayTexts(review)];
  if (!isWhole) {
    return [...head, ...sayDates(review), ...saySigning(review).map((line) => `signing    ${line}`)];
  }
  const owners = await listAll(client.pages(ReviewOwnerService.method.listOwners, { accessReviewId: review.id ?? '' }));
  const { policy } = review.policyId ? await client.call(PolicyService.method.get, { id: review.policyId }) : {};
  const actions = Object.entries(objectPermissions?.extra ?? {}).filter(([, may]) => may === true);
  return [
    ...head,
    `items      ${review.expectedTicketCount === undefined ? 'not counted yet' : count(review.expectedTicketCount)}`,
    ...sayDates(review),
    ...saySigning(review).map((line) => `signing    ${line}`),
    `owners     ${owners.map(({ owner }) => owner?.email || owner?.displayName || '').join(', ')}`,
    `policy     ${policy?.displayName ?? 'the one that the tenant started with'}`,
    ...sayScope(review, await nameApps({ client })).map((line, at) => `${at === 0 ? 'scope' : '     '}      ${line}`),
    ...(await describeArrivals(client, review)),
    `you may    ${actions.map(([name]) => (name === 'duplicateFrom' ? 'copy' : name)).join(', ') || 'read'}`,
  ];
}

/** Tells of an open or closed review what came after its snapshot. */
async function describeArrivals(client: Client, { id = '', state }: AccessReviewJson): Promise<string[]> {
  return state === 'ACCESS_REVIEW_STATE_OPEN' || state === 'ACCESS_REVIEW_STATE_CLOSED'
    ? sayArrivals(id, await readArrivals(client, id)).map((line, at) => `${at === 0 ? 'later ' : '      '}     ${line}`)
    : [];
}

function sayTexts({ description, reviewInstructions }: AccessReviewJson): string[] {
  return [description ?? '', reviewInstructions ?? ''].filter((text) => text !== '');
}

/** Says how each submission to a review is signed; nothing where it asks for no signatures. */
export function saySigning({ signatureConfig = {} }: AccessReviewJson): string[] {
  const { requireSignature = false, meaningOfSignature = '', stepUpProviderId = '', tspUrl = '' } = signatureConfig;
  if (!requireSignature) {
    return [];
  }
  const signIn = stepUpProviderId === '' ? 'by session or credential alone' : `with a sign-in at the step-up provider ${stepUpProviderId}`;
  const stamp = tspUrl === '' ? 'without a time stamp' : `stamped by ${URL.canParse(tspUrl) ? new URL(tspUrl).host : tspUrl}`;
  return [`each submission, ${signIn}, ${stamp}: “${meaningOfSignature}”`];
}

function sayDates(review: AccessReviewJson): string[] {
  const { scheduledStartDate, startedAt, completionDate, closedAt, autoStartCampaign, autoCloseCampaign } = review;
  const start = startedAt ?? scheduledStartDate;
  return [
    `${startedAt === undefined ? 'starts ' : 'started'}    ${start ?? 'when somebody starts it'}${autoStartCampaign && !startedAt ? ', by itself' : ''}`,
    closedAt === undefined
      ? `due        ${completionDate ?? 'no date'}${autoCloseCampaign ? ', and closes then by itself' : ''}`
      : `closed     ${closedAt}`,
  ];
}
