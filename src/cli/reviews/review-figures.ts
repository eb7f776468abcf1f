/** `countersign review figures`: how the people who decided in a review did so. */
import { type ReviewerFiguresJson, ReviewerFigureService } from '../../gen/countersign/v1/reviewer_figures_pb.js';
import { sayPercent } from '../../lib/shares/percent.ts';
import type { Commands } from '../frame/commands.ts';
import type { CsvColumn } from '../frame/csv.ts';
import { count, formatTable } from '../frame/io.ts';

/** Adds `review figures`. */
export function addFiguresCommand(group: Commands): void {
  group.list('figures', {
    description: 'show how the people who decided did so, and what deserves a look; no judgement of people',
    operands: { '<review>': 'id of the review' },
    options: {
      '--limit <people>': { text: 'people that are shown, those with most decisions first', parse: Number, fallback: 50 },
      '--csv': 'print everybody as CSV',
    },
    method: ReviewerFigureService.method.list,
    csv: csvColumns,
    text: (list) =>
      list.length === 0
        ? 'nobody decided yet'
        : [
            formatTable(headings, list.map(rowOf)),
            '',
            'SECONDS is the median time of a decision. In brackets: the review before, then the median of the others.',
            'These figures say how decisions were made, not whether they are right.',
          ],
  });
}

const headings = ['REVIEWER', 'DECISIONS', 'APPROVED', 'SECONDS', 'LONGEST RUN', 'IN BULK', 'LAST HOUR', 'AGAINST ADVICE', 'LOOK AT'];

const percent = (share: unknown): string => sayPercent(Number(share ?? 0), 1);
const seconds = (value: unknown): string => (Number(value ?? 0) === 0 ? '-' : `${Math.round(Number(value) * 10) / 10}`);
const flagsOf = ({ flags = [] }: ReviewerFiguresJson): string[] => flags.map((flag) => flag.replace('REVIEWER_FLAG_', ''));

/** A figure, then in brackets that of the review before and that of the others. */
function compared(one: ReviewerFiguresJson, text: (pace: { approvalRate?: unknown; secondsPerDecision?: unknown }) => string): string {
  const { before, others } = one;
  const beside = [before, others].map((pace) => (pace === undefined ? '-' : text(pace)));
  return before === undefined && others === undefined ? text(one) : `${text(one)} (${beside.join(', ')})`;
}

function rowOf(one: ReviewerFiguresJson): string[] {
  return [
    one.displayName || one.email || one.userId || '',
    count(one.decisions),
    compared(one, ({ approvalRate }) => percent(approvalRate)),
    compared(one, ({ secondsPerDecision }) => seconds(secondsPerDecision)),
    count(one.longestRun),
    percent(one.bulkShare),
    percent(one.lastHourShare),
    count(one.againstAdvice),
    flagsOf(one).join(', ') || '-',
  ];
}

const csvColumns: readonly CsvColumn<ReviewerFiguresJson>[] = [
  ['userId', (one) => one.userId],
  ['displayName', (one) => one.displayName],
  ['email', (one) => one.email],
  ['decisions', (one) => one.decisions],
  ['approvals', (one) => one.approvals],
  ['approvalRate', (one) => String(one.approvalRate ?? 0)],
  ['secondsPerDecision', (one) => String(one.secondsPerDecision ?? 0)],
  ['longestRun', (one) => one.longestRun],
  ['bulkShare', (one) => String(one.bulkShare ?? 0)],
  ['lastHourShare', (one) => String(one.lastHourShare ?? 0)],
  ['againstAdvice', (one) => one.againstAdvice],
  ['approvalRateBefore', (one) => String(one.before?.approvalRate ?? '')],
  ['secondsPerDecisionBefore', (one) => String(one.before?.secondsPerDecision ?? '')],
  ['approvalRateOfOthers', (one) => String(one.others?.approvalRate ?? '')],
  ['secondsPerDecisionOfOthers', (one) => String(one.others?.secondsPerDecision ?? '')],
  ['flags', (one) => flagsOf(one).join(' ')],
];
