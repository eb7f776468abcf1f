/**
 * A server that accepts connections and never answers (stopped, frozen, behind a network that swallows packets) would hold everybody who asks
 * it for ever: its own timeouts do not run either. So what takes long is a reason to ask it something small over a connection of its own. Without
 * an answer, whoever waits is sent away, and whoever comes is too, until it answers again.
 */
import pg from 'pg';
import type { Logger } from '../context.ts';
import { AppError } from '../errors.ts';

/** Somebody who uses the database. */
export interface Turn {
  /** Rejects when it has become pointless to wait for a connection. */
  readonly cut: Promise<never>;
  /** Says which connection is to be ended then. */
  holds(client: pg.ClientBase): void;
  end(): void;
}

/** Watches over those who use one server. */
export interface SilenceWatch {
  /** Throws UNAVAILABLE while the server is known to be silent. */
  begin(): Turn;
  stop(): void;
}

/** Time after which to look: most statements take milliseconds. */
const suspiciousMs = 5_000;
/** An answer to a new connection and one small statement. */
const longestAnswerMs = 3_000;
const lookEveryMs = 1_000;

interface Waiting {
  readonly since: number;
  readonly cut: (error: AppError) => void;
  client: pg.ClientBase | undefined;
}

/** Starts watching; nothing is asked while nobody waits for long. */
export function watchSilence(config: pg.ClientConfig, log: Logger): SilenceWatch {
  const waiting = new Set<Waiting>();
  let isSilent = false;
  let askedAt = 0;
  let asking = false;
  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  function look(): void {
    const now = performance.now();
    const isSuspicious = [...waiting].some(({ since }) => now - since > suspiciousMs);
    const pause = isSilent ? lookEveryMs : suspiciousMs;
    if (asking || now - askedAt < pause || !(isSilent || isSuspicious)) {
      return;
    }
    asking = true;
    void ask(config)
      .then(take)
      .finally(() => {
        asking = false;
        askedAt = performance.now();
      });
  }

  function take(hasAnswered: boolean): void {
    if (hasAnswered) {
      if (isSilent) {
        log.info({}, 'the database answers again');
      }
      isSilent = false;
      return;
    }
    if (!isSilent || waiting.size > 0) {
      log.error({ callers: waiting.size }, 'the database accepts connections and does not answer; whoever waits for it is sent away');
    }
    isSilent = true;
    for (const each of [...waiting]) {
      each.cut(silent());
      // No statement of ours ends any more: only the end of the connection lets its caller go.
      (each.client as unknown as { connection: { stream: { destroy(): void } } } | undefined)?.connection.stream.destroy();
    }
  }

  return {
    begin() {
      if (isSilent) {
        throw silent();
      }
      const { promise: cut, reject } = Promise.withResolvers<never>();
      cut.catch(() => undefined);
      const turn: Waiting = { since: performance.now(), cut: reject, client: undefined };
      waiting.add(turn);
      return {
        cut,
        holds(client) {
          turn.client = client;
        },
        end() {
          waiting.delete(turn);
        },
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** True if the server says anything within a few seconds: also that it has no connection left, or that it is starting up. */
async function ask(config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 0 });
  client.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), longestAnswerMs);
  });
  const answer = client
    .connect()
    .then(() => client.query('SELECT 1'))
    .then(
      () => true,
      () => true,
    );
  const hasAnswered = await Promise.race([answer, late]);
  clearTimeout(timer);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  return hasAnswered;
}

function silent(): AppError {
  return new AppError('UNAVAILABLE', 'The database is not available at the moment.', {
    detail: 'the server does not answer',
    retryAfterSeconds: 2,
  });
}
