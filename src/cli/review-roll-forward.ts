/** `countersign review roll-forward`: how the population of an earlier review became that of this one, line by line. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { type RollForwardJson, type RollForwardLineJson, RollForwardService } from '../gen/countersign/v1/roll_forward_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { printCsv } from './csv.ts';
import { CommandFailure, type CommandIo, count, formatTable, writeJson, writeLines } from './io.ts';
import { listAll } from './list.ts';
import { pauses } from './wait.ts';

interface RollForwardOptions extends ConnectOptions {
  readonly from?: string;
  readonly csv?: boolean;
  readonly limit: number;
}

/** Adds `review roll-forward`. */
export function addRollForwardCommand(group: Command, io: CommandIo): void {
  withConnection(
    group
      .command('roll-forward')
      .description('show how the items of an earlier review became those of this one, each change with its cause'),
  )
    .argument('<review>', 'id of the later review')
    .option('--from <review>', 'id of the earlier review; the predecessor unless given')
    .option('--limit <lines>', 'lines that are shown', Number, 50)
    .option('--csv', 'print every line as CSV')
    .action((id: string, options: RollForwardOptions) => showRollForward(io, id, options));
}

async function showRollForward(io: CommandIo, accessReviewId: string, options: RollForwardOptions): Promise<void> {
  const client = connect(io, options);
  await client.call(RollForwardService.method.create, { accessReviewId, firstAccessReviewId: options.from ?? '' });
  const rollForward = await untilMade(io, client, accessReviewId);
  const lines = client.pages(RollForwardService.method.listLines, { accessReviewId, pageSize: options.csv === true ? 1000 : 100 });
  if (options.csv === true) {
    await printCsv(
      io,
      lines,
      csvColumns.map((column) => [column, (line: RollForwardLineJson) => line[column]]),
    );
    return;
  }
  const list = await listAll(lines, options.limit);
  if (options.json === true) {
    writeJson(io.stdout, { rollForward, list });
    return;
  }
  writeLines(io.stdout, formatTable(['', 'ITEMS'], formatSum(rollForward)), '', verdictOf(rollForward));
  if (list.length > 0) {
    writeLines(io.stdout, '', formatTable(['WHAT', 'WHEN', 'ACCOUNT', 'ENTITLEMENT', 'SHOWN BY'], list.map(formatLine)));
  }
}

const csvColumns = [
  'number',
  'kind',
  'cause',
  'appId',
  'appDisplayName',
  'appUserId',
  'appUserDisplayName',
  'userId',
  'appEntitlementId',
  'appEntitlementDisplayName',
  'revision',
  'occurredAt',
  'syncId',
  'actorId',
  'decidedInAccessReviewId',
  'leftOutBy',
] as const satisfies readonly (keyof RollForwardLineJson)[];

async function untilMade(io: CommandIo, client: Client, accessReviewId: string): Promise<RollForwardJson> {
  for await (const _ of pauses(io.signal)) {
    const { rollForward = {} } = await client.call(RollForwardService.method.get, { accessReviewId });
    if (rollForward.state === 'ROLL_FORWARD_STATE_FAILED') {
      throw new CommandFailure(`the roll-forward failed: ${rollForward.error ?? ''}`);
    }
    if (rollForward.state === 'ROLL_FORWARD_STATE_DONE') {
      return rollForward;
    }
  }
  throw new CommandFailure('stopped waiting for the roll-forward');
}

function formatSum(sum: RollForwardJson): string[][] {
  return [
    ['items of the earlier review', count(sum.firstPopulation)],
    ['+ access that was given', count(sum.additions)],
    ['+ held before, and in scope only now', count(sum.enteredScope)],
    ['- removed by a decision', count(sum.removalsByDecision)],
    ['- its time was over', count(sum.removalsByExpiry)],
    ['- its person had left', count(sum.removalsByLeaver)],
    ['- removed, and nothing explains it', count(sum.removalsUnexplained)],
    ['- still held, and out of scope now', count(sum.leftScope)],
    ['= items of this review', count(sum.secondPopulation)],
  ];
}

function verdictOf({ difference }: RollForwardJson): string {
  const open = Number(difference ?? 0);
  return open === 0 ? 'It ties out.' : `It does NOT tie out: ${count(open)} items are not accounted for.`;
}

const words: Readonly<Record<string, string>> = {
  ROLL_FORWARD_KIND_ADDED: 'given',
  ROLL_FORWARD_KIND_ENTERED_SCOPE: 'in scope now',
  ROLL_FORWARD_KIND_LEFT_SCOPE: 'out of scope',
  ROLL_FORWARD_CAUSE_DECISION: 'removed, decision',
  ROLL_FORWARD_CAUSE_EXPIRY: 'removed, time over',
  ROLL_FORWARD_CAUSE_LEAVER: 'removed, leaver',
  ROLL_FORWARD_CAUSE_UNEXPLAINED: 'removed, unexplained',
};

function formatLine(line: RollForwardLineJson): string[] {
  const by = line.syncId ? `sync ${line.syncId}` : line.actorId ? `manually by ${line.actorId}` : (line.leftOutBy ?? '');
  return [
    words[line.kind ?? ''] ?? words[line.cause ?? ''] ?? '',
    line.occurredAt ?? '',
    line.appUserDisplayName ?? '',
    `${line.appDisplayName ?? ''}: ${line.appEntitlementDisplayName ?? ''}`,
    by,
  ];
}
