/** The schema as all migrations leave it, read from the catalogs: which tables are guarded, what their keys are, and which values they take. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  driftOfValues,
  type RestrictedColumn,
  type TenantTable,
  unguardedTables,
  valuesOfCheck,
  wrongPrimaryKeys,
} from './house/schema.ts';
import { driftOfViews, type FoundView, silentReads, viewsOf } from './house/reads.ts';
import { listSources } from './house/tree.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const migrate = (sql: string): Promise<unknown> => test.define(sql);

async function listTables(): Promise<TenantTable[]> {
  const rows = await test.admin(
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS "isForced",
       ARRAY(SELECT pg_get_expr(p.polqual, p.polrelid) FROM pg_policy p WHERE p.polrelid = c.oid) AS policies,
       (SELECT k.attname::text FROM pg_index i JOIN pg_attribute k ON k.attrelid = c.oid AND k.attnum = i.indkey[0]
        WHERE i.indrelid = c.oid AND i.indisprimary) AS "firstOfKey"
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
     WHERE c.relnamespace = current_schema::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`,
  );
  return rows as unknown as TenantTable[];
}

async function listColumns(): Promise<RestrictedColumn[]> {
  const rows = await test.admin(
    `SELECT c.conrelid::regclass || '.' || a.attname AS column, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
     WHERE c.connamespace = current_schema::regnamespace AND c.contype = 'c' ORDER BY 1`,
  );
  return rows.flatMap(({ column, definition }) => {
    const values = valuesOfCheck(String(definition));
    return values === undefined ? [] : [{ column: String(column), values }];
  });
}

/** Each view, its columns as code reads them, and what the table behind it has. */
async function listViews(): Promise<FoundView[]> {
  const rows = await test.admin(
    `SELECT c.relname AS view, coalesce('security_invoker=true' = ANY (c.reloptions), false) AS "isOfInvoker",
       ARRAY(SELECT a.attname || ': ' || t.name || CASE WHEN t.name = 'unknown' OR coalesce(o.attnotnull, true) THEN '' ELSE ' | null' END
         FROM pg_attribute a
         JOIN (VALUES ('text', 'string'), ('timestamptz', 'Date'), ('bool', 'boolean'), ('int2', 'number'), ('int4', 'number'), ('int8', 'number'),
           ('float8', 'number'), ('jsonb', 'unknown'), ('bytea', 'Buffer'), ('_text', 'readonly string[]'), ('_int2', 'readonly number[]'), ('_int4', 'readonly number[]'))
           AS t (type, name) ON t.type = (SELECT y.typname FROM pg_type y WHERE y.oid = a.atttypid)
         LEFT JOIN pg_attribute o ON o.attrelid = b.oid AND o.attname = a.attname
         WHERE a.attrelid = c.oid AND a.attnum > 0 ORDER BY 1) AS columns,
       ARRAY(SELECT o.attname::text FROM pg_attribute o WHERE o.attrelid = b.oid AND o.attnum > 0
         UNION ALL SELECT i.indexrelid::regclass::text FROM pg_index i WHERE i.indrelid = b.oid) AS names
     FROM pg_class c
     JOIN (SELECT DISTINCT r.ev_class, d.refobjid FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
       AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class) n ON n.ev_class = c.oid
     JOIN pg_class b ON b.oid = n.refobjid
     WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'v' ORDER BY c.relname`,
  );
  return rows as unknown as FoundView[];
}

describe('the schema', () => {
  it('guards every table that has a tenant by forced row-level security', async () => {
    const tables = await listTables();
    expect(tables.length).toBeGreaterThan(40);
    expect(unguardedTables(tables)).toEqual([]);
  });
  it('starts the primary key of every tenant table with tenant_id', async () => {
    expect(wrongPrimaryKeys(await listTables())).toEqual([]);
  });
  it('takes the values that the types of the code list, and no others', async () => {
    const columns = await listColumns();
    expect(columns.length).toBeGreaterThan(20);
    expect(driftOfValues(columns, listSources('src'))).toEqual([]);
  });
  it('has the views that modules promise each other, with the columns and indexes they tell of', async () => {
    const views = await listViews();
    expect(views.length).toBeGreaterThan(20);
    expect(driftOfViews(views, viewsOf(listSources('src')))).toEqual([]);
  });
  it('has the indexes that functions of reads.ts say answer them', async () => {
    const rows = await test.admin(`SELECT indexname AS name FROM pg_indexes WHERE schemaname = current_schema`);
    expect(silentReads(listSources('src'), new Set(rows.map(({ name }) => String(name))))).toEqual([]);
  });
  it('has no view that the planner stops at: it plans the table behind it', async () => {
    for (const { view } of await listViews()) {
      // Clauses around a view, such as a join that keeps rows without a match, must not hold it together either.
      const rows = await test.database
        .tenant('ours')
        .rows(`EXPLAIN SELECT x.* FROM (VALUES ('ours')) AS n (id) LEFT JOIN ${view} x ON x.tenant_id = n.id AND x.tenant_id = 'ours'`);
      expect(JSON.stringify(rows), view).not.toContain('Subquery Scan');
    }
  });
});

describe('a later migration', () => {
  const ofNotes = <T extends object>(found: readonly T[], name: (one: T) => string): T[] =>
    found.filter((one) => name(one).startsWith('notes'));
  it('guards its new table in one line', async () => {
    await migrate(
      `CREATE TABLE notes (tenant_id text, id text, kind text CHECK (kind IN ('PLAIN', 'PINNED')), PRIMARY KEY (tenant_id, id));`,
    );
    expect(unguardedTables(await listTables())).toEqual([expect.stringContaining("SELECT guard_tenant_table('notes');")]);
    await migrate(`SELECT guard_tenant_table('notes')`);
    expect(unguardedTables(await listTables())).toEqual([]);
    const insert = `INSERT INTO notes (tenant_id, id, kind) VALUES ($1, 'a', 'PLAIN')`;
    await expect(test.database.system().run(insert, ['ours'])).rejects.toMatchObject({ cause: { code: '42501' } });
    await expect(test.database.tenant('theirs').run(insert, ['ours'])).rejects.toMatchObject({ cause: { code: '42501' } });
    await test.database.tenant('ours').run(insert, ['ours']);
    expect(await test.database.tenant('theirs').rows('SELECT FROM notes')).toEqual([]);
  });
  it('gives a column another list of values in one line', async () => {
    await migrate(`SELECT restrict_values('notes', 'kind', ARRAY['PLAIN', 'PINNED', 'WARNING'])`);
    expect(ofNotes(await listColumns(), ({ column }) => column)).toEqual([
      { column: 'notes.kind', values: ['PINNED', 'PLAIN', 'WARNING'] },
    ]);
    await expect(migrate(`SELECT restrict_values('notes', 'kind', ARRAY['PINNED'])`)).rejects.toMatchObject({ cause: { code: '23514' } });
    await expect(test.database.tenant('ours').run(`UPDATE notes SET kind = 'OTHER'`)).rejects.toMatchObject({ cause: { code: '23514' } });
    await test.database.tenant('ours').run(`UPDATE notes SET kind = 'WARNING'`);
  });
  it('finds the former list also where the table or the constraint had another name', async () => {
    await migrate('ALTER TABLE notes RENAME TO notes_of_apps');
    await migrate(`SELECT restrict_values('notes_of_apps', 'kind', ARRAY['WARNING'])`);
    expect(ofNotes(await listColumns(), ({ column }) => column)).toEqual([{ column: 'notes_of_apps.kind', values: ['WARNING'] }]);
  });
});
