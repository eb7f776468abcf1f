/** Rights of the serving role on every table there is, and what a start says where something is missing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { listAccessChanges } from './access.ts';
import { checkDatabase, outsideRowLevelSecurity } from './check.ts';
import { sqlStateOf } from './translate-error.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const stateOf = (work: Promise<unknown>) => work.then(() => undefined, sqlStateOf);

describe('the role that serves', () => {
  it('may read and write every table, append to those that are only appended to, and nothing more', async () => {
    const tables = await test.admin(
      `SELECT c.relname AS name, string_agg(p.name, ' ' ORDER BY p.at) AS rights
       FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) WITH ORDINALITY AS p (name, at)
       WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind = 'r' AND has_table_privilege('countersign_app', c.oid, p.name)
       GROUP BY c.relname ORDER BY c.relname`,
    );
    const appended = ['log_leaves', 'log_nodes', 'log_seals', 'log_checkpoints'];
    const special: Record<string, string> = {
      ...Object.fromEntries(appended.map((name) => [name, 'SELECT INSERT'])),
      // Their triggers permit one change, erasure, and refuse every other.
      events: 'SELECT INSERT UPDATE',
      task_actions: 'SELECT INSERT UPDATE',
      schema_migrations: 'SELECT',
    };
    expect(tables.length).toBeGreaterThan(45);
    for (const { name, rights } of tables) {
      expect([name, rights]).toEqual([name, special[String(name)] ?? 'SELECT INSERT UPDATE DELETE']);
    }
    expect(await test.admin("SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'countersign'")).toEqual([
      { count: tables.length },
    ]);
  });

  it('owns nothing of the schema, is a member of nothing, and may not create there', async () => {
    const [row] = await test.admin(
      `SELECT (SELECT count(*) FROM pg_class WHERE relowner = r.oid AND relpersistence <> 't')::int AS owned,
         (SELECT count(*) FROM pg_auth_members WHERE member = r.oid)::int AS memberships,
         has_schema_privilege(r.oid, 'countersign', 'CREATE') AS creates, r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb AS powerful
       FROM pg_roles r WHERE r.rolname = 'countersign_app'`,
    );
    expect(row).toEqual({ owned: 0, memberships: 0, creates: false, powerful: false });
  });

  it('lets the planner know of tables of the schema, and of nothing else', async () => {
    const db = test.database.system();
    const tables = await test.admin(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'countersign'::regnamespace AND relkind = 'r'",
    );
    for (const { name } of tables) {
      await db.rows('SELECT update_statistics($1)', [name]);
    }
    const [analyzed] = await test.admin("SELECT count(*)::int AS count FROM pg_class WHERE relname = 'users' AND reltuples >= 0");
    expect(analyzed).toEqual({ count: 1 });
    for (const name of ['pg_authid', 'users, tenants', 'users; DROP TABLE users', 'users_pkey', '', 'USERS', 'public.users']) {
      expect(await stateOf(db.rows('SELECT update_statistics($1)', [name])), name).toBe('42P01');
    }
    // Neither a table of the caller's own nor a search path of theirs comes before the table that is meant.
    await db
      .transaction(async (tx) => {
        await tx.run('CREATE TEMP TABLE mine (id int) ON COMMIT DROP; CREATE TEMP TABLE pg_class (oid oid) ON COMMIT DROP');
        await tx.run('SET LOCAL search_path = pg_temp');
        await tx.rows("SELECT countersign.update_statistics('users')");
        expect(await stateOf(tx.rows("SELECT countersign.update_statistics('mine')"))).toBe('42P01');
      })
      .catch(() => undefined);
  });

  it('works with temporary tables, COPY and its own statistics of them', async () => {
    await test.database.tenant('one').transaction(async (tx) => {
      await tx.run('CREATE TEMP TABLE import_things (id int) ON COMMIT DROP');
      const sink = await tx.copyFrom('COPY import_things FROM STDIN');
      await new Promise<void>((done) => sink.end('1\n2\n', () => done()));
      await tx.run('ANALYZE import_things; TRUNCATE import_things');
      expect(await tx.rows('SELECT id FROM import_things')).toEqual([]);
    });
  });
});

describe('the owner', () => {
  it('without a tenant is held back like everybody, unless it may pass row-level security', async () => {
    await test.database.tenant('one').run("INSERT INTO tenant_counters (tenant_id, name, value) VALUES ('one', 'n', 1)");
    await test.database.asOwner?.(async (db) => {
      expect(await db.one('SELECT count(*) AS count FROM tenant_counters')).toEqual({ count: 1 });
    });
    const role = `bound_owner_${process.pid}`;
    await test.admin(`CREATE ROLE ${role}; ALTER TABLE tenant_counters OWNER TO ${role}; GRANT USAGE ON SCHEMA countersign TO ${role}`);
    try {
      await expect(test.admin(`SET ROLE ${role}; SELECT value FROM countersign.tenant_counters`)).rejects.toThrow('no tenant is set');
    } finally {
      await test.admin('RESET ROLE');
      await test.admin(`ALTER TABLE tenant_counters OWNER TO countersign_owner; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});

describe('a start', () => {
  const problem = async (): Promise<string> => {
    const error = await checkDatabase(test.database).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'FAILED_PRECONDITION' });
    return (error as Error).message;
  };

  it('finds nothing wrong with what migrations made', async () => {
    await checkDatabase(test.database);
    expect(await listAccessChanges(test.database.system(), 'countersign_app')).toEqual([]);
    const [{ names } = { names: [] }] = await test.admin(
      "SELECT array_agg(relname::text ORDER BY relname) AS names FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' WHERE relkind = 'r' AND NOT relforcerowsecurity AND relnamespace = 'countersign'::regnamespace",
    );
    expect(names).toEqual(Object.keys(outsideRowLevelSecurity).sort());
  });

  it('names everything that is missing at once, with the SQL that mends it', async () => {
    await test.admin(`REVOKE INSERT, DELETE ON users, apps FROM countersign_app; REVOKE ALL ON events FROM countersign_app;
      GRANT TRUNCATE ON jobs TO countersign_app; GRANT SELECT ON accounts TO PUBLIC; GRANT UPDATE ON log_leaves TO countersign_app;
      GRANT CREATE ON SCHEMA countersign TO countersign_app;
      ALTER TABLE grants DISABLE ROW LEVEL SECURITY; DROP POLICY tenant ON policies;
      ALTER TABLE reports OWNER TO countersign_app; ALTER TABLE reports NO FORCE ROW LEVEL SECURITY;
      ALTER FUNCTION update_statistics OWNER TO countersign_owner; REVOKE EXECUTE ON FUNCTION update_statistics FROM countersign_app`);
    const said = await problem();
    for (const statement of [
      'GRANT DELETE, INSERT ON TABLE countersign.apps, countersign.users TO countersign_app;',
      'GRANT INSERT, SELECT, UPDATE ON TABLE countersign.events TO countersign_app;',
      'REVOKE TRUNCATE ON countersign.jobs FROM countersign_app;',
      'REVOKE UPDATE ON countersign.log_leaves FROM countersign_app;',
      'REVOKE CREATE ON SCHEMA countersign FROM countersign_app;',
      'ALTER TABLE countersign.grants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;',
      'CREATE POLICY tenant ON countersign.policies USING (tenant_id = (SELECT countersign.current_tenant_id()))',
      'ALTER TABLE countersign.reports OWNER TO countersign_owner;',
      'ALTER TABLE countersign.reports ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;',
      'GRANT EXECUTE ON ROUTINE countersign.update_statistics(name text) TO countersign_app;',
    ]) {
      expect(said).toContain(statement);
    }
    const mend = said
      .split('\n')
      .filter((line) => line.startsWith('  '))
      .join('\n');
    await test.admin(mend);
    await checkDatabase(test.database);
  });

  it('says that what was restored is incomplete where keys are missing', async () => {
    await test.admin('ALTER TABLE report_chunks DROP CONSTRAINT report_chunks_pkey');
    expect(await problem()).toMatch(/incomplete: no primary key on report_chunks.*restore a complete dump/);
  });
});
