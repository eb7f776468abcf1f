/** Sample requests of the operations about legal holds, erasure and requests that take a second person. */
import { askSecondPerson } from '../../../src/foundation/second-persons/index.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;

/** Sets a hold on a draft of its own, so that it keeps nothing else, and returns its id. */
async function makeHold(world: World): Promise<string> {
  const fields = { accessReviewId: await world.makeDraft(), reason: `World ${++counter}` };
  return (await world.call(world.tenant.admin, 'POST', '/api/v1/legal_holds', fields)).body.hold.id;
}

/** Asks, as nobody who calls, for a new hold to be lifted. */
async function makeRequest(world: World): Promise<string> {
  const subjectId = await makeHold(world);
  const question = { kind: 'LIFT_HOLD', subjectId, reason: 'World', by: 'somebody else' } as const;
  return (await askSecondPerson(world.tenant.system(), question)).id;
}

const ofRequest: MakeSample = async (world) => ({ path: { id: await makeRequest(world) } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'LegalHoldService.list': () => ({}),
  'LegalHoldService.set': async (world) => ({ fields: { accessReviewId: await world.makeDraft(), reason: 'World' } }),
  'LegalHoldService.lift': async (world) => ({ path: { id: await makeHold(world) }, fields: { reason: 'World' } }),
  'SecondPersonService.list': () => ({}),
  'SecondPersonService.get': ofRequest,
  'SecondPersonService.confirm': ofRequest,
  'SecondPersonService.reject': ofRequest,
  'UserErasureService.erase': async (world) => {
    const { id } = await world.tenant.makePerson(`erased-${++counter}-${process.pid}@example.com`);
    return { path: { user_id: id }, fields: { reason: 'World' } };
  },
};

/** Eleven holds and requests, so that each list has more than one page; the holds are lifted again, past the service. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 11; count++) {
    await makeRequest(world);
  }
  const { db, tenantId } = world.tenant.system();
  await db.run('UPDATE legal_holds SET lifted_at = now() WHERE tenant_id = $1', [tenantId]);
}
