/** `countersign event list` and `event follow`: the system log, who changed what and when, through the API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { SystemLogService } from '../gen/c1/api/systemlog/v1/system_log_service_pb.js';
import { UserService } from '../gen/c1/api/user/v1/user_service_pb.js';
import { asObject } from '../lib/json.ts';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { type CommandIo, UsageError, writeJson, writeLines } from './io.ts';
import { listAll, showList } from './list.ts';

interface EventOptions extends ConnectOptions {
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
}

interface FollowOptions extends ConnectOptions {
  readonly after?: string;
  readonly idle?: string;
}

/** Milliseconds between two looks at a log in which nothing is new. */
const followEveryMs = 1_000;

/** What of an event is shown, by the names the log gives it. */
interface Shown {
  readonly at: string;
  readonly who: string;
  readonly from: string;
  readonly what: string;
  readonly target: string;
}

/** Adds `event list`. */
export function addEventCommands(program: Command, io: CommandIo): void {
  const group = program.command('event').description('the system log');

  withConnection(group.command('list').description('list who changed what and when, the newest first'))
    .option('--since <time>', 'only from this time on, such as 2026-01-31T09:00:00Z')
    .option('--until <time>', 'only before this time')
    .option('--limit <number>', 'the most to list', '50')
    .action((options: EventOptions) => runList(io, options));

  withConnection(group.command('follow').description('print events as they happen, one line each, without a gap, until interrupted'))
    .option('--after <event>', 'begin behind the event with this id, instead of now')
    .option('--idle <seconds>', 'end when nothing has happened for so long')
    .action((options: FollowOptions) => runFollow(io, options));
}

async function runList(io: CommandIo, options: EventOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError('--limit must be a whole number from 1 on');
  }
  const client = connect(io, options);
  const request = {
    pageSize: Math.min(limit, 100),
    sortDirection: 'SORT_DIRECTION_DESC' as const,
    ...(options.since === undefined ? {} : { since: readTime('--since', options.since) }),
    ...(options.until === undefined ? {} : { until: readTime('--until', options.until) }),
  };
  const found = await listAll(client.pages(SystemLogService.method.listEvents, request), limit);
  if (options.json === true) {
    writeJson(io.stdout, found);
    return;
  }
  const rows = await nameActors(client, found.map(readEvent));
  showList(io, options, rows, ['WHEN', 'WHO', 'FROM', 'WHAT', 'TARGET'], (one) => [one.at, one.who, one.from, one.what, one.target]);
}

/** Prints what comes behind the last event printed; at first behind the newest there is, or the one that was named. */
async function runFollow(io: CommandIo, options: FollowOptions): Promise<void> {
  const idleMs = options.idle === undefined ? Number.POSITIVE_INFINITY : Number(options.idle) * 1000;
  if (Number.isNaN(idleMs) || idleMs < 0) {
    throw new UsageError('--idle is a number of seconds');
  }
  const client = connect(io, options);
  const method = SystemLogService.method.listEvents;
  const newest = { pageSize: 1, sortDirection: 'SORT_DIRECTION_DESC' as const };
  let last = options.after ?? uidOf((await listAll(client.pages(method, newest), 1))[0]);
  for (let quietSince = performance.now(); ; ) {
    const found = await listAll(client.pages(method, { pageSize: 100, ...(last === '' ? {} : { sinceEventUid: last }) }));
    if (found.length > 0) {
      writeLines(
        io.stdout,
        ...(options.json === true
          ? found.map((event) => JSON.stringify(event))
          : (await nameActors(client, found.map(readEvent))).map(lineOf)),
      );
      last = uidOf(found.at(-1));
      quietSince = performance.now();
    } else if (performance.now() - quietSince >= idleMs) {
      return;
    } else {
      await delay(Math.min(followEveryMs, idleMs));
    }
  }
}

function uidOf(event: unknown): string {
  return event === undefined ? '' : String(asObject(asObject(event).metadata).uid ?? '');
}

function lineOf({ at, who, from, what, target }: Shown): string {
  return [at, who, from, what, target].filter((part) => part !== '').join('  ');
}

function readTime(name: string, text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`${name} must be a time such as 2026-01-31T09:00:00Z, not "${text}"`);
  }
  return time.toISOString();
}

function readEvent(event: unknown): Shown {
  const { time, unmapped } = asObject(event);
  const { kind, actor_kind, actor_id, source_ip, target_type, target_id } = asObject(unmapped);
  return {
    at: new Date(Number(time)).toISOString(),
    who: String(actor_id || actor_kind || ''),
    from: String(source_ip ?? ''),
    what: String(kind ?? ''),
    target: target_id === '' ? '' : `${String(target_type)} ${String(target_id)}`,
  };
}

/** The same with the mail addresses of people in place of their ids, where the caller may read them. */
async function nameActors(client: Client, events: readonly Shown[]): Promise<Shown[]> {
  const ids = [...new Set(events.map(({ who }) => who))].filter((who) => /^[0-9A-Za-z]{27}$/.test(who));
  const users = ids.length === 0 ? [] : await listAll(client.pages(UserService.method.search, { ids: ids.slice(0, 100) })).catch(() => []);
  const names = new Map(users.map(({ user }) => [user?.id ?? '', user?.email || (user?.displayName ?? '')]));
  return events.map((one) => ({ ...one, who: names.get(one.who) ?? one.who }));
}
