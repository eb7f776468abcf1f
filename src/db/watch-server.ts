/**
 * Looks at the server behind the pool, for what its connections do not say by themselves: that it is silent (stopped, frozen, behind a network that
 * swallows packets), that its name leads to another server by now, that it is a standby, that it takes no changes, that a single connection is dead.
 * Each look is a connection of its own, which asks for the name anew, and one small statement. What can no longer serve is thrown away.
 */
import pg from 'pg';
import type { Logger } from '../context.ts';
import { AppError } from '../errors.ts';
import { copyStallMs, cutOff, findAsked, hasAnswered, isSent } from './asked.ts';

/** Somebody who uses the database. */
export interface Turn {
  /** Rejects when it has become pointless to wait for a connection. */
  readonly cut: Promise<never>;
  end(): void;
}

/** Watches over the connections to one server. */
export interface ServerWatch {
  /** Throws UNAVAILABLE while the server is known to be silent or a standby. */
  begin(): Turn;
  /** Watches over a new connection until it ends; rejects, and ends it, where it leads to a standby or gets no answer. */
  admit(client: pg.ClientBase): Promise<void>;
  /** True if a connection is not to be used again: its server is another one by now, or another mode holds. */
  isStale(client: pg.ClientBase): boolean;
  /** Says that a change was refused over this connection because nothing may be changed. */
  refused(client: pg.ClientBase): void;
  /** Returns the reason, for an operator, why nothing can be changed as far as is known; undefined where all is well. */
  trouble(): string | undefined;
  /** True while nothing answers, so that nobody is worth waiting for. */
  isSilent(): boolean;
  /** Calls back whenever connections have become stale, until told to stop. */
  onStale(callback: () => void): () => void;
  stop(): void;
}

/** Options of a watch. */
export interface WatchOptions {
  /** True if the server may be another one without our knowing, so that it is looked at all the time; else only where something is odd. */
  readonly looksAlways: boolean;
  /** True if nothing is served and no row is written, as for a backup: then a standby will do. */
  readonly allowsStandby: boolean;
  /** The server's limit for a statement, where a transaction sets no other. */
  readonly statementTimeoutMs: number;
}

/** Time after which to look: most statements take milliseconds. */
const suspiciousMs = 5_000;
/** Time after which to look where a COPY does not get on: what a slow network has to take before it takes more needs its time. */
const suspiciousCopyMs = 15_000;
/** An answer to a new connection and one small statement. */
const longestAnswerMs = 3_000;
const lookEveryMs = 1_000;
/** Time from look to look; in ten seconds from an address that was moved nothing is read from the former server any more. */
const pausesMs = { suspicious: 2_500, always: 3_000, never: Number.POSITIVE_INFINITY };
/** Pauses of this process do not count as the server's. */
const tickMs = 100;
/** Time a statement has beyond its own limit, which the server watches over. */
const graceMs = 5_000;
/** Looks in a row that find the server waiting for a connection whose user waits for the server. */
const strikesOfDead = 2;

