/** Sample requests of the operations about what people had when they left. */
import { ROLES } from '../../../src/foundation/directory/index.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;

/** Somebody of whom a role is suspended, as if they had left and come back; returns the id. */
async function makeReturned({ tenant }: World): Promise<string> {
  const { id } = await tenant.makePerson(`returned${process.pid}-${++counter}@x.example`);
  await tenant.system().db.run(
    `INSERT INTO suspensions (tenant_id, user_id, kind, object_id, given_at, suspended_at, cause, is_told)
     VALUES ($1, $2, 'ROLE', $3, now(), now(), 'DISABLED', TRUE)`,
    [tenant.id, id, ROLES.READ_ONLY_ADMINISTRATOR.id],
  );
  return id;
}

const ofReturned: MakeSample = async (world) => ({ path: { user_id: await makeReturned(world) } });
/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'SuspensionService.list': async (world) => ({ path: { user_id: world.notes['suspendedUserId'] ?? (await makeReturned(world)) } }),
  'SuspensionService.restore': ofReturned,
  'SuspensionService.listPeople': () => ({}),
};

/** More people, and of one of them more that is suspended, than a page of ten. */
export async function fill(world: World): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    ids.push(await makeReturned(world));
  }
  world.notes['suspendedUserId'] = ids[0] ?? '';
  await world.tenant.system().db.run(
    `INSERT INTO suspensions (tenant_id, user_id, kind, object_id, delegated_user_id, given_at, suspended_at, cause, is_told)
     SELECT $1, $2, 'DELEGATION', other, $2, now(), now(), 'DISABLED', TRUE FROM unnest($3::text[]) other WHERE other <> $2`,
    [world.tenant.id, ids[0], ids],
  );
}
