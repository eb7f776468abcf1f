/** Giving the schema and what is in it to the role that owns it from now on: databases of earlier releases belong to the role that served. */
import type pg from 'pg';
import { schemaName } from './pool.ts';

/** One row for everything of ours that somebody else owns: whose it is, and the statement that gives it to `$1`. */
const foreignSql = `
  SELECT o.owner, format('ALTER %s %s OWNER TO %I', o.kind, o.name, $1::text) AS change
  FROM (
    SELECT 0 AS rank, 'SCHEMA' AS kind, format('%I', n.nspname) AS name, n.nspowner AS owner
    FROM pg_namespace n WHERE n.nspname = '${schemaName}'
    UNION ALL
    SELECT 1, CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END,
      format('%I.%I', n.nspname, c.relname), c.relowner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${schemaName}' AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
      -- A sequence of a column goes with its table.
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND c.relkind = 'S' AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT 2, 'ROUTINE', format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), p.proowner
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = '${schemaName}'
    UNION ALL
    SELECT 3, 'TYPE', format('%I.%I', n.nspname, t.typname), t.typowner
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE n.nspname = '${schemaName}' AND (t.typtype IN ('d', 'e', 'r') OR (t.typtype = 'c' AND c.relkind = 'c'))
  ) o
  WHERE o.owner <> (SELECT r.oid FROM pg_roles r WHERE r.rolname = $1::text)
  ORDER BY o.rank, o.name`;

/** Gives what others own to `owner`; nothing happens where it owns all already. Inside a transaction of the caller. */
export async function handOver(client: pg.Client, owner: string): Promise<void> {
  const { rows } = await client.query<{ change: string }>(foreignSql, [owner]);
  for (const { change } of rows) {
    await client.query(change);
  }
}

/** The roles besides `owner` that own something in the schema, or the schema itself. */
export async function listForeignOwners(client: pg.Client, owner: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT pg_get_userbyid(f.owner)::text AS name FROM (${foreignSql}) f ORDER BY name`,
    [owner],
  );
  return rows.map(({ name }) => name);
}
