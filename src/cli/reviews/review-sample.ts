/** `countersign review sample|walkthrough|check-log`: an auditor's sample, one item from source to removal, and whether all is as it was logged. */
import {
  type SampledItemJson,
  type WalkthroughLogCheckJson,
  type WalkthroughServiceCheckEventsResponseJson,
  type WalkthroughServiceGetResponseJson,
  WalkthroughService,
  type WalkthroughSyncJson,
} from '../../gen/countersign/v1/walkthroughs_pb.js';
import type { Commands } from '../frame/commands.ts';
import { type CsvColumn, printCsv } from '../frame/csv.ts';
import { count, formatTable } from '../frame/io.ts';

const populations = {
  all: 'SAMPLE_POPULATION_ALL',
  certified: 'SAMPLE_POPULATION_CERTIFIED',
  denied: 'SAMPLE_POPULATION_DENIED',
  'not-decided': 'SAMPLE_POPULATION_NOT_DECIDED',
} as const;

/** Adds `review sample` and `review walkthrough`. */
export function addSampleCommands(group: Commands): void {
  group.run('sample', {
    description: 'draw a sample of the items by a seed of your own; whoever has the seed and the items draws the same',
    operands: { '<review>': 'id of the review' },
    options: {
      '--seed <text>': { text: 'any text; agree on it before the draw', needed: true },
      '--size <items>': { text: 'items to draw', parse: Number, fallback: 25 },
      '--of <population>': {
        text: 'draw from these items alone',
        choices: populations,
        fallback: 'all',
      },
      '--csv': 'print the sample as CSV',
    },
    act: async ({ review: accessReviewId, seed, size, of, csv }, session) => {
      const reply = await session.client.call(WalkthroughService.method.drawSample, {
        accessReviewId,
        seed,
        size,
        population: populations[of],
      });
      const { list = [] } = reply;
      if (csv === true) {
        return printCsv(session.io, list, csvColumns);
      }
      return {
        json: reply,
        text: [
          `${list.length} of ${count(reply.population)} items drawn, seed ${seed}`,
          `population ${reply.populationSha256 ?? ''}`,
          ...(list.length > 0 ? ['', formatTable(['PLACE', 'TASK', 'ITEM', 'ACCOUNT', 'ACCESS', 'OUTCOME'], list.map(rowOf))] : []),
        ],
      };
    },
  });
  group.call('walkthrough', {
    description: 'show one item from the file that brought it to the file that proves it gone',
    operands: { '<review>': 'id of the review', '<item>': 'id of the item' },
    method: WalkthroughService.method.get,
    text: sayWalkthrough,
  });
  group.run('check-log', {
    description: 'hold everything that was logged about a review against the log; exit code 1 where something is not as it was',
    operands: { '<review>': 'id of the review' },
    act: async ({ review: accessReviewId }, session) => {
      const found = { events: 0, rows: 0, sentences: [] as string[] };
      for (let fromPosition: string | undefined = '0'; fromPosition !== undefined; ) {
        const { check, nextPosition }: WalkthroughServiceCheckEventsResponseJson = await session.client.call(
          WalkthroughService.method.checkEvents,
          { accessReviewId, fromPosition },
        );
        found.events += Number(check?.events ?? 0);
        found.rows += Number(check?.rows ?? 0);
        found.sentences.push(...(check?.sentences ?? []));
        fromPosition = nextPosition;
      }
      return {
        json: found,
        text: sayCheck({ ...found, events: String(found.events), rows: String(found.rows) }),
        failure: found.sentences.length === 0 ? undefined : 'not everything is as it was logged',
      };
    },
  });
}

function sayCheck({ events, rows, sentences }: WalkthroughLogCheckJson): string[] {
  const seen = `${count(events)} events and ${count(rows)} rows that they recorded`;
  return sentences === undefined || sentences.length === 0
    ? [`${seen} are as they were sealed.`]
    : [`${seen} were held against the log.`, ...sentences.map((sentence) => `DOES NOT HOLD: ${sentence}`)];
}

const rowOf = ({ place, numericId, taskId, account, resource, entitlement, appDisplayName, outcome }: SampledItemJson): string[] => [
  String(place ?? ''),
  numericId ?? '',
  taskId ?? '',
  account ?? '',
  `${[resource, entitlement].filter((part) => part !== undefined && part !== '').join(' ')} in ${appDisplayName ?? ''}`,
  outcome || '-',
];

const csvColumns: readonly CsvColumn<SampledItemJson>[] = [
  ['place', ({ place }) => String(place ?? '')],
  ['taskId', ({ taskId }) => taskId],
  ['numericId', ({ numericId }) => numericId],
  ['rank', ({ rank }) => rank],
  ['appDisplayName', ({ appDisplayName }) => appDisplayName],
  ['account', ({ account }) => account],
  ['person', ({ person }) => person],
  ['resource', ({ resource }) => resource],
  ['entitlement', ({ entitlement }) => entitlement],
  ['outcome', ({ outcome }) => outcome],
];

function saySync(what: string, sync: WalkthroughSyncJson | undefined): string[] {
  return sync === undefined
    ? []
    : [`${what}: ${sync.connectorDisplayName ?? ''}, sync ${sync.id ?? ''} of ${sync.startedAt ?? ''}, file ${sync.fileSha256 ?? ''}`];
}

function sayWalkthrough(reply: WalkthroughServiceGetResponseJson): string[] {
  const { grant, snapshot, removal, events = [] } = reply;
  const { row } = grant ?? {};
  const spelled = [row?.account, row?.resourceType, row?.resource, row?.entitlement].filter((part) => part !== undefined && part !== '');
  return [
    `${reply.account ?? ''} (${reply.person || 'unowned'}): ${reply.entitlement ?? ''} in ${reply.appDisplayName ?? ''}`,
    ...saySync('first reported by', grant?.addedBy),
    ...saySync('held at the snapshot by', grant?.heldBy),
    ...(spelled.length === 0 ? [] : [`row: ${spelled.join(', ')}`]),
    `snapshot: revision ${count(snapshot?.revision)} of ${snapshot?.takenAt ?? ''}, items ${snapshot?.itemsHash ?? ''}`,
    ...(removal === undefined
      ? []
      : [
          `removal: ${(removal.state ?? '').replace('REVOCATION_STATE_', '')} since ${removal.stateAt ?? ''}`,
          ...saySync('seen in', removal.seenIn),
        ]),
    ...saySync('ended by', grant?.endedBy),
    '',
    ...sayCheck(reply.logCheck ?? {}),
    '',
    formatTable(
      ['POSITION', 'TIME', 'EVENT', 'ID'],
      events.map(({ position, at, kind, eventUid }) => [count(position), at ?? '', kind ?? '', eventUid ?? '']),
    ),
  ];
}
