/** `countersign review show`: what a review asks, of what, by when, and what can be done with it now. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import type { AccessReviewJson, AccessReviewViewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import { PolicyService } from '../gen/c1/api/policy/v1/policy_service_pb.js';
import { ReviewOwnerService } from '../gen/countersign/v1/review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { stateOf } from './finish-phase.ts';
import { type CommandIo, count, writeJson, writeLines } from './io.ts';
import { listAll, nameApps } from './list.ts';
import { sayScope } from './say-scope.ts';

/** Adds the command. */
export function addShowCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('show').description('show one review: what it asks, by when, and what you can do with it now'))
    .argument('<review>', 'id of the review')
    .action(async (id: string, options: ConnectOptions) => {
      const client = connect(io, options);
      const { accessReview: view = {} } = await client.call(AccessReviewService.method.get, { id });
      if (options.json === true) {
        writeJson(io.stdout, view.accessReview);
        return;
      }
      writeLines(io.stdout, ...(await describe(client, view)));
    });
}

/** Who may only read what is asked of them sees no owners, policy and scope. */
async function describe(client: Client, view: AccessReviewViewJson): Promise<string[]> {
  const { accessReview: review = {}, objectPermissions } = view;
  const isWhole = objectPermissions?.edit === true || (review.policyId ?? '') !== '';
  const head = [`${review.displayName ?? ''}  ${stateOf(review)}`, ...sayTexts(review)];
  if (!isWhole) {
    return [...head, ...sayDates(review)];
  }
  const owners = await listAll(client.pages(ReviewOwnerService.method.listOwners, { accessReviewId: review.id ?? '' }));
  const { policy } = review.policyId ? await client.call(PolicyService.method.get, { id: review.policyId }) : {};
  const actions = Object.entries(objectPermissions?.extra ?? {}).filter(([, may]) => may === true);
  return [
    ...head,
    `items      ${review.expectedTicketCount === undefined ? 'not counted yet' : count(review.expectedTicketCount)}`,
    ...sayDates(review),
    `owners     ${owners.map(({ owner }) => owner?.email || owner?.displayName || '').join(', ')}`,
    `policy     ${policy?.displayName ?? 'the one that the tenant started with'}`,
    ...sayScope(review, await nameApps(client)).map((line, at) => `${at === 0 ? 'scope' : '     '}      ${line}`),
    `you may    ${actions.map(([name]) => (name === 'duplicateFrom' ? 'copy' : name)).join(', ') || 'read'}`,
  ];
}

function sayTexts({ description, reviewInstructions }: AccessReviewJson): string[] {
  return [description ?? '', reviewInstructions ?? ''].filter((text) => text !== '');
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
