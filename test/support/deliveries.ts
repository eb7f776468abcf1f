/**
 * Deliveries on a database of their own, and somebody who receives them, for the tests of a file: the tables are empty before each test, and what
 * runs is drained after it.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { type Context, inTransaction, noReactions, silentLogger, systemActor } from '../../src/context.ts';
import {
  createDeliveryRunner,
  type Delivery,
  type DeliveryKind,
  type DeliveryRequest,
  type DeliveryRunner,
  type DeliveryRunnerOptions,
  enqueueDelivery,
} from '../../src/domains/deliveries/index.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A delivery and its place in the queue, as they are stored. */
export interface StoredDelivery extends Delivery {
  /** Null where nobody takes it, undefined where it has no place. */
  readonly runAt: Date | null | undefined;
  readonly leaseToken: string | undefined;
}

/** What tests do with deliveries. */
export interface Deliveries {
  readonly test: TestDatabase;
  readonly receiver: Receiver;
  /** A context that acts as the system for a tenant; `one` unless another is named. */
  context(tenantId?: string, now?: Date): Context;
  start(kinds: Record<string, DeliveryKind>, options?: Partial<DeliveryRunnerOptions>): DeliveryRunner;
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
  let runners: DeliveryRunner[];
  beforeAll(async () => {
    test = await openTestDatabase({ poolSize: 12 });
  });
  beforeEach(async () => {
    runners = [];
    receiver = await startReceiver();
    await test.admin('TRUNCATE deliveries, delivery_queue');
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
      `SELECT d.id, d.kind, d.subject_id AS "subjectId", d.idempotency_key AS "idempotencyKey", d.payload, d.state, d.attempts, d.repeats, d.error,
         d.receipt, d.discard_reason AS "discardReason", d.created_at AS "createdAt", d.updated_at AS "updatedAt", d.ended_at AS "endedAt",
         q.run_at AS "runAt", q.lease_token AS "leaseToken", q.delivery_id AS "queuedId"
       FROM deliveries d LEFT JOIN delivery_queue q ON q.tenant_id = d.tenant_id AND q.delivery_id = d.id WHERE d.id = $1`,
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
      const runner = createDeliveryRunner({
        database: test.database,
        kinds: new Map(Object.entries(kinds)),
        log: silentLogger,
        react: noReactions,
        clock: () => new Date(),
        listTenantIds: async () => ['one', 'two'],
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
