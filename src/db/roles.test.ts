/** Owning and serving roles, for each kind of URL an operator may give, and databases that were made before the two were apart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { isLong } from '../../test/support/runs.ts';
import { silentLogger, type Logger } from '../context.ts';
import { checkDatabase } from './check.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import type { Database } from './types.ts';

const suffix = process.pid;
const [app, owner, maker] = [`an_app_${suffix}`, `an_owner_${suffix}`, `a_maker_${suffix}`];
let roles: TestDatabase;
let test: TestDatabase;
let warnings: string[];
let opened: Database[];

beforeAll(async () => {
  roles = await openTestDatabase({ empty: true });
  await roles.admin(`CREATE ROLE ${app} LOGIN PASSWORD 'secret'; CREATE ROLE ${owner} LOGIN PASSWORD 'secret';
    CREATE ROLE ${maker} LOGIN CREATEROLE PASSWORD 'secret'`);
});
beforeEach(async () => {
  test = await openTestDatabase({ empty: true });
  await test.admin('DROP SCHEMA countersign');
  warnings = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  await test.close();
});
afterAll(async () => {
  await roles.admin(`REVOKE countersign_owner, countersign_app FROM ${maker}`);
  await roles.admin(`DROP ROLE ${app}, ${owner}, ${maker}`);
  await roles.close();
});

const log: Logger = { ...silentLogger, warn: (_fields: object, message?: string) => void warnings.push(message ?? ''), child: () => log };

function urlOf(role: string): string {
  return test.url.replace(/^(\w+:\/\/)[^@]*@/, `$1${role}:secret@`);
}

/** Opens, migrates and checks, as `serve` does at its start. */
async function start(url: string, ownerUrl?: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl: url, databaseOwnerUrl: ownerUrl, poolSize: 2, log });
  opened.push(database);
  await migrate(database, silentLogger);
  await checkDatabase(database);
  return database;
}

async function whoServes(database: Database): Promise<string> {
  return (await database.system().one<{ role: string }>('SELECT current_user AS role')).role;
}

/** Everything in the schema that has an owner, and the schema itself. */
async function owners(): Promise<unknown[]> {
  const rows = await test.admin(
    `SELECT DISTINCT pg_get_userbyid(o) AS name FROM (
       SELECT nspowner AS o FROM pg_namespace WHERE nspname = 'countersign'
       UNION ALL SELECT relowner FROM pg_class WHERE relnamespace = 'countersign'::regnamespace
       UNION ALL SELECT proowner FROM pg_proc WHERE pronamespace = 'countersign'::regnamespace
       UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'countersign'::regnamespace) x`,
  );
  return rows.map(({ name }) => name);
}

// Makes and migrates a database for each: the long suite, and that of a server that is not ours.
const isWanted = isLong || (process.env['DATABASE_URL'] ?? '') !== '';

