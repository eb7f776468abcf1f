/**
 * LISTEN on one connection outside the pool, for all channels of a process. It comes back by itself when it is lost; what was notified
 * meanwhile is gone, so those who listen are asked to read again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../context.ts';
import { within } from '../lib/within.ts';
import { ask, cutOff } from './asked.ts';
import { type SettledConfig, SettledClient } from './settled-client.ts';
import { translateError } from './translate-error.ts';
import type { ServerWatch } from './watch-server.ts';

interface Listener {
  readonly channel: string;
  readonly onNotify: (payload: string) => void;
  readonly onReconnect: () => void;
}

/** The listening connection of a process, made at the first `listen`. */
export interface ListenConnection {
  listen(channel: string, onNotify: (payload: string) => void, onReconnect: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const heartbeatMs = 5_000;
const maxCloseMs = 1_000;

/** Prepares a listening connection with this configuration. */
export function createListenConnection(config: SettledConfig, watch: ServerWatch, log: Logger): ListenConnection {
  const listeners = new Set<Listener>();
  let connecting: Promise<pg.Client> | undefined;
  let closed = false;
  let tail: Promise<unknown> = Promise.resolve();

  /** One statement after the other: several may begin or stop to listen at once. */
  function tell(client: pg.Client, verb: 'LISTEN' | 'UNLISTEN', channel: string): Promise<unknown> {
    return say(client, `${verb} ${client.escapeIdentifier(channel)}`);
  }

  function say(client: pg.Client, sql: string): Promise<unknown> {
    const said = tail.then(() => ask(client, () => client.query(sql)));
    tail = said.catch(() => undefined);
    return said;
  }

  async function connect(): Promise<pg.Client> {
    const client = new SettledClient(config);
    client.on('error', (error) => log.debug({ err: error }, 'the listening connection was lost'));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of [...listeners]) {
        if (listener.channel === channel) {
          call(() => listener.onNotify(payload ?? ''));
        }
      }
    });
    try {
      await client.connect();
      await watch.admit(client);
      for (const channel of new Set([...listeners].map((listener) => listener.channel))) {
        await tell(client, 'LISTEN', channel);
      }
      if (closed) {
        throw new Error('nobody listens any more');
      }
    } catch (error) {
      cutOff(client);
      throw error;
    }
    // Who only listens would not hear that nobody speaks any more; an answer that is missing is noticed (watch-server.ts).
    const heartbeat = setInterval(() => void say(client, 'SELECT 1').catch(() => undefined), heartbeatMs).unref();
    client.once('end', () => {
      clearInterval(heartbeat);
      connecting = undefined;
      if (!closed && listeners.size > 0) {
        void reconnect();
      }
    });
    return client;
  }

  /** One connection for all who ask at the same time. */
  function connection(): Promise<pg.Client> {
    connecting ??= connect();
    const attempt = connecting;
    attempt.catch(() => {
      if (connecting === attempt) {
        connecting = undefined;
      }
    });
    return attempt;
  }

  async function reconnect(): Promise<void> {
    for (let pauseMs = 100; !closed; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        await connection();
        for (const listener of [...listeners]) {
          call(listener.onReconnect);
        }
        return;
      } catch {
        await delay(pauseMs, undefined, { ref: false });
      }
    }
  }

  function call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      log.error({ err: error }, 'a listener failed');
    }
  }

  return {
    async listen(channel, onNotify, onReconnect) {
      const listener = { channel, onNotify, onReconnect };
      listeners.add(listener);
      try {
        await tell(await connection(), 'LISTEN', channel);
      } catch (error) {
        listeners.delete(listener);
        throw translateError(error);
      }
      return async () => {
        listeners.delete(listener);
        if (connecting !== undefined && ![...listeners].some((other) => other.channel === channel)) {
          // Where the connection is lost, there is nothing to stop.
          await connecting.then((client) => tell(client, 'UNLISTEN', channel)).catch(() => undefined);
        }
      };
    },
    async close() {
      closed = true;
      let client: pg.Client | undefined;
      const ending = connecting?.then((connected) => {
        client = connected;
        return connected.end();
      });
      const limitMs = watch.isSilent() ? 0 : maxCloseMs;
      if (
        ending !== undefined &&
        !(await within(
          ending.catch(() => undefined),
          limitMs,
        )) &&
        client !== undefined
      ) {
        cutOff(client);
      }
    },
  };
}
