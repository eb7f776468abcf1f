/**
 * Figures: fifty monitors of sixty-four entitlements each over every grant: the look at everybody that a full import calls for, from the change that
 * calls for it to the last alert written with its event, and the look after a change of one grant.
 */
import { AppEntitlementService } from '../src/gen/c1/api/app/v1/app_entitlement_service_pb.js';
import { emailOf } from './data/company.ts';
import { atMost, type Figure, type FigureResult, seconds } from './figure.ts';
import type { World } from './data/world.ts';

const monitors = 50;
const groupSize = 32;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Enabled monitors straight in the database: over the API each is looked for at once, which is not what is measured. */
export async function addMonitors(world: World): Promise<void> {
  const appId = await world.appId();
  const superuser = await world.server.superuser();
  try {
    await superuser.query(
      `WITH added AS (
         INSERT INTO countersign.conflict_monitors (tenant_id, id, display_name, enabled, set_a_id, set_b_id, created_at, updated_at)
         SELECT a.tenant_id, 'bench-monitor-' || n, 'Monitor ' || n, true, 'a-' || n, 'b-' || n, now(), now()
         FROM countersign.apps a, generate_series(1, $2::int) n WHERE a.id = $1 RETURNING tenant_id, id, set_a_id),
       numbered AS (
         SELECT e.id, row_number() OVER (ORDER BY e.id) - 1 AS n, count(*) OVER () AS entitlements FROM countersign.entitlements e
         WHERE e.app_id = $1 AND e.deleted_at IS NULL AND NOT e.is_app_access)
       INSERT INTO countersign.conflict_entitlements (tenant_id, monitor_id, app_id, entitlement_id, side, created_at)
       SELECT m.tenant_id, m.id, $1, e.id, CASE WHEN s < $3 THEN 'A' ELSE 'B' END, now()
       FROM added m CROSS JOIN generate_series(0, 2 * $3::int - 1) s
       JOIN numbered e ON e.n = (substring(m.id FROM '\\d+$')::int * 997 + s * 31) % e.entitlements
       ON CONFLICT DO NOTHING`,
      [appId, monitors, groupSize],
    );
    await superuser.query('ANALYZE countersign.conflict_entitlements, countersign.conflict_monitors');
  } finally {
    await superuser.end();
  }
}

/** Seconds from a manual grant to the end of the look that follows it. */
async function look(world: World, person: number, isWhole: boolean): Promise<number> {
  const { admin } = world.server;
  const appId = await world.appId();
  const superuser = await world.server.superuser();
  const ask = async (text: string): Promise<number> => Number((await superuser.query<{ n: string }>(text)).rows[0]?.n ?? 0);
  try {
    const made = await admin.call(AppEntitlementService.method.create, { appId, displayName: `Manual ${person}` });
    const entitlementId = made.appEntitlementView?.appEntitlement?.id ?? '';
    const { rows } = await superuser.query<{ id: string }>('SELECT id FROM countersign.users WHERE email_key = $1', [emailOf(person)]);
    if (isWhole) {
      // As if nothing had been looked at: what a full import leaves behind.
      await superuser.query(`INSERT INTO countersign.conflict_detections (tenant_id, revision, created_at)
        SELECT tenant_id, 0, now() FROM countersign.apps LIMIT 1 ON CONFLICT (tenant_id) DO UPDATE SET revision = 0`);
    }
    const begun = performance.now();
    await admin.call(AppEntitlementService.method.addManuallyManagedMembers, {
      appId,
      appEntitlementId: entitlementId,
      userIds: [rows[0]?.id ?? ''],
    });
    const until = await ask('SELECT max(revision) AS n FROM countersign.inventory_revisions');
    while ((await ask('SELECT revision AS n FROM countersign.conflict_detections')) < until) {
      await pause(10);
    }
    return (performance.now() - begun) / 1000;
  } finally {
    await superuser.end();
  }
}

/** The whole look within ten seconds, the small one within one. */
export const measureConflicts: Figure = async (open) => {
  const world = await open();
  await addMonitors(world);
  const whole = await look(world, 1, true);
  const again = await look(world, 2, true);
  const small = await look(world, 3, false);
  const superuser = await world.server.superuser();
  const { rows } = await superuser.query<{ n: string }>('SELECT count(*) AS n FROM countersign.conflict_alerts');
  // What follows is measured without them.
  await superuser.query('UPDATE countersign.conflict_monitors SET enabled = false');
  await superuser.end();
  const grants = world.size.grants.toLocaleString('en');
  const result = (title: string, ours: number, limit: number): FigureResult =>
    atMost(1, { title, ours: seconds(ours), peer: `${limit} s`, ratio: ours / limit }, `times ${limit} s`);
  return [
    result(
      `${monitors} monitors over ${grants} grants after a full import, ${Number(rows[0]?.n).toLocaleString('en')} new alerts`,
      whole,
      10,
    ),
    result('the same again, nothing changed', again, 10),
    result('the look after a change of one grant', small, 1),
  ];
};
