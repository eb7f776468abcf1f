/** SQL of sign-ins from a terminal: the table `device_grants`. */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';

/** State of a sign-in from a terminal (`device_grants.state`). */
export type DeviceState = 'PENDING' | 'APPROVED' | 'DENIED';

/** A sign-in as a program asked for it. */
export interface NewDeviceGrant {
  readonly id: string;
  readonly deviceHash: Buffer;
  readonly userCode: string;
  readonly clientId: string;
  readonly address: string;
  readonly agent: string;
  readonly intervalSeconds: number;
  readonly expiresAt: Date;
}

/** The same with what became of it. */
export interface DeviceGrantRow extends NewDeviceGrant {
  readonly state: DeviceState;
  /** The session that confirmed it; empty before. */
  readonly sessionId: string;
  readonly userId: string;
  readonly polledAt: Date | null;
  readonly createdAt: Date;
}

const columns = sql`g.id, g.device_hash AS "deviceHash", g.user_code AS "userCode", g.client_id AS "clientId", g.address, g.agent, g.state,
  g.session_id AS "sessionId", g.user_id AS "userId", g.interval_seconds AS "intervalSeconds", g.polled_at AS "polledAt",
  g.created_at AS "createdAt", g.expires_at AS "expiresAt"`;

/** Adds one and says whether its user code was free. */
export async function insertDeviceGrant(context: Context, row: NewDeviceGrant): Promise<boolean> {
  const added = await context.db.run(
    sql`INSERT INTO device_grants (tenant_id, id, device_hash, user_code, client_id, address, agent, state, interval_seconds, created_at, expires_at)
      VALUES (${context.tenantId}, ${row.id}, ${row.deviceHash}, ${row.userCode}, ${row.clientId}, ${row.address}, ${row.agent}, 'PENDING',
        ${row.intervalSeconds}, ${context.now}, ${row.expiresAt})
      ON CONFLICT DO NOTHING`,
  );
  return added === 1;
}

/** Finds one by the code that a person typed. */
export function findByUserCode({ db, tenantId }: Context, userCode: string): Promise<DeviceGrantRow | undefined> {
  return db.maybe<DeviceGrantRow>(
    sql`SELECT ${columns} FROM device_grants g WHERE g.tenant_id = ${tenantId} AND g.user_code = ${userCode}`,
  );
}

/** Finds one by the digest of the program's code, and holds it until the end of the transaction. */
export function lockByDevice({ db, tenantId }: Context, deviceHash: Buffer): Promise<DeviceGrantRow | undefined> {
  return db.maybe<DeviceGrantRow>(
    sql`SELECT ${columns} FROM device_grants g WHERE g.tenant_id = ${tenantId} AND g.device_hash = ${deviceHash} FOR UPDATE`,
  );
}

/** Notes what a person said; of two answers the first counts, and the other finds nothing to change. */
export async function updateAnswer({ db, tenantId, actor, now }: Context, id: string, state: 'APPROVED' | 'DENIED'): Promise<boolean> {
  const changed = await db.run(
    sql`UPDATE device_grants SET state = ${state}, session_id = ${actor.credentialId}, user_id = ${actor.userId}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND state = 'PENDING' AND expires_at > ${now}`,
  );
  return changed === 1;
}

/** Notes that the program asked, and how long it has to wait from now on. */
export async function updatePolled({ db, tenantId, now }: Context, id: string, intervalSeconds: number): Promise<void> {
  await db.run(
    sql`UPDATE device_grants SET polled_at = ${now}, interval_seconds = ${intervalSeconds} WHERE tenant_id = ${tenantId} AND id = ${id}`,
  );
}

/** Removes one: its code is spent. */
export async function removeDeviceGrant({ db, tenantId }: Context, id: string): Promise<void> {
  await db.run(sql`DELETE FROM device_grants WHERE tenant_id = ${tenantId} AND id = ${id}`);
}

/** True if one ended before `endedBefore`. */
export function hasOldDeviceGrants({ db, tenantId }: Context, endedBefore: Date): Promise<boolean> {
  return db.value<boolean>(
    sql`SELECT EXISTS (SELECT FROM device_grants g WHERE g.tenant_id = ${tenantId} AND g.expires_at <= ${endedBefore}) AS due`,
  );
}

/** Removes up to so many that ended before `endedBefore`, and returns their number. */
export function removeOldDeviceGrants({ db, tenantId }: Context, endedBefore: Date, limit: number): Promise<number> {
  return db.run(
    sql`DELETE FROM device_grants WHERE tenant_id = ${tenantId} AND id IN
      (SELECT g.id FROM device_grants g WHERE g.tenant_id = ${tenantId} AND g.expires_at <= ${endedBefore}
        ORDER BY g.expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
}
