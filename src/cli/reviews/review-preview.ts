/**
 * `countersign review preview|completeness|replay`: what a review would ask and why anything is left out, what it rests on, and whether what it asks can
 * be worked out again.
 */
import { ReviewCompletenessService } from '../../gen/countersign/v1/completeness_pb.js';
import { ReviewSelectionService, type ReviewSelectionServicePreviewResponseJson } from '../../gen/countersign/v1/review_pb.js';
import { ReviewReplayService, type ReviewReplayServiceReplayResponseJson } from '../../gen/countersign/v1/review_scope_pb.js';
import type { Commands } from '../frame/commands.ts';
import { count, formatTable } from '../frame/io.ts';
import { printWarnings } from './finish-phase.ts';

type ReviewDifferenceJson = NonNullable<ReviewSelectionServicePreviewResponseJson['difference']>;

const operands = { '<review>': 'id of the review' } as const;

/** Adds the commands to the group `review`. */
export function addPreviewCommands(group: Commands): void {
  group.run('preview', {
    description: 'count what the review would ask, and list its reviewers',
    operands,
    act: async ({ review: accessReviewId }, { io, client }) => {
      const preview = await client.call(ReviewSelectionService.method.preview, { accessReviewId });
      printWarnings(io, preview.warnings);
      return { json: preview, text: describe(preview) };
    },
  });

  addCompletenessCommand(group);
  group.call('replay', {
    description: 'work out again which items a prepared review has, and compare them with its tasks',
    operands,
    method: ReviewReplayService.method.replay,
    text: (replay) => {
      const rows = [
        ['input', replay.recordedInputHash ?? '', replay.inputHash ?? ''],
        ['items', replay.recordedItemsHash ?? '', replay.itemsHash ?? ''],
      ];
      const differences = (replay.differences ?? []).map((one) => [
        one.kind === 'REVIEW_REPLAY_DIFFERENCE_KIND_WITHOUT_TASK' ? 'item without task' : 'task without item',
        one.appId ?? '',
        one.appUserId ?? '',
        one.appEntitlementId ?? '',
      ]);
      return [
        formatTable(['HASH', 'RECORDED', 'NOW'], rows),
        '',
        `${counted(replay.items, 'item')}, ${counted(replay.differenceCount, 'difference')}: ${verdictOf(replay)}`,
        ...(differences.length > 0 ? ['', formatTable(['DIFFERENCE', 'APP', 'ACCOUNT', 'ENTITLEMENT'], differences)] : []),
      ];
    },
  });
}

function addCompletenessCommand(group: Commands): void {
  group.call('completeness', {
    description: 'show what a prepared review rests on and what it leaves out, with the sums that tie it to its files',
    operands,
    method: ReviewCompletenessService.method.get,
    text: ({ sums = [], sources = [], peopleSources = [], apps = [], holds = false }) => [
      formatTable(
        ['SOURCE', 'KIND', 'ROWS', 'ACCEPTED', 'AGAIN', 'ELSEWHERE', 'HELD', 'FILE SHA-256'],
        sources.map((one) => [
          one.displayName ?? '',
          (one.kind ?? '').toLowerCase(),
          ...[one.rows, one.accepted, one.duplicates, one.elsewhere, one.held].map((value) => count(value)),
          one.fileSha256 ?? '',
        ]),
      ),
      '',
      ...(peopleSources.length === 0
        ? []
        : [
            formatTable(
              ['SOURCE OF PEOPLE', 'DISPUTED RECORDS'],
              peopleSources.map((one) => [one.displayName ?? '', count(one.disputed)]),
            ),
            '',
          ]),
      formatTable(
        ['APP', 'VERDICT', 'GRANTS'],
        apps.flatMap(({ displayName = '', verdicts = [] }) => verdicts.map((one) => [displayName, one.name ?? '', count(one.count)])),
      ),
      '',
      formatTable(
        ['SUM', '', ''],
        sums.map((one) => [String(one.number ?? 0), one.holds === true ? 'holds' : 'DOES NOT HOLD', one.text ?? '']),
      ),
      '',
      holds ? 'Every sum holds.' : 'NOT every sum holds.',
    ],
  });
}

function counted(value: string | undefined, one: string, many = `${one}s`): string {
  return `${count(value)} ${Number(value) === 1 ? one : many}`;
}

function verdictOf({ matches, recordedItemsHash = '' }: ReviewReplayServiceReplayResponseJson): string {
  if (recordedItemsHash === '') {
    return 'no hash was recorded to compare with, since an earlier release prepared this review';
  }
  return matches === true ? 'the same' : 'NOT the same';
}

function describe(preview: ReviewSelectionServicePreviewResponseJson): string[] {
  const { difference } = preview;
  return [
    [
      `${counted(preview.items, 'item')}: ${counted(preview.people, 'person', 'people')}`,
      counted(preview.accounts, 'account'),
      counted(preview.entitlements, 'entitlement'),
      counted(preview.appCount, 'app'),
    ].join(', '),
    '',
    formatTable(
      ['APP', 'ITEMS'],
      (preview.apps ?? []).map((app) => [app.displayName ?? '', count(app.items)]),
    ),
    '',
    formatTable(
      ['REVIEWER', 'BECAUSE', 'ITEMS'],
      (preview.reviewers ?? []).map((one) => [one.displayName ?? one.userId ?? '', one.reason ?? '', count(one.items)]),
    ),
    '',
    formatTable(
      ['LEFT OUT BY', 'GRANTS', 'SUCH AS'],
      (preview.funnel ?? [])
        .filter((stage) => stage.filter !== 'ITEM' && Number(stage.grants) > 0)
        .map((stage) => [stage.filter ?? '', count(stage.grants), (stage.samples ?? []).join(', ')]),
    ),
    '',
    `to a fallback: ${count(preview.fallbackItems)}; without a reviewer: ${count(preview.unassignedItems)}`,
    `by policy: ${count(preview.acceptedItems)} approved, ${count(preview.rejectedItems)} denied, ${count(preview.waitingItems)} wait first`,
    ...(Number(preview.linkItems) > 0 ? [`links of resources: ${count(preview.linkItems)}`] : []),
    ...(Number(preview.items) === 0 && (preview.expressionErrors ?? []).length > 0
      ? ['Nothing is left over, because an expression fails. Correct it, or ask with has() whether the value is there.']
      : []),
    ...(preview.expressionErrors ?? []).map(
      ({ account, message, field, expression }) => `expression failed for ${account}: ${message} (${field}: ${expression})`,
    ),
    ...(preview.staleSources ?? []).map((source) => {
      const flags = (source.flags ?? []).map((flag) => flag.replace('ACCURACY_FLAG_', '')).join(', ');
      return `source ${source.displayName} of ${source.appDisplayName}: ${flags}`;
    }),
    ...(difference === undefined ? [] : [sayDifference(difference)]),
  ];
}

function sayDifference(difference: ReviewDifferenceJson): string {
  const carried = Number(difference.carried ?? 0) === 0 ? '' : `; ${count(difference.carried)} carried over without asking`;
  const parts = [`new ${count(difference.added)}`, `changed ${count(difference.changed)}`, `unchanged ${count(difference.unchanged)}`];
  return `since review ${difference.predecessorId}: ${parts.join(', ')}, gone ${count(difference.gone)}${carried}`;
}
