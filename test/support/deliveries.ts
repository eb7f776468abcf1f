/**
 * Deliveries on a database of their own, and somebody who receives them, for the tests of a file: the tables are empty before each test, and what
 * runs is drained after it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type Context, inTransaction, noReactions, silentLogger, systemActor } from '../../src/context.ts';
import { cleanDeliveries, createDeliveryEffects, type DeliveryKind, enqueueDelivery } from '../../src/foundation/deliveries/index.ts';
import type { DeliveryRequest } from '../../src/foundation/deliveries/enqueue-delivery.ts';
import type { Delivery } from '../../src/foundation/deliveries/types.ts';
import { createRunner, type Runner } from '../../src/jobs/index.ts';
import type { RunnerOptions } from '../../src/jobs/runner.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A delivery and its place in the queue, as they are stored. */
export interface StoredDelivery extends Delivery {
  /** Null where nobody takes it, undefined where it has no place. */
  readonly runAt: Date | null | undefined;
  readonly leaseToken: string | undefined;
}

/** Tools for tests of deliveries. */
export interface Deliveries {
  readonly test: TestDatabase;
  readonly receiver: Receiver;
  /** A context that acts as the system for a tenant; `one` unless another is named. */
  context(tenantId?: string, now?: Date): Context;
  start(kinds: Record<string, DeliveryKind>, options?: Partial<RunnerOptions>): Runner;
  /** Adds a delivery of the tenant `one`, of the kind `post` to the receiver's /200, under a key of its own, and returns its id. */
  enqueue(more?: Partial<DeliveryRequest> & { tenantId?: string; answer?: string }): Promise<string>;
  read(id: string): Promise<StoredDelivery>;
  untilState(id: string, state: Delivery['state']): Promise<StoredDelivery>;
  /** Kinds and data of the events about a delivery, or about a kind of them. */
  events(targetId: string): Promise<Record<string, unknown>[]>;
}

let counter = 0;

/** Registers the set-up of the file it is called in. */
export function useDeliveries(): Deliveries {
  let test: TestDatabase;
  let receiver: Receiver;
  let runners: Runner[];
  beforeAll(async () => {
    test = await openTestDatabase({ poolSize: 12 });
  });
  beforeEach(async () => {
    runners = [];
    receiver = await startReceiver();
    await test.admin('TRUNCATE deliveries, jobs');
  });
  afterEach(async () => {
    receiver.release();
    await Promise.all(runners.map((runner) => runner.drain(20_000)));
    await receiver.close();
  });
  afterAll(() => test.close());

  const context = (tenantId = 'one', now = new Date()): Context => ({
    db: test.database.tenant(tenantId),
    tenantId,
    actor: systemActor('test'),
    now,
    log: silentLogger,
    react: noReactions,
  });
  const read = async (id: string): Promise<StoredDelivery> => {
    const [row] = await test.admin(
      `SELECT d.id, d.kind, d.subject_id AS "subjectId", d.idempotency_key AS "idempotencyKey", d.payload, d.state, d.repeats, d.error,
         CASE WHEN d.state = 'WAITING' THEN q.attempts ELSE d.attempts END AS attempts,
         d.receipt, d.discard_reason AS "discardReason", d.created_at AS "createdAt", d.updated_at AS "updatedAt", d.ended_at AS "endedAt",
         CASE WHEN q.state = 'WAITING' THEN q.run_at END AS "runAt", q.lease_token AS "leaseToken", q.id AS "queuedId"
       FROM deliveries d LEFT JOIN jobs q ON q.tenant_id = d.tenant_id AND q.lane = 'OUTSIDE' AND q.id = d.id WHERE d.id = $1`,
      [id],
    );
    const { queuedId, ...delivery } = row as unknown as StoredDelivery & { queuedId: string | null };
    return queuedId === null ? { ...delivery, runAt: undefined, leaseToken: undefined } : delivery;
  };
  return {
    get test() {
      return test;
    },
    get receiver() {
      return receiver;
    },
    context,
    start(kinds, options = {}) {
      const parts = { database: test.database, log: silentLogger, react: noReactions };
      const runner = createRunner({
        ...parts,
        effects: createDeliveryEffects(new Map(Object.entries(kinds))),
        clock: () => new Date(),
        removeEnded: (before) => cleanDeliveries(parts, ['one', 'two'], before),
        pollMs: 50,
        ...options,
      });
      runners.push(runner);
      runner.start();
      return runner;
    },
    enqueue({ tenantId, answer = '200', ...more } = {}) {
      const request = {
        kind: 'post',
        subjectId: 'subject',
        idempotencyKey: `key ${++counter}`,
        payload: { url: receiver.url(answer) },
        ...more,
      };
      return inTransaction(context(tenantId), (inside) => enqueueDelivery(inside, request));
    },
    read,
    untilState(id, state) {
      return vi.waitFor(
        async () => {
          const delivery = await read(id);
          expect(delivery.state).toBe(state);
          return delivery;
        },
        { timeout: 60_000, interval: 20 },
      );
    },
    events: (targetId) => test.admin('SELECT kind, target_type, data FROM events WHERE target_id = $1 ORDER BY id', [targetId]),
  };
}
