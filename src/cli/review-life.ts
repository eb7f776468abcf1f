/**
 * `countersign review update|remind|acknowledge|accuracy|tombstones`: what is done to a review beside moving it from state to state.
 */
import type { Command } from 'commander';
import type { AccessReviewJson } from '../gen/c1/api/accessreview/v1/accessreview_pb.js';
import { AccessReviewService } from '../gen/c1/api/accessreview/v1/access_review_service_pb.js';
import {
  ReviewAccuracyService,
  ReviewActionsService,
  type ReviewTombstoneJson,
  ReviewTombstoneService,
  type SourceAccuracyJson,
} from '../gen/countersign/v1/review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { stateOf } from './finish-phase.ts';
import { collect, type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';

interface UpdateOptions extends ConnectOptions {
  readonly name?: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly due?: string;
  readonly start?: string;
}

/** Adds the commands. */
export function addLifeCommands(group: Command, io: CommandIo): void {
  withConnection(group.command('update').description('change the texts and dates of a review'))
    .argument('<review>', 'id of the review')
    .option('--name <name>', 'display name')
    .option('--description <text>', 'description')
    .option('--instructions <markdown>', 'what reviewers read above their list')
    .option('--due <time>', 'due date such as 2030-01-31T17:00:00Z; "none" takes it away')
    .option('--start <time>', 'date at which the review is prepared and started by itself; "none" takes it away')
    .action((id: string, options: UpdateOptions) => updateReview(io, id, options));

  withConnection(group.command('remind').description('remind everybody who has open tasks, or some of them, once in 15 minutes'))
    .argument('<review>', 'id of the review')
    .option('--user <user>', 'only this person, by id; repeat it for up to 100', collect)
    .action(async (id: string, options: ConnectOptions & { user?: string[] }) => {
      const { user: userIds = [] } = options;
      const reply = await connect(io, options).call(ReviewActionsService.method.remind, { accessReviewId: id, userIds });
      const people = Number(reply.people ?? 0);
      show(io, options, reply, `reminded ${people.toLocaleString('en')} ${people === 1 ? 'person' : 'people'}`);
    });

  withConnection(group.command('acknowledge').description('confirm the decisions of a review before it closes; only for those it names'))
    .argument('<review>', 'id of the review')
    .option('--comment <text>', 'kept with the acknowledgement', '')
    .action(async (id: string, options: ConnectOptions & { comment: string }) => {
      const { comment } = options;
      const { acknowledgement } = await connect(io, options).call(ReviewActionsService.method.acknowledge, { accessReviewId: id, comment });
      show(io, options, acknowledgement ?? {}, `acknowledged; digest of all decisions: ${acknowledgement?.digest ?? ''}`);
    });

  withConnection(group.command('accuracy').description('show how old the data is that the review asks about'))
    .argument('<review>', 'id of the review')
    .action(async (id: string, options: ConnectOptions) => {
      const reply = await connect(io, options).call(ReviewAccuracyService.method.getAccuracy, { accessReviewId: id });
      const sources = reply.accuracy?.sources ?? [];
      show(io, options, reply, formatTable(['APP', 'SOURCE', 'LAST SYNC', 'RESULT', 'ROWS', 'WRONG'], sources.map(accuracyRow)));
    });

  withConnection(group.command('tombstones').description('list what deleted reviews left')).action(async (options: ConnectOptions) => {
    const rows: ReviewTombstoneJson[] = [];
    for await (const row of connect(io, options).pages(ReviewTombstoneService.method.list, {})) {
      rows.push(row);
    }
    show(io, options, rows, formatTable(['ID', 'DELETED', 'BY', 'NAME', 'REASON'], rows.map(tombstoneRow)));
  });
}

function show(io: CommandIo, options: ConnectOptions, value: object, text: string): void {
  if (options.json === true) {
    writeJson(io.stdout, value);
  } else {
    writeLines(io.stdout, text);
  }
}

/** A time that is sent as it was written; undefined for "none", which the mask clears. */
function timeOf(flag: string, text: string): string | undefined {
  if (text === 'none') {
    return undefined;
  }
  if (Number.isNaN(Date.parse(text))) {
    throw new UsageError(`${flag} must be a time such as 2030-01-31T17:00:00Z, or "none"`);
  }
  return new Date(text).toISOString();
}

async function updateReview(io: CommandIo, id: string, options: UpdateOptions): Promise<void> {
  const { name, description, instructions, due, start } = options;
  const changes: [string, AccessReviewJson][] = [
    ...(name === undefined ? [] : [['displayName', { displayName: name }] as [string, AccessReviewJson]]),
    ...(description === undefined ? [] : [['description', { description }] as [string, AccessReviewJson]]),
    ...(instructions === undefined ? [] : [['reviewInstructions', { reviewInstructions: instructions }] as [string, AccessReviewJson]]),
    ...(due === undefined ? [] : [['completionDate', withTime('completionDate', timeOf('--due', due))] as [string, AccessReviewJson]]),
    ...(start === undefined
      ? []
      : [
          ['scheduledStartDate', withTime('scheduledStartDate', timeOf('--start', start))] as [string, AccessReviewJson],
          ['autoStartCampaign', { autoStartCampaign: start !== 'none' }] as [string, AccessReviewJson],
        ]),
  ];
  if (changes.length === 0) {
    throw new UsageError('nothing to change: pass --name, --description, --instructions, --due or --start');
  }
  const { accessReview } = await connect(io, options).call(AccessReviewService.method.update, {
    id,
    accessReview: Object.assign({}, ...changes.map(([, change]) => change)) as AccessReviewJson,
    updateMask: changes.map(([path]) => path).join(','),
  });
  const review = accessReview?.accessReview ?? {};
  show(io, options, review, `${review.id ?? id}  ${stateOf(review)}  ${review.displayName ?? ''}`);
}

function withTime(member: 'completionDate' | 'scheduledStartDate', time: string | undefined): AccessReviewJson {
  return time === undefined ? {} : { [member]: time };
}

function accuracyRow(source: SourceAccuracyJson): string[] {
  const short = (text: string | undefined, prefix: string): string => (text ?? '').replace(prefix, '').toLowerCase();
  const flags = (source.flags ?? []).map((flag) => short(flag, 'ACCURACY_FLAG_')).join(', ');
  const result = short(source.lastResult, 'ACCURACY_SYNC_RESULT_').replace('unspecified', 'never');
  return [
    source.appDisplayName ?? '',
    source.displayName ?? '',
    source.lastSyncAt ?? '',
    result,
    Number(source.rows ?? 0).toLocaleString('en'),
    flags,
  ];
}

function tombstoneRow({ accessReview, deletedAt, deletedById, reason }: ReviewTombstoneJson): string[] {
  const review = accessReview?.accessReview;
  return [review?.id ?? '', deletedAt ?? '', deletedById ?? '', review?.displayName ?? '', reason ?? ''];
}
