/**
 * Fitness of a migrated database to be served: the role, its rights, row-level security on every table of a tenant, and whether all of a restored
 * dump is there. What is missing is named with the statement that mends it.
 */
import { AppError } from '../errors.ts';
import { listAccessChanges } from './access.ts';
import { schemaName } from './pool.ts';
import type { Database, Db } from './types.ts';

/** The tables with a tenant that stand outside row-level security on purpose, and why. Part of the design: do not add to it lightly. */
export const outsideRowLevelSecurity: Readonly<Record<string, string>> = {
  tenants: 'read before the tenant of a request is known',
  tenant_hosts: 'read before the tenant of a request is known',
  jobs: 'one queue for all tenants; a worker takes what is due of whichever tenant. What a delivery is stands under row-level security',
  tenant_erasures: 'receipts of tenants that are no more; they name nobody',
  search_texts: 'no index answers LIKE or @> under row-level security; read by functions that refuse other tenants alone',
};

/** Limit of an error's list: it is read by a person. */
const maxListed = 20;

/** FAILED_PRECONDITION with everything that is wrong and the SQL that mends it, where the database is not fit to be served. */
export async function checkDatabase(database: Database): Promise<void> {
  const db = database.system();
  const { role } = await db.one<{ role: string }>('SELECT current_user AS role');
  const statements = [...(await listRoleChanges(db)), ...(await listGuardChanges(db)), ...(await listAccessChanges(db, role))];
  const keyless = await listTablesWithoutKey(db);
  const problems = [
    ...(keyless.length === 0
      ? []
      : [
          `What was restored is incomplete: no primary key on ${keyless.join(', ')}. Drop the schema ${schemaName} and restore a complete dump.`,
        ]),
    ...(statements.length === 0
      ? []
      : [`The role ${role} or the schema ${schemaName} is not as it must be. Run as a superuser in this database, and start again:`]),
    ...statements.slice(0, maxListed).map((statement) => `  ${statement};`),
    ...(statements.length > maxListed ? [`  -- and ${statements.length - maxListed} more`] : []),
  ];
  if (problems.length > 0) {
    throw new AppError('FAILED_PRECONDITION', problems.join('\n'));
  }
}

/** The role itself: not too powerful, the owner of nothing where another role owns the schema, and able to make temporary tables. */
function listRoleChanges(db: Db): Promise<string[]> {
  return db.column<string>(
    `SELECT format('ALTER ROLE %I NOSUPERUSER NOBYPASSRLS', r.rolname) AS change FROM pg_roles r
     WHERE r.rolname = current_user AND (r.rolsuper OR r.rolbypassrls)
     UNION ALL
     SELECT format('ALTER TABLE %I.%I OWNER TO %I', n.nspname, c.relname, pg_get_userbyid(n.nspowner))
     FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND c.relowner <> n.nspowner
     WHERE n.nspname = $1 AND c.relowner = current_user::regrole
     UNION ALL
     SELECT format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), current_user)
     WHERE NOT has_database_privilege(current_database(), 'TEMPORARY')`,
    [schemaName],
  );
}

/** FORCE binds the owner alone, so it has to be there where the role may act as the owner; the rest is needed everywhere. */
async function listGuardChanges(db: Db): Promise<string[]> {
  const rows = await db.rows<{ changes: string[] }>(
    `SELECT ARRAY[
       CASE WHEN NOT t.relrowsecurity OR NOT t.forced THEN format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', t.name) END,
       CASE WHEN NOT t.guarded THEN format('CREATE POLICY tenant ON %s USING (tenant_id = (SELECT %I.current_tenant_id())) WITH CHECK (tenant_id = (SELECT %I.current_tenant_id()))', t.name, $1::text, $1) END
     ] AS changes
     FROM (
       SELECT c.relname, format('%I.%I', $1::text, c.relname) AS name, c.relrowsecurity,
         c.relforcerowsecurity OR NOT pg_has_role(c.relowner, 'MEMBER') AS forced,
         EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive) AS guarded
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
       WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($2)
     ) t
     WHERE NOT (t.relrowsecurity AND t.forced AND t.guarded) ORDER BY t.relname`,
    [schemaName, Object.keys(outsideRowLevelSecurity)],
  );
  return rows.flatMap(({ changes }) => changes.filter((change) => change !== null));
}

/** Keys come last in a dump: without them, it broke off. */
function listTablesWithoutKey(db: Db): Promise<string[]> {
  return db.column<string>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'p')
     ORDER BY c.relname`,
    [schemaName],
  );
}
