/** `countersign revocation list|show|claim|confirm|retry|export|counts`: what became of access that was denied, through the API. */
import { type Command, Option } from 'commander';
import { type RevocationJson, RevocationService, type RevocationStateJson } from '../gen/countersign/v1/revocations_pb.js';
import type { Client } from '../client/index.ts';
import { type CsvColumn, printCsv } from './csv.ts';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, formatTable, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface FilterOptions extends ConnectOptions {
  readonly state?: string[];
  readonly review?: string;
  readonly app?: string;
  readonly mine?: true;
  readonly overdue?: true;
  readonly query?: string;
}

const states = [
  'held',
  'requested',
  'refused',
  'in_progress',
  'claimed',
  'still_present',
  'verified',
  'attested',
  'reappeared',
  'error',
  'cancelled',
];

const withFilter = (command: Command): Command =>
  withConnection(command)
    .addOption(new Option('--state <state...>', 'only those in one of these states').choices(states))
    .option('--review <id>', 'only those of this review')
    .option('--app <id>', 'only those of this app')
    .option('--mine', 'only open ones of apps that you own: what you have to remove')
    .option('--overdue', 'only open ones that are due')
    .option('--query <text>', 'only those with these words in the names of account, owner, entitlement, resource or app');

/** Adds the commands about revocations. */
export function addRevocationCommands(program: Command, io: CommandIo): void {
  const group = program.command('revocation').description('what became of access that was denied');

  withFilter(group.command('list').description('list revocations, the oldest first'))
    .option('--limit <number>', 'at most so many', '25')
    .action((options: FilterOptions & { limit: string }) => runList(io, options));

  withConnection(group.command('show').description('show one revocation with its history and its proof'))
    .argument('<id>', 'id of the revocation')
    .action((id: string, options: ConnectOptions) => runShow(io, id, options));

  type Act = (client: Client, request: { id: string; comment: string }) => Promise<{ revocation?: RevocationJson }>;
  const acts: readonly (readonly [string, string, Act])[] = [
    [
      'claim',
      'say that the access was removed; a later sync has to prove it',
      (client, request) => client.call(RevocationService.method.claim, request),
    ],
    [
      'confirm',
      'confirm what somebody else claimed, of access that no sync reports',
      (client, request) => client.call(RevocationService.method.confirm, request),
    ],
    [
      'retry',
      'start a removal anew that failed or whose access reappeared',
      (client, request) => client.call(RevocationService.method.retry, request),
    ],
  ];
  for (const [name, description, act] of acts) {
    withConnection(group.command(name).description(description))
      .argument('<id>', 'id of the revocation')
      .option('--comment <text>', 'what was done, such as the number of a ticket', '')
      .action(async (id: string, options: ConnectOptions & { comment: string }) => {
        const { revocation = {} } = await act(connect(io, options), { id, comment: options.comment });
        showOne(io, options, revocation);
      });
  }

  withFilter(group.command('export').description('write all revocations as CSV to standard output')).action((options: FilterOptions) =>
    runExport(io, options),
  );

  withConnection(group.command('counts').description('count revocations by state and age'))
    .option('--review <id>', 'only those of this review')
    .option('--app <id>', 'only those of this app')
    .option('--mine', 'only open ones of apps that you own')
    .action((options: FilterOptions) => runCounts(io, options));
}

const stateOf = (state: RevocationStateJson = 'REVOCATION_STATE_UNSPECIFIED'): string =>
  state.replace('REVOCATION_STATE_', '').toLowerCase();

function readPages(io: CommandIo, options: FilterOptions) {
  return connect(io, options).pages(RevocationService.method.list, {
    states: (options.state ?? []).map((state) => `REVOCATION_STATE_${state.toUpperCase()}` as RevocationStateJson),
    accessReviewId: options.review ?? '',
    appId: options.app ?? '',
    mine: options.mine === true,
    overdue: options.overdue === true,
    query: options.query ?? '',
  });
}

const whatOf = ({ appDisplayName = '', resourceDisplayName = '', entitlementDisplayName = '' }: RevocationJson): string =>
  [appDisplayName, resourceDisplayName, entitlementDisplayName].filter((part) => part !== '').join(' / ');

async function runList(io: CommandIo, options: FilterOptions & { limit: string }): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit is a whole number from 1 on');
  }
  const found = await listAll(readPages(io, options), limit);
  showList(io, options, found, ['ID', 'ACCOUNT', 'ACCESS', 'STATE', 'DUE', 'OUTCOME'], (one) => [
    one.id ?? '',
    one.account ?? '',
    whatOf(one),
    stateOf(one.state),
    one.dueAt?.slice(0, 10) ?? '',
    one.outcome ?? '',
  ]);
}

