/**
 * `countersign review preview|replay`: what a review would ask and why anything is left out, and whether what it asks can be worked out again.
 */
import type { Command } from 'commander';
import { ReviewSelectionService, type ReviewSelectionServicePreviewResponseJson } from '../gen/countersign/v1/review_pb.js';
import { ReviewReplayService, type ReviewReplayServiceReplayResponseJson } from '../gen/countersign/v1/review_scope_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { printWarnings } from './finish-phase.ts';
import { type CommandIo, count, formatTable, writeJson, writeLines } from './io.ts';

const counted = (value: string | undefined, one: string, many = `${one}s`): string => `${count(value)} ${Number(value) === 1 ? one : many}`;

/** Adds the commands to the group `review`. */
export function addPreviewCommands(group: Command, io: CommandIo): void {
  withConnection(group.command('preview').description('count what the review would ask, and list its reviewers'))
    .argument('<review>', 'id of the review')
    .action(async (id: string, options: ConnectOptions) => {
      const preview = await connect(io, options).call(ReviewSelectionService.method.preview, { accessReviewId: id });
      printWarnings(io, preview.warnings);
      if (options.json === true) {
        writeJson(io.stdout, preview);
      } else {
        printPreview(io, preview);
      }
    });

  withConnection(group.command('replay').description('work out again which items a prepared review has, and compare them with its tasks'))
    .argument('<review>', 'id of the review')
    .action(async (id: string, options: ConnectOptions) => {
      const replay = await connect(io, options).call(ReviewReplayService.method.replay, { accessReviewId: id });
      if (options.json === true) {
        writeJson(io.stdout, replay);
        return;
      }
      const rows = [
        ['input', replay.recordedInputHash ?? '', replay.inputHash ?? ''],
        ['items', replay.recordedItemsHash ?? '', replay.itemsHash ?? ''],
      ];
      writeLines(
        io.stdout,
        formatTable(['HASH', 'RECORDED', 'NOW'], rows),
        '',
        `${counted(replay.items, 'item')}, ${counted(replay.differenceCount, 'difference')}: ${verdictOf(replay)}`,
      );
      if ((replay.differences ?? []).length > 0) {
        const differences = (replay.differences ?? []).map((one) => [
          one.kind === 'REVIEW_REPLAY_DIFFERENCE_KIND_WITHOUT_TASK' ? 'item without task' : 'task without item',
          one.appId ?? '',
          one.appUserId ?? '',
          one.appEntitlementId ?? '',
        ]);
        writeLines(io.stdout, '', formatTable(['DIFFERENCE', 'APP', 'ACCOUNT', 'ENTITLEMENT'], differences));
      }
    });
}

function verdictOf({ matches, recordedItemsHash = '' }: ReviewReplayServiceReplayResponseJson): string {
  if (recordedItemsHash === '') {
    return 'no hash was recorded to compare with, since an earlier release prepared this review';
  }
  return matches === true ? 'the same' : 'NOT the same';
}

function printPreview(io: CommandIo, preview: ReviewSelectionServicePreviewResponseJson): void {
  writeLines(
    io.stdout,
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
  );
  for (const { account, message } of preview.expressionErrors ?? []) {
    writeLines(io.stdout, `expression failed for ${account}: ${message}`);
  }
  for (const source of preview.staleSources ?? []) {
    const flags = (source.flags ?? []).map((flag) => flag.replace('ACCURACY_FLAG_', '')).join(', ');
    writeLines(io.stdout, `source ${source.displayName} of ${source.appDisplayName}: ${flags}`);
  }
  const { difference } = preview;
  if (difference !== undefined) {
    const carried = Number(difference.carried ?? 0) === 0 ? '' : `; ${count(difference.carried)} carried over without asking`;
    const parts = [`new ${count(difference.added)}`, `changed ${count(difference.changed)}`, `unchanged ${count(difference.unchanged)}`];
    writeLines(io.stdout, `since review ${difference.predecessorId}: ${parts.join(', ')}, gone ${count(difference.gone)}${carried}`);
  }
}
