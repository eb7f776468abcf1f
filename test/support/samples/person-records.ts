/** Sample requests of the operations about records of people. */
import { connectScim, type ScimClient } from '../scim.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;
const sources = new WeakMap<World, Promise<ScimClient>>();

/** A source that pushes two users of one address whom it calls differently; returns the id of the second one's record. */
async function makeDisputed(world: World): Promise<string> {
  const source = sources.get(world) ?? connectScim(world.tenant, `Disputing ${process.pid} ${++counter}`);
  sources.set(world, source);
  const { addUser, connectorId } = await source;
  const name = `disputed${process.pid}-${++counter}`;
  const emails = [{ value: `${name}@x.example` }];
  await addUser(name, { externalId: name, emails });
  await addUser(`other-${name}`, { externalId: `other-${name}`, emails });
  const { body } = await world.call(world.tenant.admin, 'GET', `/api/v1/identity/disputed?source_id=${connectorId}&page_size=100`);
  return body.list.at(-1).id;
}

const ofRecord = async (world: World): Promise<{ path: { id: string } }> => ({ path: { id: await makeDisputed(world) } });

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'PersonRecordService.list': () => ({}),
  'PersonRecordService.listDisputed': () => ({}),
  'PersonRecordService.get': ofRecord,
  'PersonRecordService.answer': async (world) => ({
    ...(await ofRecord(world)),
    fields: { verdict: 'PERSON_RECORD_VERDICT_NEW_PERSON' },
  }),
};

/** More disputed records than a page of ten. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await makeDisputed(world);
  }
}
