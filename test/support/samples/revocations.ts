/**
 * Sample requests of the operations about revocations. No request makes one by itself: a denial in the open review does, so they are added as
 * that leaves them.
 */
import { sendFile, type World } from '../world.ts';
import type { MakeSample } from './sample.ts';

let counter = 0;

/** Adds a removal of the open review in this state, of an account that is not there any more, and returns its id. */
export async function makeRevocation(world: World, state = 'IN_PROGRESS'): Promise<string> {
  const { db, tenantId, now } = world.tenant.system();
  const id = `revocation${String(process.pid).padStart(9, '0')}${String(++counter).padStart(8, '0')}`;
  await db.run(
    `INSERT INTO revocations (tenant_id, id, review_id, app_id, entitlement_id, account_id, state, state_at, source_no, requested_at, started_at,
       claimed_by_id, claimed_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $8, $8, 'somebody else', $8, $8, $8)`,
    [tenantId, id, world.openId, world.appId, world.entitlementId, `account of ${id}`, state, now],
  );
  return id;
}

const ofOne =
  (state: string): MakeSample =>
  async (world) => ({ path: { id: await makeRevocation(world, state) } });

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';

/** Access that nobody asked to remove yet, in an app of its own; it is the first person's of the World. */
async function makeHeld(world: World): Promise<{ appId: string; appEntitlementId: string; appUserId: string }> {
  const accounts = Array.from(
    { length: ++counter },
    (_, number) => `removed${number + 1},p00@world.example,USER,ENABLED,role,Removed,member,,`,
  );
  const path = '/api/v1/imports/grants?app=Removed&allow_removals=true';
  await sendFile(world.tenant, world.tenant.admin, path, [header, ...accounts].join('\n'));
  const { db, tenantId } = world.tenant.system();
  // Whoever owns the app of the World owns this one.
  await db.run(
    `INSERT INTO app_owners (tenant_id, app_id, user_id, created_at, place, role_slug)
     SELECT $1, p.id, o.user_id, o.created_at, o.place, o.role_slug FROM app_owners o
       JOIN apps p ON p.tenant_id = $1 AND p.display_name = 'Removed' WHERE o.tenant_id = $1 AND o.app_id = $2
     ON CONFLICT DO NOTHING`,
    [tenantId, world.appId],
  );
  return db.one(
    `SELECT a.app_id AS "appId", a.id AS "appUserId", e.id AS "appEntitlementId" FROM accounts a
     JOIN apps p ON p.tenant_id = $1 AND p.id = a.app_id AND p.display_name = 'Removed'
     JOIN entitlements e ON e.tenant_id = $1 AND e.app_id = a.app_id AND NOT e.is_app_access
     WHERE a.tenant_id = $1 AND a.external_id = $2`,
    [tenantId, `removed${counter}`],
  );
}

/** Eleven rows and more, so that the list has more than one page. */
export async function fill(world: World): Promise<void> {
  for (let count = 0; count < 12; count++) {
    await makeRevocation(world);
  }
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'RevocationService.list': () => ({}),
  'RevocationService.count': () => ({}),
  'RevocationService.get': ofOne('IN_PROGRESS'),
  'RevocationService.claim': ofOne('IN_PROGRESS'),
  'RevocationService.confirm': ofOne('CLAIMED'),
  'RevocationService.retry': ofOne('ERROR'),
  'TaskService.createRevokeTask': async (world) => ({ fields: { ...(await makeHeld(world)), description: 'Left the team' } }),
};
