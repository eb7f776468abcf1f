/** `countersign review second-review`: draws a blind second review of what was decided, shows how far it is, ends it, and lists both decisions. */
import type { ByValue } from '../../client/by-value.ts';
import { type SecondReviewItemJson, type SecondReviewJson, SecondReviewService } from '../../gen/countersign/v1/second_review_pb.js';
import { sayPercent } from '../../lib/shares/percent.ts';
import type { Commands } from '../frame/commands.ts';
import { type CsvColumn, printCsv } from '../frame/csv.ts';
import { findPersonIds } from '../frame/find.ts';
import { collect, count, formatTable, UsageError } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

/** Adds `review second-review`. */
export function addSecondReviewCommand(group: Commands): void {
  group.run('second-review', {
    description:
      'draw a blind second review of what people decided, or show one; it changes no outcome, and shows how often the second decision differs',
    operands: { '<review>': 'id of the review' },
    options: {
      '--share <percent>': { text: 'draw this share of what was decided', parse: Number },
      '--number <items>': { text: 'draw so many items instead', parse: Number },
      '--reviewer <person>': { text: 'who is asked, by mail address or id; repeat it for several', parse: collect },
      '--end': 'end it now; what has no answer gets none',
      '--all': 'list every item once it is over, not only those whose decisions differ',
      '--csv': 'print the list as CSV',
      '--limit <items>': { text: 'items that are shown', parse: Number, fallback: 50 },
    },
    act: async ({ review: accessReviewId, share, number, reviewer, end: ends, all, csv, limit }, session) => {
      const { draw, end, get, listItems } = SecondReviewService.method;
      const isDraw = share !== undefined || number !== undefined;
      if (isDraw && ends === true) {
        throw new UsageError('--end does not go with --share and --number');
      }
      if (!isDraw && reviewer !== undefined) {
        throw new UsageError('--reviewer belongs to --share or --number');
      }
      const { client } = session;
      const { secondReview = {} } = isDraw
        ? await client.call(draw, {
            accessReviewId,
            sharePercent: share ?? 0,
            number: String(number ?? 0),
            reviewerIds: await findPersonIds(client, reviewer ?? []),
          })
        : ends === true
          ? await client.call(end, { accessReviewId })
          : await client.call(get, { accessReviewId });
      const isOver = secondReview.state === 'SECOND_REVIEW_STATE_ENDED';
      const items = client.pages(listItems, { accessReviewId, pageSize: 100, onlyDisagreements: all !== true });
      if (csv === true) {
        if (!isOver) {
          throw new UsageError('the second review is under way: its items are listed once it is over');
        }
        return printCsv(session.io, items, csvColumns);
      }
      const list = isOver ? await listAll(items, limit) : [];
      const rows = formatTable(['TASK', 'ACCOUNT', 'ACCESS', 'FIRST', 'SECOND', 'COMMENT'], list.map(rowOf));
      return { json: { secondReview, list }, text: [...formatSecondReview(secondReview), ...(list.length > 0 ? ['', rows] : [])] };
    },
  });
}

const percent = (share: unknown): string => sayPercent(Number(share ?? 0), 1, 1);

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

const words: ByValue<SecondReviewItemJson['firstDecision'], string> = { REVIEW_DECISION_CERTIFY: 'certify', REVIEW_DECISION_DENY: 'deny' };
const wordOf = (decision: SecondReviewItemJson['firstDecision']): string => words[decision ?? ''] ?? '-';
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