/** What a server says of itself. */
interface Facts {
  /** The moment it started: of no two servers the same, and another one after each restart. */
  readonly server: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

interface Member {
  readonly client: pg.ClientBase;
  readonly since: number;
  readonly pid: number;
  readonly facts: Facts;
  isStale: boolean;
  strikes: number;
  /** Bytes of its COPY that had reached the server at the last look. */
  copied: number | undefined;
}

interface Waiting {
  readonly since: number;
  readonly cut: (error: AppError) => void;
}

/** Bytes of a COPY that have reached the server, by the number of its process. */
type Copied = Readonly<Record<number, number>>;

/** 'said': it said something, if only that it has no connection left, or that it is starting up. */
type Answer = 'silent' | 'said' | { readonly facts: Facts; readonly working: ReadonlySet<number>; readonly copied: Copied };
type State = 'GOOD' | 'READ_ONLY' | 'STANDBY' | 'SILENT';

/** Reason for an operator why nothing can be changed. */
export const readOnlySentence = 'The database is read-only: it takes no changes.';
const troubles: Record<State, string | undefined> = {
  GOOD: undefined,
  READ_ONLY: readOnlySentence,
  STANDBY: 'The name of the database leads to a standby: nothing is read from it or changed there.',
  SILENT: 'The database does not answer.',
};

const factsSql = `SELECT extract(epoch FROM pg_postmaster_start_time())::text AS server, pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only') = 'on' AS read_only, pg_backend_pid() AS pid`;
/** Of these processes of the server, those that are at work: the others wait for what their client sends next. */
const workingSql = `ARRAY(SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1::int[]) AND wait_event IS DISTINCT FROM 'ClientRead') AS working`;
/** Of these, the bytes of a COPY that have reached them. */
const copiedSql = '(SELECT jsonb_object_agg(pid, bytes_processed) FROM pg_stat_progress_copy WHERE pid = ANY ($1::int[])) AS copied';

interface FactsRow {
  readonly server: string;
  readonly standby: boolean;
  readonly read_only: boolean;
  readonly pid: number;
  readonly working?: readonly number[];
  readonly copied?: Copied | null;
}

const factsOf = (row: FactsRow): Facts => ({ server: row.server, isStandby: row.standby, isReadOnly: row.read_only });

/** Starts watching; `config` is that of the connections it makes. */
export function watchServer(config: pg.ClientConfig, options: WatchOptions, log: Logger): ServerWatch {
  const waiting = new Set<Waiting>();
  const members = new Map<pg.ClientBase, Member>();
  const callbacks = new Set<() => void>();
  let state: State = 'GOOD';
  let askedAt = performance.now();
  let isAsking = false;
  let isOdd = false;
  let unanswered = 0;
  const stopping = new AbortController();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  function look(): void {
    const now = performance.now();
    cutOverdue(now);
    // All of them each time: of a COPY it is seen by two looks whether it gets on.
    const doubtful = [...members.values()].filter(({ client }) => isWaiting(client, now));
    const isSuspicious = doubtful.length > 0 || [...waiting].some(({ since }) => now - since > suspiciousMs);
    const pauseMs =
      isOdd || state !== 'GOOD' || unanswered > 0
        ? lookEveryMs
        : pausesMs[isSuspicious ? 'suspicious' : options.looksAlways ? 'always' : 'never'];
    if (isAsking || now - askedAt < pauseMs) {
      return;
    }
    isAsking = true;
    isOdd = false;
    void askServer(config, doubtful, stopping.signal)
      .then((answer) => (stopping.signal.aborted ? undefined : take(answer, now, doubtful)))
      .finally(() => {
        isAsking = false;
        askedAt = performance.now();
      });
  }

  function cutOverdue(now: number): void {
    for (const { client } of members.values()) {
      const asked = findAsked(client);
      const limitMs = asked?.limitMs ?? options.statementTimeoutMs;
      if (asked !== undefined && limitMs > 0 && now - asked.since > limitMs + graceMs) {
        log.warn(
          { seconds: Math.round((now - asked.since) / 1000) },
          'a statement got no answer within its limit; its connection is cut off',
        );
        cutOff(client);
      }
    }
  }

  function take(answer: Answer, from: number, doubtful: readonly Member[]): void {
    if (answer === 'silent' && [...members.keys()].some((client) => hasAnswered(client, from))) {
      // A pooler without a free connection, a server that takes long to let one in: whoever is in is answered.
      log.warn({}, 'the database answers, but gave no new connection within three seconds');
      return;
    }
    if (answer === 'silent') {
      unanswered += 1;
      // Once may be chance, where nobody else waits in vain.
      if (unanswered > 1 || [...waiting].some(({ since }) => performance.now() - since > suspiciousMs)) {
        takeSilence();
      }
      return;
    }
    unanswered = 0;
    if (answer === 'said') {
      enter(state === 'SILENT' ? 'GOOD' : state, {});
      return;
    }
    const { facts, working, copied } = answer;
    enter(facts.isStandby && !options.allowsStandby ? 'STANDBY' : facts.isReadOnly ? 'READ_ONLY' : 'GOOD', {});
    throwAway(facts, from);
    for (const member of members.values()) {
      member.strikes = doubtful.includes(member) ? member.strikes : 0;
    }
    for (const member of doubtful) {
      const before = member.copied;
      member.copied = copied[member.pid];
      member.strikes = working.has(member.pid) || member.copied !== before ? 0 : member.strikes + 1;
      if (member.strikes >= strikesOfDead && members.has(member.client)) {
        log.warn({}, 'a connection to the database is dead: the server does not hear what was asked over it; it is cut off');
        cutOff(member.client);
      }
    }
  }

  function takeSilence(): void {
    if (state !== 'SILENT' || waiting.size > 0) {
      log.error({ callers: waiting.size }, 'the database does not answer; whoever waits for it is sent away');
    }
    state = 'SILENT';
    for (const each of [...waiting]) {
      each.cut(unavailable('SILENT'));
    }
    // No statement of ours ends any more: only the end of the connection lets its caller go.
    for (const client of [...members.keys()]) {
      cutOff(client);
    }
  }

  function enter(next: State, fields: object): void {
    if (next !== state && next === 'GOOD') {
      log.info(fields, state === 'SILENT' ? 'the database answers again' : 'the database takes changes again');
    } else if (next !== state) {
      log.error(fields, next === 'STANDBY' ? 'the name of the database leads to a standby; it is not used' : 'the database is read-only');
    }
    state = next;
  }

  /** Whatever is connected to another server may be told what is not so any more, and told that something is stored which is lost: it ends at once. */
  function throwAway(facts: Facts, from: number): void {
    const earlier = [...members.values()].filter(({ since }) => since < from);
    const elsewhere = earlier.filter((member) => member.facts.server !== facts.server);
    if (elsewhere.length > 0) {
      log.warn(
        { connections: elsewhere.length },
        'the name of the database leads to another server; connections to the former one are cut off',
      );
    }
    for (const { client } of elsewhere) {
      cutOff(client);
    }
    retire(earlier.filter((member) => member.facts.server === facts.server && member.facts.isReadOnly !== facts.isReadOnly));
  }

  function retire(stale: readonly Member[]): void {
    for (const member of stale) {
      member.isStale = true;
    }
    if (stale.length > 0) {
      for (const callback of callbacks) {
        callback();
      }
    }
  }

  return {
    begin() {
      if (state === 'SILENT' || state === 'STANDBY') {
        throw unavailable(state);
      }
      const { promise: cut, reject } = Promise.withResolvers<never>();
      cut.catch(() => undefined);
      const turn: Waiting = { since: performance.now(), cut: reject };
      waiting.add(turn);
      return {
        cut,
        end() {
          waiting.delete(turn);
        },
      };
    },
    async admit(client) {
      const row = await askFacts(client);
      if (row.standby && !options.allowsStandby) {
        isOdd = true;
        cutOff(client);
        throw unavailable('STANDBY');
      }
      members.set(client, {
        client,
        since: performance.now(),
        pid: row.pid,
        facts: factsOf(row),
        isStale: false,
        strikes: 0,
        copied: undefined,
      });
      (client as pg.Client).once('end', () => members.delete(client));
    },
    isStale: (client) => members.get(client)?.isStale === true,
    refused(client) {
      isOdd = true;
      if (members.get(client)?.facts.isReadOnly === false) {
        retire([...members.values()].filter(({ facts }) => !facts.isReadOnly));
      }
    },
    trouble: () => troubles[state],
    isSilent: () => state === 'SILENT',
    onStale(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    stop() {
      clearInterval(timer);
      stopping.abort();
    },
  };
}

/** True if somebody waits for the answer of the server for long. What is still being sent needs its time. */
function isWaiting(client: pg.ClientBase, now: number): boolean {
  const asked = findAsked(client);
  return asked === undefined ? copyStallMs(client, now) > suspiciousCopyMs : now - asked.since > suspiciousMs && isSent(client);
}

async function askFacts(client: pg.ClientBase): Promise<FactsRow> {
  const timer = setTimeout(() => cutOff(client), suspiciousMs);
  try {
    const { rows } = await client.query<FactsRow>(factsSql);
    return rows[0] as FactsRow;
  } finally {
    clearTimeout(timer);
  }
}

async function askServer(config: pg.ClientConfig, doubtful: readonly Member[], signal: AbortSignal): Promise<Answer> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 0 });
  client.on('error', () => undefined);
  const { promise: late, resolve } = Promise.withResolvers<'silent'>();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks * tickMs >= longestAnswerMs || signal.aborted) {
      resolve('silent');
    }
  }, tickMs);
  const answer = client
    .connect()
    .then(() => client.query<FactsRow>(`${factsSql}, ${workingSql}, ${copiedSql}`, [doubtful.map(({ pid }) => pid)]))
    .then(
      ({ rows: [row] }): Answer =>
        row === undefined
          ? 'said'
          : {
              facts: factsOf(row),
              working: new Set(row.working),
              copied: row.copied ?? {},
            },
      () => 'said' as const,
    );
  const answered = await Promise.race([answer, late]);
  clearInterval(timer);
  if (answered === 'silent') {
    cutOff(client);
  } else {
    void client.end().catch(() => undefined);
  }
  return answered;
}

function unavailable(state: State): AppError {
  return new AppError('UNAVAILABLE', 'The database is not available at the moment.', {
    detail: troubles[state] ?? '',
    retryAfterSeconds: 2,
  });
}
