/** `countersign review roll-forward`: how the population of an earlier review became that of this one, line by line. */
import type { ByValue } from '../../client/by-value.ts';
import type { Client } from '../../client/index.ts';
import { type RollForwardJson, type RollForwardLineJson, RollForwardService } from '../../gen/countersign/v1/roll_forward_pb.js';
import type { Commands } from '../frame/commands.ts';
import { type CsvColumn, printCsv } from '../frame/csv.ts';
import { CommandFailure, type CommandIo, count, formatTable } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';
import { pauses } from '../frame/wait.ts';

/** Adds `review roll-forward`. */
export function addRollForwardCommand(group: Commands): void {
  group.run('roll-forward', {
    description: 'show how the items of an earlier review became those of this one, each change with its cause',
    operands: { '<review>': 'id of the later review' },
    options: {
      '--from <review>': 'id of the earlier review; the predecessor unless given',
      '--limit <lines>': { text: 'lines that are shown', parse: Number, fallback: 50 },
      '--csv': 'print every line as CSV',
    },
    act: async ({ review: accessReviewId, from = '', limit, csv }, { io, client }) => {
      await client.call(RollForwardService.method.create, { accessReviewId, firstAccessReviewId: from });
      const rollForward = await untilMade(io, client, accessReviewId);
      const lines = client.pages(RollForwardService.method.listLines, { accessReviewId, pageSize: csv === true ? 1000 : 100 });
      if (csv === true) {
        return printCsv(io, lines, csvColumns);
      }
      const list = await listAll(lines, limit);
      const rows = formatTable(['WHAT', 'WHEN', 'ACCOUNT', 'ENTITLEMENT', 'SHOWN BY'], list.map(formatLine));
      return {
        json: { rollForward, list },
        text: [formatTable(['', 'ITEMS'], formatSum(rollForward)), '', verdictOf(rollForward), ...(list.length > 0 ? ['', rows] : [])],
      };
    },
  });
}

const csvColumns = (
  [
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
  ] as const satisfies readonly (keyof RollForwardLineJson)[]
).map((column): CsvColumn<RollForwardLineJson> => [column, (line) => line[column]]);

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

/** What was removed is said by its cause. */
const kinds: ByValue<RollForwardLineJson['kind'], string | undefined> = {
  ROLL_FORWARD_KIND_ADDED: 'given',
  ROLL_FORWARD_KIND_ENTERED_SCOPE: 'in scope now',
  ROLL_FORWARD_KIND_REMOVED: undefined,
  ROLL_FORWARD_KIND_LEFT_SCOPE: 'out of scope',
};
const causes: ByValue<RollForwardLineJson['cause'], string> = {
  ROLL_FORWARD_CAUSE_DECISION: 'removed, decision',
  ROLL_FORWARD_CAUSE_EXPIRY: 'removed, time over',
  ROLL_FORWARD_CAUSE_LEAVER: 'removed, leaver',
  ROLL_FORWARD_CAUSE_UNEXPLAINED: 'removed, unexplained',
};

function formatLine(line: RollForwardLineJson): string[] {
  const by = line.syncId ? `sync ${line.syncId}` : line.actorId ? `manually by ${line.actorId}` : (line.leftOutBy ?? '');
  return [
    kinds[line.kind ?? ''] ?? causes[line.cause ?? ''] ?? '',
    line.occurredAt ?? '',
    line.appUserDisplayName ?? '',
    `${line.appDisplayName ?? ''}: ${line.appEntitlementDisplayName ?? ''}`,
    by,
  ];
}
