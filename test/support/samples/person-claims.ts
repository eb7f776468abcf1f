/** Sample requests of the operations about what sources ask to change of people. */
import { connectScim, type ScimClient } from '../scim.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;
const sources = new WeakMap<World, Promise<ScimClient>>();

/** A source that pushes somebody whom it did not make; returns the id of the claim. */
async function makeClaim(world: World): Promise<string> {
  const source = sources.get(world) ?? connectScim(world.tenant, `Claiming ${process.pid} ${++counter}`);
  sources.set(world, source);
  const { addUser } = await source;
  const name = `claimed${process.pid}-${++counter}`;
  const { id } = await world.tenant.makePerson(`${name}@x.example`);
  await addUser(name, { emails: [{ value: `${name}@x.example` }] });
  const { body } = await world.call(world.tenant.admin, 'GET', `/api/v1/person_claims?user_id=${id}`);
  return body.list[0].id;
}

const ofClaim: MakeSample = async (world) => ({ path: { id: await makeClaim(world) } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'PersonClaimService.list': () => ({}),
  'PersonClaimService.get': ofClaim,
  'PersonClaimService.accept': ofClaim,
  'PersonClaimService.reject': ofClaim,
  'PersonClaimService.acceptAll': async (world) => {
    await makeClaim(world);
    return { fields: { sourceId: (await sources.get(world))?.connectorId ?? '' } };
  },
};

/** More claims than a page of ten. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await makeClaim(world);
  }
}
