/**
 * SQL that finds the managers of the people in a file: by address, in the file or in the directory, and never in a circle.
 */
import type { Context } from '../../../context.ts';
import { sql } from '../../../lib/sql.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/**
 * Gives each person of the file an id, their status and their manager: `import_persons`, without those of whom it is disputed who they are. The manager is
 * whoever has the manager's address, new people of the file among them; `is_moved` says that it is another one than until now. Who has no address in the
 * file, or one of somebody else, keeps that of the directory. Behind the release of the addresses of leavers.
 */
export async function stageManagers(context: Context): Promise<void> {
  const { db, tenantId } = context;
  await db.run(`CREATE TEMP TABLE import_persons (
      id text COLLATE "C" NOT NULL, is_new boolean NOT NULL, line bigint NOT NULL, email_key text COLLATE "C" NOT NULL,
      manager_key text COLLATE "C" NOT NULL, is_active boolean NOT NULL, manager_id text COLLATE "C", is_moved boolean NOT NULL) ON COMMIT DROP`);
  await db.run(
    sql`UPDATE import_people p SET email = u.email, email_key = u.email_key
      FROM import_records r JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = r.user_id
      WHERE r.line = p.line AND (r.email_key = '' OR r.keeps_email) AND p.email_key <> u.email_key`,
  );
  // Of whom no other record says anything, the row alone does: see import_status.
  await db.run(
    sql`WITH named AS MATERIALIZED (
        SELECT r.user_id AS id, r.outcome = 'NEW' AS is_new, p.line, p.email_key, p.manager_key,
          CASE WHEN s.user_id IS NULL THEN p.employment_status <> 'TERMINATED' ELSE coalesce(s.status, u.status, 'ENABLED') = 'ENABLED' END AS is_active,
          u.manager_id AS present_id
        FROM import_people p JOIN import_records r ON r.line = p.line
        LEFT JOIN import_status s ON s.user_id = r.user_id
        LEFT JOIN users_public u ON u.tenant_id = ${tenantId} AND u.id = r.user_id
        WHERE r.user_id IS NOT NULL AND r.is_first)
      INSERT INTO import_persons
      SELECT n.id, n.is_new, n.line, n.email_key, n.manager_key, n.is_active, m.id, m.id IS NOT NULL AND m.id IS DISTINCT FROM n.present_id
      FROM named n LEFT JOIN named m ON m.email_key = n.manager_key AND m.email_key <> '' AND m.id <> n.id`,
  );
  await db.run('ANALYZE import_persons');
  const { missing } = await db.one<{ readonly missing: boolean }>(
    `SELECT EXISTS (SELECT FROM import_persons WHERE manager_key <> '' AND manager_id IS NULL) AS missing`,
  );
  if (missing) {
    await db.run(
      sql`UPDATE import_persons p SET manager_id = u.id, is_moved = true FROM users_public u
        WHERE p.manager_id IS NULL AND p.manager_key <> '' AND u.tenant_id = ${tenantId} AND u.email_key = p.manager_key AND u.status <> 'DELETED'
          AND u.id <> p.id AND NOT EXISTS (SELECT FROM import_persons f WHERE f.id = u.id)`,
    );
  }
}

/** People of the file whose manager nobody knows, or who name themselves. */
export async function findUnknownManagers(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT line, 'manager_email' AS column, count(*) OVER () AS count,
         CASE WHEN manager_key = email_key THEN 'nobody is their own manager: no manager is set'
           ELSE 'nobody has the address ' || to_json(manager_key)::text || ': no manager is set' END AS reason
       FROM import_persons WHERE manager_key <> '' AND manager_id IS NULL
       ORDER BY line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/**
 * Takes the manager from everybody in the file who would be above themselves, and says who they were; nothing where nobody gets another manager: there
 * are no circles in the directory. The chains of all managers are
 * followed in steps of 1, 2, 4, ...: whoever still has somebody above them when nothing changes any more leads into a circle, and whoever
 * is then reached is part of one. An organisation 16 deep takes five rounds, however large.
 */
export async function removeCircles(context: Context): Promise<CountedNotes> {
  const moved = await context.db.one<{ readonly is: boolean }>('SELECT EXISTS (SELECT FROM import_persons WHERE is_moved) AS is');
  if (!moved.is) {
    return { count: 0, notes: [] };
  }
  let remaining = await insertChains(context);
  let [from, to] = ['import_chain_a', 'import_chain_b'];
  let isCircular = false;
  for (let step = 1; remaining > 0 && !(isCircular && step >= remaining); step *= 2) {
    // The names are the two above, nothing from outside.
    const left = await context.db.run(`INSERT INTO ${to} SELECT a.id, b.above FROM ${from} a JOIN ${from} b ON b.id = a.above`, []);
    await context.db.run(`TRUNCATE ${from}; ANALYZE ${to}`);
    [from, to] = [to, from];
    isCircular = left === remaining;
    remaining = left;
  }
  if (remaining === 0) {
    return { count: 0, notes: [] };
  }
  const rows = await context.db.rows<CountedNoteRow>(
    `WITH broken AS (
       UPDATE import_persons p SET manager_id = NULL
       WHERE p.manager_id IS NOT NULL AND p.id IN (SELECT above FROM ${from}) RETURNING p.line)
     SELECT line, 'manager_email' AS column, 'the managers go round in a circle: no manager is set' AS reason, count(*) OVER () AS count
     FROM broken ORDER BY line LIMIT $1`,
    [maxNotesTold],
  );
  return collectNotes(rows);
}

/** Writes who is directly above whom once the file is in: those in the file as it says, the others as they are. Returns how many have a manager. */
async function insertChains(context: Context): Promise<number> {
  await context.db.run(`CREATE TEMP TABLE import_chain_a (id text COLLATE "C" NOT NULL, above text COLLATE "C" NOT NULL) ON COMMIT DROP;
    CREATE TEMP TABLE import_chain_b (id text COLLATE "C" NOT NULL, above text COLLATE "C" NOT NULL) ON COMMIT DROP`);
  const count = await context.db.run(
    `INSERT INTO import_chain_a
     SELECT id, manager_id FROM import_persons WHERE manager_id IS NOT NULL
     UNION ALL
     SELECT u.id, u.manager_id FROM users_public u
     WHERE u.tenant_id = $1 AND u.manager_id IS NOT NULL AND NOT EXISTS (SELECT FROM import_persons p WHERE p.id = u.id)`,
    [context.tenantId],
  );
  await context.db.run('ANALYZE import_chain_a');
  return count;
}
