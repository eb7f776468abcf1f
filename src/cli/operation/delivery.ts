/** `countersign delivery list|show|repeat|discard`: effects outside the database, and what failed for good, through the API. */
import { type DeliveryJson, DeliveryService } from '../../gen/countersign/v1/deliveries_pb.js';
import { type Commands, formatFacts } from '../frame/commands.ts';
import { UsageError } from '../frame/io.ts';

/** Adds `delivery list`, `delivery show`, `delivery repeat` and `delivery discard`. */
export function addDeliveryCommands(group: Commands): void {
  group.list('list', {
    description: 'list deliveries, the newest first',
    options: {
      '--state <state>': { text: 'only those in this state', choices: ['waiting', 'done', 'dead', 'discarded'] },
      '--kind <kind>': 'only those of this kind',
      '--limit <number>': { text: 'at most so many', fallback: '25' },
    },
    method: DeliveryService.method.list,
    columns: { ID: 'id', KIND: 'kind', ABOUT: 'subjectId', STATE: sayState, ATTEMPTS: 'attempts', CREATED: 'createdAt', ERROR: 'error' },
  });

  group.call('show', {
    description: 'show one delivery: what it refers to, its attempts and its last error',
    operands: { '<id>': 'id of the delivery' },
    method: DeliveryService.method.get,
    text: (delivery) =>
      formatFacts({
        id: delivery.id,
        kind: delivery.kind,
        about: delivery.subjectId,
        key: delivery.idempotencyKey,
        state: sayState(delivery),
        attempts: String(delivery.attempts ?? 0),
        repeats: String(delivery.repeats ?? 0),
        created: delivery.createdAt,
        'next attempt': delivery.nextAttemptAt,
        ended: delivery.endedAt,
        error: delivery.error || undefined,
        discarded: delivery.discardReason || undefined,
        payload: JSON.stringify(delivery.payload ?? {}),
        receipt: JSON.stringify(delivery.receipt ?? {}),
      }),
  });

  group.run('repeat', {
    description: 'try dead deliveries again, at once and with all their attempts',
    operands: { '[id]': 'id of the delivery; left out with --kind' },
    options: { '--kind <kind>': 'the oldest thousand dead deliveries of this kind' },
    act: async ({ id, kind = '' }, session) => {
      if ((id === undefined) === (kind === '')) {
        throw new UsageError('pass either the id of a delivery or --kind');
      }
      if (id === undefined) {
        const { repeatedCount = 0 } = await session.client.call(DeliveryService.method.repeatDead, { kind });
        return { json: { repeatedCount }, text: `Deliveries that are tried again: ${repeatedCount}.` };
      }
      const { delivery } = await session.client.call(DeliveryService.method.repeat, { id });
      return { json: delivery, text: `The delivery ${id} is tried again.` };
    },
  });

  group.call('discard', {
    description: 'give a dead delivery up for good',
    operands: { '<id>': 'id of the delivery' },
    options: { '--reason <text>': { text: 'why nobody needs it any more; the record keeps it', needed: true } },
    method: DeliveryService.method.discard,
    text: (_, { id }) => `The delivery ${id} is discarded.`,
  });
}

/** The state as it is written on the command line. */
function sayState({ state = 'DELIVERY_STATE_UNSPECIFIED', isRunning = false }: DeliveryJson): string {
  return isRunning ? 'running' : state.replace('DELIVERY_STATE_', '').toLowerCase();
}