/** Other ways by which the access is held, each of which has to be cut as well. */
function residualOf({ residualAccess = [] }: RevocationJson): string {
  return residualAccess
    .map((one) => (one.account ? `by the account ${one.account}` : `through ${one.entitlementDisplayName || one.appEntitlementId}`))
    .join(', ');
}

function factsOf(one: RevocationJson): [string, string | undefined][] {
  return [
    ['id', one.id],
    ['state', stateOf(one.state)],
    ['outcome', one.outcome],
    ['unknown', one.unknown || undefined],
    ['also held', residualOf(one) || undefined],
    ['account', one.account],
    ['owner', one.userDisplayName || undefined],
    ['access', whatOf(one)],
    ['review', one.accessReviewId || undefined],
    ['task', one.revokeTaskId || undefined],
    ['denied', one.createdAt],
    ['requested', one.requestedAt],
    ['due', one.dueAt],
    ['claimed', one.claimedAt],
    ['proof', one.syncId || undefined],
    ['last seen', one.lastSeenAt],
    ['note', one.note || undefined],
  ];
}

function writeFacts(io: CommandIo, facts: readonly [string, string | undefined][]): void {
  const width = Math.max(...facts.map(([name]) => name.length));
  writeLines(io.stdout, ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(width)}  ${value}`])));
}

function showOne(io: CommandIo, options: ConnectOptions, revocation: RevocationJson): void {
  if (options.json === true) {
    writeJson(io.stdout, revocation);
    return;
  }
  writeFacts(io, factsOf(revocation));
}

async function runShow(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const { revocation = {}, history = [] } = await connect(io, options).call(RevocationService.method.get, { id });
  if (options.json === true) {
    writeJson(io.stdout, { revocation, history });
    return;
  }
  writeFacts(io, factsOf(revocation));
  const rows = history.map((one) => [one.at ?? '', stateOf(one.state), one.actorUserId || one.syncId || '', one.note ?? '']);
  writeLines(io.stdout, '', formatTable(['AT', 'STATE', 'BY', 'NOTE'], rows));
}

/** The columns of the export, and what stands in them. */
const exported: readonly CsvColumn<RevocationJson>[] = [
  ['id', (one) => one.id],
  ['state', (one) => stateOf(one.state)],
  ['outcome', (one) => one.outcome],
  ['unknown', (one) => one.unknown],
  ['also_held', residualOf],
  ['app', (one) => one.appDisplayName],
  ['resource', (one) => one.resourceDisplayName],
  ['entitlement', (one) => one.entitlementDisplayName],
  ['account', (one) => one.account],
  ['owner', (one) => one.userDisplayName],
  ['review', (one) => one.accessReviewId],
  ['denied_at', (one) => one.createdAt],
  ['requested_at', (one) => one.requestedAt],
  ['due_at', (one) => one.dueAt],
  ['overdue', (one) => String(one.isOverdue ?? false)],
  ['claimed_at', (one) => one.claimedAt],
  ['state_changed_at', (one) => one.stateChangedAt],
  ['sync', (one) => one.syncId],
  ['revision', (one) => one.revision],
  ['last_seen_sync', (one) => one.lastSeenSyncId],
  ['last_seen_at', (one) => one.lastSeenAt],
  ['note', (one) => one.note],
];

async function runExport(io: CommandIo, options: FilterOptions): Promise<void> {
  if (options.json === true) {
    writeJson(io.stdout, await listAll(readPages(io, options)));
    return;
  }
  await printCsv(io, readPages(io, options), exported);
}

async function runCounts(io: CommandIo, options: FilterOptions): Promise<void> {
  const answer = await connect(io, options).call(RevocationService.method.count, {
    accessReviewId: options.review ?? '',
    appId: options.app ?? '',
    mine: options.mine === true,
  });
  const { list = [] } = answer;
  if (options.json === true) {
    writeJson(io.stdout, answer);
    return;
  }
  showList(io, options, list, ['STATE', 'TOTAL', 'UNDER 7 DAYS', 'UNDER 30 DAYS', 'OLDER', 'OVERDUE'], (one) => [
    stateOf(one.state),
    one.total ?? '0',
    one.underSevenDays ?? '0',
    one.underThirtyDays ?? '0',
    one.older ?? '0',
    one.overdue ?? '0',
  ]);
}
