/**
 * Sample requests of the operations about deliveries. No request adds one, so they are added as the modules do it.
 */
import { inTransaction } from '../../../src/context.ts';
import { enqueueDelivery } from '../../../src/foundation/deliveries/index.ts';
import type { ServedTenant } from '../server.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;

/** Adds a delivery that is dead, without anybody having tried it, and returns its id. */
export async function makeDeadDelivery(tenant: ServedTenant, kind = 'sample'): Promise<string> {
  const request = { kind, subjectId: 'World', idempotencyKey: `sample ${process.pid} ${++counter}`, payload: { taskId: 'World' } };
  const context = tenant.system();
  const id = await inTransaction(context, (inside) => enqueueDelivery(inside, request));
  await context.db.run(
    "UPDATE deliveries SET state = 'DEAD', attempts = 16, error = 'World', ended_at = $3 WHERE tenant_id = $1 AND id = $2",
    [tenant.id, id, context.now],
  );
  await context.db.run("UPDATE jobs SET state = 'FAILED' WHERE tenant_id = $1 AND id = $2", [tenant.id, id]);
  return id;
}

const ofDead =
  (fields: object = {}): MakeSample =>
  async (world) => ({ path: { id: await makeDeadDelivery(world.tenant) }, fields: { ...fields } });

async function makeTwelve(world: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await makeDeadDelivery(world.tenant);
  }
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'DeliveryService.list': async (world) => {
    await makeTwelve(world);
    return {};
  },
  'DeliveryService.get': ofDead(),
  'DeliveryService.repeat': ofDead(),
  'DeliveryService.repeatDead': () => ({ fields: { kind: 'no such kind' } }),
  'DeliveryService.discard': ofDead({ reason: 'Not needed.' }),
};
