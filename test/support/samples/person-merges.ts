/** Sample requests of the operations that merge and split people. */
import { connectScim, type ScimClient } from '../scim.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;
const sources = new WeakMap<World, Promise<ScimClient>>();

/** Somebody whom one provider pushes twice; returns the id, and those of the records. */
async function makeTwofold(world: World): Promise<{ id: string; recordIds: string[] }> {
  const source = sources.get(world) ?? connectScim(world.tenant, `Twofold ${process.pid} ${++counter}`);
  sources.set(world, source);
  const { addUser, connectorId } = await source;
  const name = `twofold${process.pid}-${++counter}`;
  const emails = [{ value: `${name}@x.example` }];
  await addUser(name, { emails });
  await addUser(`admin-${name}`, { emails });
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/search/users', { email: `${name}@x.example` });
  const { id } = body.list[0].user;
  const records = await world.call(world.tenant.admin, 'GET', `/api/v1/identity/records?user_id=${id}&source_id=${connectorId}`);
  return { id, recordIds: records.body.list.map((one: { id: string }) => one.id) };
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'PersonMergeService.merge': async ({ tenant }) => ({
    path: { user_id: (await tenant.makePerson(`merged${process.pid}-${++counter}@x.example`)).id },
    fields: { intoUserId: (await tenant.makePerson(`merging${process.pid}-${++counter}@x.example`)).id },
  }),
  'PersonMergeService.split': async (world) => {
    const { id, recordIds } = await makeTwofold(world);
    return { path: { user_id: id }, fields: { recordIds: recordIds.slice(1) } };
  },
};
