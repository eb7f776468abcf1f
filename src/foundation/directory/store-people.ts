/**
 * SQL that writes people as sources report them: set by set. The sets come as pieces of SQL, so that a file and an identity provider's push go
 * through the same statements.
 */
import type { Context } from '../../context.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import { recordSuspensions } from './suspension/index.ts';

/**
 * Adds people and returns how many; CONFLICT where somebody has an address. `rows` selects `id`, `email`, `email_key`, `display_name`,
 * `status`, `employment_status`, `department`, `job_title`, `username`, `employee_id`, `external_id`, `employment_type`, `manager_id`,
 * `profile` and `source`.
 */
export function insertPeople(context: Context, rows: Sql): Promise<number> {
  return context.db.run(
    sql`INSERT INTO users (tenant_id, id, email, email_key, display_name, status, employment_status, department, job_title, username, employee_id,
        external_id, employment_type, manager_id, profile, source, created_at, updated_at)
      SELECT ${context.tenantId}, r.id, r.email, r.email_key, r.display_name, r.status, r.employment_status, r.department, r.job_title,
        r.username, r.employee_id, r.external_id, r.employment_type, r.manager_id, r.profile, r.source, ${context.now}, ${context.now}
      FROM (${rows}) AS r`,
  );
}

/**
 * Makes people say this, and returns how many said something else or were deleted; the others are not touched. `rows` selects what
 * insertPeople takes; `employment_status`, `username`, `employee_id`, `external_id`, `employment_type` and `profile` may be null, and then
 * stay as they are. CONFLICT where somebody else has an address.
 */
export async function updatePeople(context: Context, rows: Sql): Promise<number> {
  // Of two people whose addresses an upgrade found to be one, the other one keeps the key that is left while both say what they said.
  const key = sql`CASE WHEN u.email_key NOT IN (p.email_key, '') AND u.email = p.email AND EXISTS (SELECT FROM users o
    WHERE o.tenant_id = ${context.tenantId} AND o.email_key = p.email_key AND o.email_key <> '') THEN u.email_key ELSE p.email_key END`;
  const changed = await context.db.run(
    sql`UPDATE users u SET email = p.email, email_key = ${key}, display_name = p.display_name, status = p.status,
        employment_status = coalesce(p.employment_status, u.employment_status), department = p.department, job_title = p.job_title,
        username = coalesce(p.username, u.username), employee_id = coalesce(p.employee_id, u.employee_id),
        external_id = coalesce(p.external_id, u.external_id), employment_type = coalesce(p.employment_type, u.employment_type),
        manager_id = p.manager_id, profile = coalesce(p.profile, u.profile), source = p.source, updated_at = ${context.now}, deleted_at = NULL
      FROM (${rows}) AS p
      WHERE u.tenant_id = ${context.tenantId} AND u.id = p.id
        AND (u.email, u.email_key, u.display_name, u.status, u.employment_status, u.department, u.job_title, u.username, u.employee_id,
            u.external_id, u.employment_type, u.manager_id, u.profile, u.source, u.deleted_at)
          IS DISTINCT FROM (p.email, ${key}, p.display_name, p.status, coalesce(p.employment_status, u.employment_status), p.department,
            p.job_title, coalesce(p.username, u.username), coalesce(p.employee_id, u.employee_id), coalesce(p.external_id, u.external_id),
            coalesce(p.employment_type, u.employment_type), p.manager_id, coalesce(p.profile, u.profile), p.source, NULL::timestamptz)`,
  );
  if (changed > 0) {
    await recordSuspensions(context);
  }
  return changed;
}

/** Disables the enabled people `u` for whom `where` holds and returns how many they were. */
export async function updateDisabledPeople(context: Context, where: Sql): Promise<number> {
  const disabled = await context.db.run(
    sql`UPDATE users u SET status = 'DISABLED', updated_at = ${context.now}
      WHERE u.tenant_id = ${context.tenantId} AND u.status = 'ENABLED' AND (${where})`,
  );
  if (disabled > 0) {
    await recordSuspensions(context);
  }
  return disabled;
}

/**
 * Takes their addresses from people who left: somebody else has them now. `who` selects `id`. An event of the address ends what was signed in by it;
 * nobody is told by mail, since the mail would reach who has the address now.
 */
export async function releaseAddresses(context: Context, who: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE users u SET email = '', email_key = '', updated_at = ${context.now} WHERE u.tenant_id = ${context.tenantId} AND u.id IN (${who})
      AND u.email_key <> ''`,
  );
}

/** Makes room for addresses that move from one person to another in one statement: of those whom `who` selects, nobody is found by theirs until then. */
export async function vacateAddresses(context: Context, who: Sql): Promise<void> {
  await context.db.run(
    sql`UPDATE users u SET email_key = '' WHERE u.tenant_id = ${context.tenantId} AND u.id IN (${who}) AND u.email_key <> ''`,
  );
}

/**
 * Takes people out of every list and returns how many they were. Their rows stay, since evidence and events name them; a source that reports them again
 * brings them back, without what they held.
 */
export async function removePeople(context: Context, ids: readonly string[]): Promise<number> {
  const { db, tenantId, now } = context;
  const removed = await db.run(
    sql`UPDATE users SET status = 'DELETED', deleted_at = ${now}, updated_at = ${now} WHERE tenant_id = ${tenantId} AND id = ANY (${ids})
      AND status <> 'DELETED'`,
  );
  if (removed > 0) {
    await recordSuspensions(context);
  }
  return removed;
}

/** Converts the values of a profile attribute to the type it was given, as far as they fit. How many people had another one before. */
export function updateUserProfiles(context: Context, name: string, type: string): Promise<number> {
  const typed = sql`typed_profile(profile, jsonb_build_object(${name}::text, ${type}::text))`;
  return context.db.run(
    sql`UPDATE users SET profile = ${typed} WHERE tenant_id = ${context.tenantId} AND profile ? ${name} AND ${typed} <> profile`,
  );
}