describe.runIf(isWanted)('the URL of', () => {
  it('a superuser: both roles are made, and the owner passes row-level security', async () => {
    expect(await whoServes(await start(test.url))).toBe('countersign_app');
    expect(await owners()).toEqual(['countersign_owner']);
    expect(await test.admin("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname ~ '^countersign_' ORDER BY 1")).toEqual([
      { rolname: 'countersign_app', rolsuper: false, rolbypassrls: false },
      { rolname: 'countersign_owner', rolsuper: false, rolbypassrls: true },
    ]);
    expect(warnings).toEqual([]);
  });

  it('a role that may create roles, in a database of its own: the same, without exempting the owner', async () => {
    await test.admin(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${maker}', current_database()); END $$`);
    await test.admin(`GRANT countersign_owner, countersign_app TO ${maker}`);
    expect(await whoServes(await start(urlOf(maker)))).toBe('countersign_app');
    expect(await owners()).toEqual(['countersign_owner']);
    expect(warnings).toEqual([]);
  });

  it('a plain role: it owns and serves, and is told what that costs', async () => {
    await test.admin(`CREATE SCHEMA countersign AUTHORIZATION ${app}`);
    expect(await whoServes(await start(urlOf(app)))).toBe(app);
    expect(await owners()).toEqual([app]);
    expect(warnings).toEqual([expect.stringMatching(/can also act as the owner.*pg_dump fails.*docs\/operations\.md/)]);
  });

  it('two plain roles: one owns, the other serves; once migrated, the first is not needed', async () => {
    await test.admin(`CREATE SCHEMA countersign AUTHORIZATION ${owner}`);
    const early = start(urlOf(app));
    await expect(early).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(new RegExp(`belongs to ${owner}. Run countersign migrate .*--database-owner-url`)),
    });
    expect(await whoServes(await start(urlOf(app), urlOf(owner)))).toBe(app);
    expect(await owners()).toEqual([owner]);
    const alone = await start(urlOf(app));
    expect(alone.asOwner).toBeUndefined();
    expect(await alone.system().one('SELECT count(*) AS count FROM tenants')).toEqual({ count: 0 });
    expect(warnings).toEqual([]);
  });

  it('two plain roles that lack a migration: the start names it and the command', async () => {
    await test.admin(`CREATE SCHEMA countersign AUTHORIZATION ${owner}`);
    await start(urlOf(app), urlOf(owner));
    await test.admin('DELETE FROM schema_migrations WHERE number > 1');
    await expect(start(urlOf(app))).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/lacks 0002_words.*countersign migrate --database-url URL --database-owner-url URL/),
    });
  });

  it('a plain role that owns, and a superuser to own from now on', async () => {
    await test.admin(`CREATE SCHEMA countersign AUTHORIZATION ${app}`);
    await start(urlOf(app));
    expect(await whoServes(await start(urlOf(app), test.url))).toBe(app);
    expect(await owners()).toEqual(['countersign_owner']);
  });

  it('two plain roles, made as docs/operations.md says', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const [, sql = ''] = /^```sql\n(CREATE ROLE countersign_owner [^`]*)```$/m.exec(text) ?? [];
    const names: [RegExp, string][] = [
      [/countersign_owner/g, `made_owner_${suffix}`],
      [/countersign_app/g, `made_app_${suffix}`],
      [/DATABASE countersign /g, `DATABASE made_${suffix} `],
      [/'(one|another) password'/g, "'secret'"],
    ];
    const made = names.reduce((all, [from, to]) => all.replace(from, to), sql);
    for (const statement of made.split(';').filter((each) => each.trim() !== '')) {
      await test.admin(statement);
    }
    const urlIn = (role: string) => urlOf(role).replace(/\/[^/?]*(\?|$)/, `/made_${suffix}$1`);
    const database = await start(urlIn(`made_app_${suffix}`), urlIn(`made_owner_${suffix}`));
    expect(await whoServes(database)).toBe(`made_app_${suffix}`);
    await database.close();
    expect(warnings).toEqual([]);
    await test.admin(`DROP DATABASE made_${suffix}`);
    await test.admin(`DROP ROLE made_owner_${suffix}, made_app_${suffix}`);
  });

  it('two databases: refused', async () => {
    const other = roles.url;
    await expect(start(test.url, other)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringContaining('different databases'),
    });
  });
});

describe.runIf(isWanted)('a database made before the roles were apart', () => {
  /** As earlier releases left it: one role owns the schema and serves. */
  async function makeFormer(role: string): Promise<void> {
    await test.admin(`CREATE SCHEMA countersign AUTHORIZATION ${app}`);
    await start(urlOf(app));
    await test.admin(`DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $$;
      INSERT INTO tenants (tenant_id, display_name, secret, created_at) VALUES ('one', 'One', '', now())`);
    if (role !== app) {
      await test.admin(`REASSIGN OWNED BY ${app} TO ${role}`);
    }
  }

  it('is handed over, by whichever of several processes is first', async () => {
    await makeFormer('countersign_app');
    const databases = await Promise.all([1, 2, 3, 4].map(() => start(test.url)));
    expect(await owners()).toEqual(['countersign_owner']);
    expect(await databases[3]?.system().rows('SELECT tenant_id FROM tenants')).toEqual([{ tenant_id: 'one' }]);
    expect(await test.admin("SELECT has_database_privilege('countersign_app', current_database(), 'CREATE') AS may")).toEqual([
      { may: false },
    ]);
    expect(await databases[0]?.system().maybe('SELECT FROM pg_class WHERE relowner = current_user::regrole')).toBeUndefined();
  });

  it('by a role that the superuser has never heard of is handed over, too', async () => {
    await makeFormer(app);
    expect(await whoServes(await start(test.url))).toBe('countersign_app');
    expect(await owners()).toEqual(['countersign_owner']);
  });

  it('by a plain role tells a plain owner what a superuser has to do, and that suffices', async () => {
    await makeFormer(app);
    const refused = await start(urlOf(app), urlOf(owner)).catch((error: unknown) => error as Error);
    const [, sql = ''] = /(REASSIGN OWNED BY .*;)/.exec((refused as Error).message) ?? [];
    expect(refused).toMatchObject({ code: 'FAILED_PRECONDITION' });
    await test.admin(sql);
    await start(urlOf(app), urlOf(owner));
    expect(await owners()).toEqual([owner]);
  });
});
