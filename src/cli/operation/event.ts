/** `countersign event list` and `event follow`: the system log, who changed what and when, through the API. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Commands, formatRows, type Session } from '../frame/commands.ts';
import type { Client } from '../../client/index.ts';
import { SystemLogService } from '../../gen/c1/api/systemlog/v1/system_log_service_pb.js';
import { UserService } from '../../gen/c1/api/user/v1/user_service_pb.js';
import { asObject } from '../../lib/json.ts';
import { toVisibleJson } from '../../lib/names/visible-text.ts';
import { UsageError, writeLines } from '../frame/io.ts';
import { listAll } from '../frame/list.ts';

/** Milliseconds between two looks at a log in which nothing is new. */
const followEveryMs = 1_000;

/** Shown part of an event, by the names the log gives it. */
interface Shown {
  readonly at: string;
  readonly who: string;
  readonly from: string;
  readonly what: string;
  readonly target: string;
}

/** Adds `event list` and `event follow`. */
export function addEventCommands(group: Commands): void {
  group.list('list', {
    description: 'list who changed what and when, the newest first',
    options: {
      '--since <time>': 'only from this time on, such as 2026-01-31T09:00:00Z',
      '--until <time>': 'only before this time',
      '--limit <number>': { text: 'the most to list', fallback: '50' },
    },
    method: SystemLogService.method.listEvents,
    request: () => ({ sortDirection: 'SORT_DIRECTION_DESC' as const }),
    text: async (events, { client }) =>
      formatRows(
        ['WHEN', 'WHO', 'FROM', 'WHAT', 'TARGET'],
        (await nameActors(client, events.map(readEvent))).map((one) => [one.at, one.who, one.from, one.what, one.target]),
      ),
  });

  group.run('follow', {
    description: 'print events as they happen, one line each, without a gap, until interrupted',
    options: {
      '--after <event>': 'begin behind the event with this id, instead of now',
      '--idle <seconds>': 'end when nothing has happened for so long',
    },
    act: follow,
  });
}

/** Prints what comes behind the last event printed; at first behind the newest there is, or the one that was named. */
async function follow(
  { after, idle, json }: { readonly after: string | undefined; readonly idle: string | undefined; readonly json?: boolean },
  session: Session,
): Promise<undefined> {
  const idleMs = idle === undefined ? Number.POSITIVE_INFINITY : Number(idle) * 1000;
  if (Number.isNaN(idleMs) || idleMs < 0) {
    throw new UsageError('--idle is a number of seconds');
  }
  const { io, client } = session;
  const method = SystemLogService.method.listEvents;
  const newest = { pageSize: 1, sortDirection: 'SORT_DIRECTION_DESC' as const };
  let last = after ?? uidOf((await listAll(client.pages(method, newest), 1))[0]);
  for (let quietSince = performance.now(); ; ) {
    const found = await listAll(client.pages(method, { pageSize: 100, ...(last === '' ? {} : { sinceEventUid: last }) }));
    if (found.length > 0) {
      const lines =
        json === true
          ? found.map((event) => toVisibleJson(event))
          : (await nameActors(client, found.map(readEvent))).map((one) => Object.values(one).filter(Boolean).join('  '));
      writeLines(io.stdout, ...lines);
      last = uidOf(found.at(-1));
      quietSince = performance.now();
    } else if (performance.now() - quietSince >= idleMs) {
      return undefined;
    } else {
      await delay(Math.min(followEveryMs, idleMs));
    }
  }
}

function uidOf(event: unknown): string {
  return event === undefined ? '' : String(asObject(asObject(event).metadata).uid ?? '');
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
