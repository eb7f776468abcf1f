/** `countersign review second-review`: draws a blind second review of what was decided, shows how far it is, ends it, and lists both decisions. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { type SecondReviewItemJson, type SecondReviewJson, SecondReviewService } from '../gen/countersign/v1/second_review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CsvColumn, printCsv } from './csv.ts';
import { findPerson } from './find.ts';
import { collect, type CommandIo, count, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listAll } from './list.ts';

interface SecondOptions extends ConnectOptions {
  readonly share?: number;
  readonly number?: number;
  readonly reviewer?: readonly string[];
  readonly end?: boolean;
  readonly all?: boolean;
  readonly csv?: boolean;
  readonly limit: number;
}

/** Adds `review second-review`. */
export function addSecondReviewCommand(group: Command, io: CommandIo): void {
  withConnection(
    group
      .command('second-review')
      .description(
        'draw a blind second review of what people decided, or show one; it changes no outcome, and shows how often the second decision differs',
      ),
  )
    .argument('<review>', 'id of the review')
    .option('--share <percent>', 'draw this share of what was decided', Number)
    .option('--number <items>', 'draw so many items instead', Number)
    .option('--reviewer <person>', 'who is asked, by mail address or id; repeat it for several', collect)
    .option('--end', 'end it now; what has no answer gets none')
    .option('--all', 'list every item once it is over, not only those whose decisions differ')
    .option('--csv', 'print the list as CSV')
    .option('--limit <items>', 'items that are shown', Number, 50)
    .action((id: string, options: SecondOptions) => run(io, id, options));
}

async function run(io: CommandIo, accessReviewId: string, options: SecondOptions): Promise<void> {
  const client = connect(io, options);
  const { draw, end, get, listItems } = SecondReviewService.method;
  const isDraw = options.share !== undefined || options.number !== undefined;
  if (isDraw && options.end === true) {
    throw new UsageError('--end does not go with --share and --number');
  }
  if (!isDraw && options.reviewer !== undefined) {
    throw new UsageError('--reviewer belongs to --share or --number');
  }
  const { secondReview = {} } = isDraw
    ? await client.call(draw, {
        accessReviewId,
        sharePercent: options.share ?? 0,
        number: String(options.number ?? 0),
        reviewerIds: await findAll(client, options.reviewer ?? []),
      })
    : options.end === true
      ? await client.call(end, { accessReviewId })
      : await client.call(get, { accessReviewId });
  const isOver = secondReview.state === 'SECOND_REVIEW_STATE_ENDED';
  const items = client.pages(listItems, { accessReviewId, pageSize: 100, onlyDisagreements: options.all !== true });
  if (options.csv === true) {
    if (!isOver) {
      throw new UsageError('the second review is under way: its items are listed once it is over');
    }
    await printCsv(io, items, csvColumns);
    return;
  }
  const list = isOver ? await listAll(items, options.limit) : [];
  if (options.json === true) {
    writeJson(io.stdout, { secondReview, list });
    return;
  }
  writeLines(io.stdout, ...formatSecondReview(secondReview));
  if (list.length > 0) {
    writeLines(io.stdout, '', formatTable(['TASK', 'ACCOUNT', 'ACCESS', 'FIRST', 'SECOND', 'COMMENT'], list.map(rowOf)));
  }
}

async function findAll(client: Client, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    ids.push((await findPerson(client, name)).id);
  }
  return ids;
}

const percent = (share: unknown): string => `${(Number(share ?? 0) * 100).toFixed(1)} %`;

function formatSecondReview({ items, population, seed, answered, state, result }: SecondReviewJson): string[] {
  const drawn = `${count(items)} of ${count(population)} decided items drawn, seed ${seed ?? ''}`;
  if (state !== 'SECOND_REVIEW_STATE_ENDED' || result === undefined) {
    return [drawn, `${count(answered)} answered so far; blind until it is over`];
  }
  return [
    drawn,
    `${count(result.disagreements)} of ${count(result.answered)} second decisions differ: ${percent(result.rate)} (95 % confidence: ${percent(result.lower)} to ${percent(result.upper)})`,
    'No outcome changed by it: what differs is for the owners of the review to act on.',
  ];
}

const wordOf = (decision: string | undefined): string =>
  decision === 'REVIEW_DECISION_CERTIFY' ? 'certify' : decision === 'REVIEW_DECISION_DENY' ? 'deny' : '-';
const accessOf = ({ resource, entitlement, appDisplayName }: SecondReviewItemJson): string =>
  `${[resource, entitlement].filter((part) => part !== undefined && part !== '').join(' ')} in ${appDisplayName ?? ''}`;

function rowOf(item: SecondReviewItemJson): string[] {
  return [
    item.taskId ?? '',
    item.account ?? '',
    accessOf(item),
    wordOf(item.firstDecision),
    wordOf(item.secondDecision),
    item.secondComment ?? '',
  ];
}

const csvColumns: readonly CsvColumn<SecondReviewItemJson>[] = [
  ['place', (item) => item.place],
  ['taskId', (item) => item.taskId],
  ['appDisplayName', (item) => item.appDisplayName],
  ['account', (item) => item.account],
  ['person', (item) => item.person],
  ['resource', (item) => item.resource],
  ['entitlement', (item) => item.entitlement],
  ['firstDecision', (item) => wordOf(item.firstDecision)],
  ['firstDecidedById', (item) => item.firstDecidedById],
  ['secondDecision', (item) => wordOf(item.secondDecision)],
  ['secondDecidedById', (item) => item.secondDecidedById],
  ['secondComment', (item) => item.secondComment],
  ['disagrees', (item) => String(item.disagrees === true)],
];
