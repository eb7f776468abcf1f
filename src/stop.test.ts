/** A stop with parts that hang: it ends in time all the same, and says which. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger } from './context.ts';
import { type Running, stopInOrder } from './stop.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = (): Promise<never> => new Promise(() => undefined);

/** A service whose parts end at once, save for these. */
function serviceWith(more: object): { running: Running; said: string[]; closed: string[] } {
  const said: string[] = [];
  const closed: string[] = [];
  const ends = (name: string) => async (): Promise<true> => {
    closed.push(name);
    return true;
  };
  const parts = {
    server: { close: ends('server'), server: { closeIdleConnections: () => undefined, closeAllConnections: () => closed.push('cut') } },
    connectors: { close: ends('connectors') },
    runner: { drain: ends('runner') },
    sealer: { drain: ends('sealer') },
    keeper: { stop: () => undefined },
    tokens: { close: ends('tokens') },
    sessions: { close: ends('sessions') },
    database: { close: ends('database') },
    log: { ...silentLogger, error: (_fields: object, message: string) => said.push(message) },
    state: { isStopping: false },
    missed: { stop: () => undefined },
    ...more,
  };
  return { running: parts as unknown as Running, said, closed };
}

it('of what ends by itself takes no time, and closes the database last', async () => {
  const { running, said, closed } = serviceWith({});
  expect(await stopInOrder(running)).toBe(true);
  expect(said).toEqual([]);
  expect(closed.at(-1)).toBe('database');
});

it.each([
  ['requests', { server: { close: never, server: { closeIdleConnections: () => undefined, closeAllConnections: () => undefined } } }],
  ['jobs and deliveries', { runner: { drain: never } }],
  ['the sealing of logs', { sealer: { drain: async () => false } }],
  ['connectors', { connectors: { close: never } }],
  ['the record of tokens and sessions', { tokens: { close: () => Promise.reject(new Error('no database')) } }],
  ['the database', { database: { close: never } }],
])('goes on without %s', async (name, part) => {
  const { running, said, closed } = serviceWith(part);
  const stopping = stopInOrder(running);
  await vi.advanceTimersByTimeAsync(28_100);
  expect(await stopping).toBe(false);
  expect(said.at(-1)).toBe(`stopped without waiting any longer for ${name}; nothing that was acknowledged is lost`);
  expect(name === 'the database' || closed.at(-1) === 'database').toBe(true);
});

it('of a service in which all hangs ends within 28 seconds', async () => {
  const hangs = { drain: never, close: never };
  const server = { ...hangs, server: { closeIdleConnections: () => undefined, closeAllConnections: () => undefined } };
  const { running, said } = serviceWith({
    server,
    runner: hangs,
    sealer: hangs,
    connectors: hangs,
    tokens: hangs,
    sessions: hangs,
    database: hangs,
  });
  const stopping = stopInOrder(running);
  await vi.advanceTimersByTimeAsync(28_100);
  expect(await stopping).toBe(false);
  expect(said.at(-1)).toContain(
    'for requests, the sealing of logs, connectors, jobs and deliveries, the record of tokens and sessions, the database;',
  );
});
