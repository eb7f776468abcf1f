/**
 * SQL that finds the managers of the people in a file: by address, in the file or in the directory, and never in a circle.
 */
import type { Context } from '../../../context.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/** Fills `manager_id` of `import_persons` with whoever has the manager's address, new people of the file among them. */
export async function updateManagers(context: Context): Promise<void> {
  await context.db.run(
    `UPDATE import_persons p SET manager_id = m.id
     FROM (
       SELECT email_key, id FROM import_persons
       UNION ALL
       SELECT u.email_key, u.id FROM users_public u
       WHERE u.tenant_id = $1 AND u.status <> 'DELETED' AND NOT EXISTS (SELECT FROM import_persons f WHERE f.id = u.id)) AS m
     WHERE m.email_key = p.manager_key AND p.manager_key <> '' AND m.id <> p.id`,
    [context.tenantId],
  );
  await context.db.run('ANALYZE import_persons');
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
 * Takes the manager from everybody in the file who would be above themselves, and says who they were. The chains of all managers are
 * followed in steps of 1, 2, 4, ...: whoever still has somebody above them when nothing changes any more leads into a circle, and whoever
 * is then reached is part of one. An organisation 16 deep takes five rounds, however large.
 */
export async function removeCircles(context: Context): Promise<CountedNotes> {
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
