/** `countersign review progress`: how far a review is as a whole, and by reviewer, app or department. */
import { type Command, Option } from 'commander';
import type { Client } from '../client/index.ts';
import { type PartProgressJson, type ReviewerProgressJson, ReviewProgressService } from '../gen/countersign/v1/review_progress_pb.js';
import { ReviewActionsService, type ReviewActionsServiceGetProgressResponseJson } from '../gen/countersign/v1/review_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, count, formatTable, writeJson, writeLines } from './io.ts';
import { listAll } from './list.ts';

interface ProgressOptions extends ConnectOptions {
  readonly by: 'reviewer' | 'app' | 'department';
  readonly limit: number;
}

/** Adds `review progress`. */
export function addProgressCommand(group: Command, io: CommandIo): void {
  withConnection(group.command('progress').description('show what is decided and what is left, whose it is, and how fast it goes'))
    .argument('<review>', 'id of the review')
    .addOption(new Option('--by <what>', 'what the list below counts').choices(['reviewer', 'app', 'department']).default('reviewer'))
    .option('--limit <rows>', 'rows of the list, those with most left first', Number, 20)
    .action((id: string, options: ProgressOptions) => showProgress(io, id, options));
}

async function showProgress(io: CommandIo, id: string, options: ProgressOptions): Promise<void> {
  const client = connect(io, options);
  const whole = await client.call(ReviewActionsService.method.getProgress, { accessReviewId: id });
  const list =
    options.by === 'reviewer'
      ? await listAll(client.pages(ReviewProgressService.method.listReviewers, { accessReviewId: id }), options.limit)
      : await listParts(client, id, options.by, options.limit);
  if (options.json === true) {
    writeJson(io.stdout, { ...whole, by: options.by, list });
    return;
  }
  writeLines(io.stdout, ...formatWhole(whole), '');
  const rows = options.by === 'reviewer' ? (list as ReviewerProgressJson[]).map(reviewerRow) : (list as PartProgressJson[]).map(partRow);
  const head =
    options.by === 'reviewer'
      ? ['REVIEWER', 'ASKED', 'OPEN', 'OVERDUE', 'DECIDED', 'A DAY', 'LAST ACT']
      : ['', 'ITEMS', 'OPEN', 'OVERDUE', 'CERTIFIED', 'REVOKED'];
  writeLines(io.stdout, formatTable([options.by === 'reviewer' ? (head[0] as string) : options.by.toUpperCase(), ...head.slice(1)], rows));
}

function listParts(client: Client, accessReviewId: string, by: 'app' | 'department', limit: number): Promise<PartProgressJson[]> {
  const { listApps, listDepartments } = ReviewProgressService.method;
  return listAll(client.pages(by === 'app' ? listApps : (listDepartments as unknown as typeof listApps), { accessReviewId }), limit);
}

function formatWhole({ counts = {}, pace = {}, removals = {} }: ReviewActionsServiceGetProgressResponseJson): string[] {
  const decided = Number(counts.total ?? 0) - Number(counts.undecided ?? 0);
  const ended = Number(counts.cancelled ?? 0) + Number(counts.withoutOutcome ?? 0);
  const lines = [
    `${count(decided)} of ${count(counts.total)} items ended: ${count(counts.certified)} certified, ${count(counts.revoked)} revoked, ${count(ended)} without a decision; ${count(counts.undecided)} open`,
    `${count(pace.decisions)} decisions of ${count(pace.reviewers)} people, ${pace.decisionsPerDay ?? 0} a day`,
  ];
  if (pace.dueAt !== undefined) {
    const late = Number(pace.overdue ?? 0) > 0;
    lines.push(
      late
        ? `overdue since ${pace.dueAt}: ${count(pace.overdue)} open items`
        : `due ${pace.dueAt}, which needs ${pace.neededPerDay ?? 0} a day`,
    );
  }
  if (Number(pace.unassigned ?? 0) > 0) {
    lines.push(`${count(pace.unassigned)} open items ask nobody now: they wait, or have to be reassigned`);
  }
  if (Number(removals.total ?? 0) > 0) {
    lines.push(
      `${count(removals.total)} removal${Number(removals.total) === 1 ? '' : 's'}: ${count(removals.held)} held until the close, ${count(removals.open)} open, ${count(removals.overdue)} of them overdue, ${count(removals.proven)} proven`,
    );
  }
  return lines;
}

function reviewerRow(row: ReviewerProgressJson): string[] {
  const decided = Number(row.approvals ?? 0) + Number(row.denials ?? 0);
  return [
    row.email || row.displayName || row.userId || '',
    count(row.asked),
    count(row.open),
    count(row.overdue),
    count(decided),
    String(row.decisionsPerDay ?? 0),
    row.lastActedAt ?? 'never',
  ];
}

function partRow(row: PartProgressJson): string[] {
  return [row.displayName || '(none)', count(row.total), count(row.open), count(row.overdue), count(row.certified), count(row.revoked)];
}
