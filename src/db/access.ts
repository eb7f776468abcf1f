/**
 * Rights of the serving role in the schema: read and write rows, and nothing else. Worked out from the schema as it is, so that the tables of later
 * migrations are covered without being named anywhere.
 */
import { AppError } from '../errors.ts';
import { schemaName } from './pool.ts';
import { sqlStateOf } from './translate-error.ts';
import type { Db } from './types.ts';

/**
 * Tables are read and written, except for what a trigger of refuse_change() refuses anyway; the record of migrations is read. Rights that
 * come by PUBLIC count, and those that PUBLIC has too many are too many.
 */
const changesSql = `
  WITH wanted AS (
    SELECT c.oid, c.relname AS name, c.relkind AS kind, c.relacl AS acl, c.relowner = role.oid AS own, unnest(CASE
        WHEN c.relkind = 'S' THEN ARRAY['USAGE']
        WHEN c.relkind IN ('v', 'm') OR c.relname = 'schema_migrations' THEN ARRAY['SELECT']
        ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END) AS privilege
    FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_roles role ON role.rolname = $1
    WHERE s.nspname = '${schemaName}' AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND s.nspowner <> role.oid
  ), needed AS (
    SELECT w.* FROM wanted w
    WHERE NOT EXISTS (
      SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = w.oid AND p.proname = 'refuse_change' AND t.tgenabled <> 'D' AND t.tgqual IS NULL AND t.tgattr = ''
        AND ((w.privilege = 'DELETE' AND t.tgtype & 8 > 0) OR (w.privilege = 'UPDATE' AND t.tgtype & 16 > 0)))
  ), missing AS (
    SELECT n.name, string_agg(n.privilege, ', ' ORDER BY n.privilege) AS privileges, n.kind FROM needed n
    -- What it owns by mistake it loses with the ownership.
    WHERE n.own OR CASE n.kind WHEN 'S' THEN NOT has_sequence_privilege($1, n.oid, n.privilege) ELSE NOT has_table_privilege($1, n.oid, n.privilege) END
    GROUP BY n.name, n.kind
  ), excess AS (
    SELECT DISTINCT w.name, a.privilege_type AS privilege, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident($1) END AS grantee
    FROM (SELECT DISTINCT oid, name, acl FROM wanted WHERE NOT own) w, aclexplode(w.acl) a
    WHERE a.grantee IN (0, (SELECT r.oid FROM pg_roles r WHERE r.rolname = $1))
      AND NOT EXISTS (SELECT FROM needed n WHERE n.oid = w.oid AND n.privilege = a.privilege_type)
  ), schema AS (
    SELECT n.* FROM pg_namespace n WHERE n.nspname = '${schemaName}' AND n.nspowner <> (SELECT r.oid FROM pg_roles r WHERE r.rolname = $1)
  )
  SELECT format('GRANT USAGE ON SCHEMA ${schemaName} TO %I', $1) AS change FROM schema n WHERE NOT has_schema_privilege($1, n.oid, 'USAGE')
  UNION ALL
  SELECT DISTINCT format('REVOKE CREATE ON SCHEMA ${schemaName} FROM %s', CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident($1) END)
  FROM schema n, aclexplode(n.nspacl) a
  WHERE a.privilege_type = 'CREATE' AND a.grantee IN (0, (SELECT r.oid FROM pg_roles r WHERE r.rolname = $1))
  UNION ALL
  SELECT format('GRANT %s ON %s %s TO %I', m.privileges, CASE m.kind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
    string_agg(format('${schemaName}.%I', m.name), ', ' ORDER BY m.name), $1)
  FROM missing m GROUP BY m.privileges, m.kind = 'S', CASE m.kind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END
  UNION ALL
  SELECT format('REVOKE %s ON %s FROM %s', x.privilege, string_agg(format('${schemaName}.%I', x.name), ', ' ORDER BY x.name), x.grantee)
  FROM excess x GROUP BY x.privilege, x.grantee
  UNION ALL
  SELECT format('GRANT EXECUTE ON ROUTINE ${schemaName}.%I(%s) TO %I', p.proname, pg_get_function_identity_arguments(p.oid), $1)
  FROM pg_proc p WHERE p.pronamespace = to_regnamespace('${schemaName}') AND NOT has_function_privilege($1, p.oid, 'EXECUTE')`;

/** The statements after which `role` may do what serving takes, and nothing more; none where it is so already, or where it owns the schema. */
export function listAccessChanges(db: Db, role: string): Promise<string[]> {
  return db.column<string>(changesSql.replaceAll('$1', '$1::name'), [role]);
}

/** Makes it so, as the owner. One process at a time: the caller holds a lock. */
export async function grantAccess(db: Db, role: string): Promise<void> {
  for (const change of await listAccessChanges(db, role)) {
    await db.run(change).catch((error: unknown) => {
      const message = `The owner of the schema ${schemaName} may not give the role ${role} what it needs. Run as a superuser in this database: ${change};`;
      throw sqlStateOf(error) === '42501' ? new AppError('FAILED_PRECONDITION', message, { cause: error }) : error;
    });
  }
}
