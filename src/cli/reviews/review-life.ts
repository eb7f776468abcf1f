/** `countersign review update|remind|acknowledge|accuracy|tombstones`: what is done to a review beside moving it from state to state. */
import type { AccessReviewJson } from '../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import {
  ReviewAccuracyService,
  ReviewAcknowledgementService,
  ReviewActionsService,
  ReviewTombstoneService,
  type SourceAccuracyJson,
} from '../../gen/countersign/v1/review_pb.js';
import type { Commands } from '../frame/commands.ts';
import { collect, count, formatTable, UsageError } from '../frame/io.ts';
import { signPrepared } from '../tasks/sign.ts';
import { reviewState } from './finish-phase.ts';

const operands = { '<review>': 'id of the review' } as const;

/** Adds the commands. */
export function addLifeCommands(group: Commands): void {
  group.call('update', {
    description: 'change the texts and dates of a review',
    operands,
    options: {
      '--name <name>': 'display name',
      '--description <text>': 'description',
      '--instructions <markdown>': 'what reviewers read above their list',
      '--due <time>': 'due date such as 2030-01-31T17:00:00Z; "none" takes it away',
      '--start <time>': 'date at which the review is prepared and started by itself; "none" takes it away',
    },
    method: AccessReviewService.method.update,
    request: ({ review: id, name, description, instructions, due, start }) => {
      const changes: AccessReviewJson = {
        ...(name !== undefined && { displayName: name }),
        ...(description !== undefined && { description }),
        ...(instructions !== undefined && { reviewInstructions: instructions }),
        ...(due !== undefined && { completionDate: readTime('--due', due) }),
        ...(start !== undefined && { scheduledStartDate: readTime('--start', start), autoStartCampaign: start !== 'none' }),
      };
      const updateMask = Object.keys(changes).join(',');
      if (updateMask === '') {
        throw new UsageError('nothing to change: pass --name, --description, --instructions, --due or --start');
      }
      return { id, accessReview: changes, updateMask };
    },
    pick: ({ accessReview = {} }) => accessReview,
    text: (review, { review: id }) => `${review.id ?? id}  ${reviewState(review)}  ${review.displayName ?? ''}`,
  });

  group.call('remind', {
    description: 'remind everybody who has open tasks, or some of them, once in 15 minutes',
    operands,
    options: { '--user <user>': { text: 'only this person, by id; repeat it for up to 100', parse: collect, field: 'userIds' } },
    method: ReviewActionsService.method.remind,
    text: ({ people = 0, leftOut = 0, notAsked = 0, warnings = [] }) => [
      `reminded ${countPeople(people)}`,
      ...(Number(leftOut) === 0 ? [] : [`not again ${countPeople(leftOut)}: reminded of this review less than 15 minutes ago`]),
      ...(Number(notAsked) === 0 ? [] : [`not ${countPeople(notAsked)}: without an open task`]),
      ...warnings,
    ],
  });

  group.run('acknowledge', {
    description: 'confirm the decisions of a review before it closes, and sign that where it asks for signatures; only for those it names',
    operands,
    options: { '--comment <text>': { text: 'kept with the acknowledgement', fallback: '' } },
    act: async ({ review: accessReviewId, comment }, session) => {
      const { signature, ...given } = await session.client.call(ReviewActionsService.method.acknowledge, { accessReviewId, comment });
      if (signature !== undefined) {
        await signPrepared(session, signature);
      }
      const { acknowledgement: json = {} } =
        signature === undefined
          ? given
          : await session.client.call(ReviewAcknowledgementService.method.getAcknowledgement, { accessReviewId });
      return { json, text: `acknowledged; digest of all decisions: ${json.digest ?? ''}` };
    },
  });

  group.call('accuracy', {
    description: 'show how old the data is that the review asks about',
    operands,
    method: ReviewAccuracyService.method.getAccuracy,
    text: ({ accuracy }) =>
      formatTable(['APP', 'SOURCE', 'LAST SYNC', 'RESULT', 'ROWS', 'WRONG'], (accuracy?.sources ?? []).map(accuracyRow)),
  });

  group.list('tombstones', {
    description: 'list what deleted reviews left',
    method: ReviewTombstoneService.method.list,
    columns: {
      ID: ({ accessReview }) => accessReview?.accessReview?.id,
      DELETED: 'deletedAt',
      BY: 'deletedById',
      NAME: ({ accessReview }) => accessReview?.accessReview?.displayName,
      REASON: 'reason',
    },
  });
}

/** A time as it is sent; undefined for "none", which the mask clears. */
function readTime(flag: string, text: string): string | undefined {
  if (text !== 'none' && Number.isNaN(Date.parse(text))) {
    throw new UsageError(`${flag} must be a time such as 2030-01-31T17:00:00Z, or "none"`);
  }
  return text === 'none' ? undefined : new Date(text).toISOString();
}

function accuracyRow(source: SourceAccuracyJson): string[] {
  const short = (text: string | undefined, prefix: string): string => (text ?? '').replace(prefix, '').toLowerCase();
  const flags = (source.flags ?? []).map((flag) => short(flag, 'ACCURACY_FLAG_')).join(', ');
  const result = short(source.lastResult, 'ACCURACY_SYNC_RESULT_').replace('unspecified', 'never');
  return [source.appDisplayName ?? '', source.displayName ?? '', source.lastSyncAt ?? '', result, count(source.rows), flags];
}

const countPeople = (people: string | number): string => `${count(people)} ${Number(people) === 1 ? 'person' : 'people'}`;
