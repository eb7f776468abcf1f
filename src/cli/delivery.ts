/** `countersign delivery list|show|repeat|discard`: effects outside the database, and what failed for good, through the API. */
import { type Command, Option } from 'commander';
import { type DeliveryJson, DeliveryService, type DeliveryStateJson } from '../gen/countersign/v1/deliveries_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface ListOptions extends ConnectOptions {
  readonly state?: string;
  readonly kind?: string;
  readonly limit: string;
}

interface RepeatOptions extends ConnectOptions {
  readonly kind?: string;
}

const states = ['waiting', 'done', 'dead', 'discarded'];

/** Adds `delivery list`, `delivery show`, `delivery repeat` and `delivery discard`. */
export function addDeliveryCommands(program: Command, io: CommandIo): void {
  const group = program.command('delivery').description('mails, calls of webhooks and other effects outside, and what failed for good');

  withConnection(group.command('list').description('list deliveries, the newest first'))
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--kind <kind>', 'only those of this kind')
    .option('--limit <number>', 'at most so many', '25')
    .action((options: ListOptions) => runList(io, options));

  withConnection(group.command('show').description('show one delivery: what it refers to, its attempts and its last error'))
    .argument('<id>', 'id of the delivery')
    .action((id: string, options: ConnectOptions) => runShow(io, id, options));

  withConnection(group.command('repeat').description('try dead deliveries again, at once and with all their attempts'))
    .argument('[id]', 'id of the delivery; left out with --kind')
    .option('--kind <kind>', 'the oldest thousand dead deliveries of this kind')
    .action((id: string | undefined, options: RepeatOptions) => runRepeat(io, id, options));

  withConnection(group.command('discard').description('give a dead delivery up for good'))
    .argument('<id>', 'id of the delivery')
    .requiredOption('--reason <text>', 'why nobody needs it any more; the record keeps it')
    .action((id: string, options: ConnectOptions & { reason: string }) => runDiscard(io, id, options));
}

/** The state as it is written on the command line. */
function stateOf({ state = 'DELIVERY_STATE_UNSPECIFIED', isRunning = false }: DeliveryJson): string {
  return isRunning ? 'running' : state.replace('DELIVERY_STATE_', '').toLowerCase();
}

async function runList(io: CommandIo, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit is a whole number from 1 on');
  }
  const state = `DELIVERY_STATE_${options.state?.toUpperCase() ?? 'UNSPECIFIED'}` as DeliveryStateJson;
  const pages = connect(io, options).pages(DeliveryService.method.list, { state, kind: options.kind ?? '' });
  const headings = ['ID', 'KIND', 'ABOUT', 'STATE', 'ATTEMPTS', 'CREATED', 'ERROR'];
  showList(io, options, await listAll(pages, limit), headings, (one) => [
    one.id ?? '',
    one.kind ?? '',
    one.subjectId ?? '',
    stateOf(one),
    String(one.attempts ?? 0),
    one.createdAt ?? '',
    one.error ?? '',
  ]);
}

async function runShow(io: CommandIo, id: string, options: ConnectOptions): Promise<void> {
  const { delivery = {} } = await connect(io, options).call(DeliveryService.method.get, { id });
  if (options.json === true) {
    writeJson(io.stdout, delivery);
    return;
  }
  const facts: [string, string | undefined][] = [
    ['id', delivery.id],
    ['kind', delivery.kind],
    ['about', delivery.subjectId],
    ['key', delivery.idempotencyKey],
    ['state', stateOf(delivery)],
    ['attempts', String(delivery.attempts ?? 0)],
    ['repeats', String(delivery.repeats ?? 0)],
    ['created', delivery.createdAt],
    ['next attempt', delivery.nextAttemptAt],
    ['ended', delivery.endedAt],
    ['error', delivery.error || undefined],
    ['discarded', delivery.discardReason || undefined],
    ['payload', JSON.stringify(delivery.payload ?? {})],
    ['receipt', JSON.stringify(delivery.receipt ?? {})],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  writeLines(io.stdout, ...facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(width)}  ${value}`])));
}

async function runRepeat(io: CommandIo, id: string | undefined, options: RepeatOptions): Promise<void> {
  if ((id === undefined) === (options.kind === undefined)) {
    throw new UsageError('pass either the id of a delivery or --kind');
  }
  const client = connect(io, options);
  if (id === undefined) {
    const { repeatedCount = 0 } = await client.call(DeliveryService.method.repeatDead, { kind: options.kind ?? '' });
    show(io, options, { repeatedCount }, `Deliveries that are tried again: ${repeatedCount}.`);
    return;
  }
  const { delivery } = await client.call(DeliveryService.method.repeat, { id });
  show(io, options, delivery, `The delivery ${id} is tried again.`);
}

async function runDiscard(io: CommandIo, id: string, options: ConnectOptions & { reason: string }): Promise<void> {
  const { delivery } = await connect(io, options).call(DeliveryService.method.discard, { id, reason: options.reason });
  show(io, options, delivery, `The delivery ${id} is discarded.`);
}

function show(io: CommandIo, options: ConnectOptions, value: unknown, text: string): void {
  if (options.json === true) {
    writeJson(io.stdout, value);
    return;
  }
  writeLines(io.stdout, text);
}
