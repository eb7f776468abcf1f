/** A data directory of a release whose one role, `countersign`, owned everything and served: what opens it, and as whom. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../context.ts';
import { checkDatabase } from '../check.ts';
import { migrate } from '../migrate.ts';
import { type OpenOptions, openDatabase } from '../open.ts';
import { type EmbeddedServer, keepServer } from './keep.ts';

let folder: string;
let server: EmbeddedServer;
let superuser: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cst-'));
  server = await keepServer(folder, silentLogger);
  superuser = new pg.Client(server.databaseConfig);
  await superuser.connect();
}, 240_000);
afterAll(async () => {
  await superuser.end();
  await server.release();
  await rm(folder, { recursive: true });
}, 240_000);

const ask = async (sql: string) => (await superuser.query<Record<string, unknown>>(sql)).rows;

async function start(options: Partial<OpenOptions>): Promise<unknown> {
  const database = await openDatabase({ ...options, poolSize: 2, log: silentLogger });
  try {
    await migrate(database, silentLogger);
    await checkDatabase(database);
    return await database.system().one('SELECT session_user AS login, current_user AS role, (SELECT count(*) FROM tenants) AS tenants');
  } finally {
    await database.close();
  }
}

async function makeFormer(): Promise<void> {
  await ask(`CREATE ROLE countersign LOGIN; ALTER DATABASE countersign OWNER TO countersign;
    REASSIGN OWNED BY countersign_owner TO countersign; DROP OWNED BY countersign_owner, countersign_app; DROP ROLE countersign_owner, countersign_app`);
}

const owners = () =>
  ask(
    `SELECT DISTINCT pg_get_userbyid(relowner) AS name FROM pg_class WHERE relnamespace = 'countersign'::regnamespace
     UNION SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'countersign'`,
  );

it('is opened by the superuser of the server, through a URL', { timeout: 240_000 }, async () => {
  expect(await start({ dataDir: folder })).toEqual({ login: 'countersign_app', role: 'countersign_app', tenants: 0 });
  await ask("INSERT INTO countersign.tenants (tenant_id, display_name, secret, created_at) VALUES ('one', 'One', '', now())");
  await makeFormer();
  expect(await owners()).toEqual([{ name: 'countersign' }]);
  const databaseUrl = `postgres://postgres@/countersign?host=${encodeURIComponent(server.databaseConfig.host ?? '')}`;
  expect(await start({ databaseUrl })).toEqual({ login: 'postgres', role: 'countersign_app', tenants: 1 });
  expect(await owners()).toEqual([{ name: 'countersign_owner' }]);
});

it('is opened as ever, by several at once; the former role is gone', { timeout: 240_000 }, async () => {
  const served = { login: 'countersign_app', role: 'countersign_app', tenants: 1 };
  expect(await start({ dataDir: folder })).toEqual(served);
  await makeFormer();
  expect(await Promise.all([1, 2, 3].map(() => start({ dataDir: folder })))).toEqual([served, served, served]);
  expect(await owners()).toEqual([{ name: 'countersign_owner' }]);
  expect(await ask("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname ~ '^countersign' ORDER BY 1")).toEqual([
    { rolname: 'countersign_app', rolsuper: false, rolbypassrls: false },
    { rolname: 'countersign_owner', rolsuper: false, rolbypassrls: true },
  ]);
});
