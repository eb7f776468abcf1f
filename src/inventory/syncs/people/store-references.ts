/**
 * SQL about people of a file who are named without an address: by employee id, and managers by name, number or user name. A name that several
 * people have names nobody.
 */
import type { Context } from '../../../context.ts';
import { type CountedNoteRow, type CountedNotes, collectNotes, maxNotesTold } from '../values/index.ts';

/** People of the file without an address whose employee id another row has, too. */
export async function findUnclearPeople(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT p.line, 'employee_id' AS column, count(*) OVER () AS count,
         'the person has no address, and the employee id ' || to_json(p.employee_id)::text || ' stands on line ' || o.line || ', too' AS reason
       FROM import_people p
       CROSS JOIN LATERAL (SELECT min(o.line) AS line FROM import_people o WHERE o.employee_id = p.employee_id AND o.line <> p.line) AS o
       WHERE p.email_key = '' AND o.line IS NOT NULL
       ORDER BY p.line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}

/**
 * Takes the address from rows that are TERMINATED and have an employee id, where a row with another one has it, too: it was given again. Not where
 * somebody has it of whom the id is not known: without the address nobody could tell any more that the row is theirs.
 */
export async function freeAddressesOfEnded(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `WITH freed AS (
         UPDATE import_people p SET email = '', email_key = '' FROM import_people o
         WHERE p.employment_status = 'TERMINATED' AND p.employee_id <> '' AND p.email_key <> '' AND o.email_key = p.email_key
           AND o.employee_id <> '' AND o.employee_id <> p.employee_id
           AND (EXISTS (SELECT FROM users_public u WHERE u.tenant_id = $2 AND u.employee_id = p.employee_id AND u.employee_id <> '')
             OR NOT EXISTS (SELECT FROM users_public u WHERE u.tenant_id = $2 AND u.email_key = p.email_key AND u.email_key <> ''))
         RETURNING p.line, o.email, o.line AS other)
       SELECT line, 'email' AS column, count(*) OVER () AS count, to_json(email)::text || ' stands on line ' || other
         || ', too: this person left, and is known by the employee id' AS reason
       FROM freed ORDER BY line LIMIT $1`,
      [maxNotesTold, context.tenantId],
    ),
  );
}

/** A person as a reference names them: `Sample, Ann (1001)` is Ann Sample; see people-rows.ts. */
const plainName = (column: string): string =>
  `regexp_replace(regexp_replace(fold_case(name_key(${column})), '\\s*\\([^)]*\\)$', ''), '^([^,]+),\\s*([^,]+)$', '\\2 \\1')`;

/**
 * Fills `manager_id` of `import_persons` with the one person a reference names, people of the file among them. What only one person has goes first: an
 * employee id, also one in brackets behind a name, then a user name, then the name.
 */
export async function updateReferredManagers(context: Context): Promise<void> {
  const { are } = await context.db.one<{ readonly are: boolean }>(
    `SELECT EXISTS (SELECT FROM import_people WHERE manager_ref <> '') AS are`,
  );
  if (!are) {
    return;
  }
  await context.db.run(
    `WITH referred AS (
       SELECT line, fold_case(manager_ref) AS name, false AS is_id FROM import_people WHERE manager_ref <> ''
       UNION ALL SELECT line, fold_case(manager_no), true FROM import_people WHERE manager_no <> ''),
     everybody AS (
       SELECT n.id, f.employee_id, address_key(f.username) AS username_key, f.display_name FROM import_people f JOIN import_persons n ON n.line = f.line
       UNION ALL
       SELECT u.id, u.employee_id, u.username_key, u.display_name FROM users_public u
       WHERE u.tenant_id = $1 AND u.status <> 'DELETED' AND u.user_type = 'HUMAN' AND NOT EXISTS (SELECT FROM import_persons n WHERE n.id = u.id)),
     names AS (
       SELECT id, fold_case(employee_id) AS name, 1 AS kind FROM everybody UNION SELECT id, username_key, 2 FROM everybody
       UNION SELECT id, ${plainName('display_name')}, 3 FROM everybody),
     meant AS (
       SELECT name, kind, min(id) AS id FROM (
         SELECT n.*, rank() OVER (PARTITION BY name ORDER BY kind) AS place FROM names n WHERE name IN (SELECT name FROM referred)) AS n
       WHERE place = 1 GROUP BY name, kind HAVING count(DISTINCT id) = 1),
     found AS (
       SELECT DISTINCT ON (r.line) r.line, m.id FROM referred r JOIN meant m ON m.name = r.name AND (m.kind = 1 OR NOT r.is_id)
       ORDER BY r.line, r.is_id DESC)
     UPDATE import_persons p SET manager_id = f.id, is_moved = true FROM found f WHERE p.line = f.line AND f.id <> p.id`,
    [context.tenantId],
  );
}

/** People of the file whose manager is named, and by whom nobody or several people can be meant. */
export async function findUnclearManagers(context: Context): Promise<CountedNotes> {
  return collectNotes(
    await context.db.rows<CountedNoteRow>(
      `SELECT f.line, 'manager_email' AS column, count(*) OVER () AS count,
         'nobody, or more than one person, is named ' || to_json(f.manager_ref)::text || ': no manager is set' AS reason
       FROM import_people f JOIN import_persons p ON p.line = f.line
       WHERE f.manager_ref <> '' AND p.manager_id IS NULL
       ORDER BY f.line LIMIT $1`,
      [maxNotesTold],
    ),
  );
}
