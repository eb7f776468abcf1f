/**
 * Once per test run: a PostgreSQL (our own embedded one in a temporary folder, or the one of DATABASE_URL), and in it a migrated template
 * that every test file copies. Test files use openTestDatabase (database.ts), not this.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { buildConsole, hasSources, isConsoleUpToDate } from '../../scripts/build-console.js';
import { keepServer } from '../../src/db/embedded/keep.ts';
import { silentLogger } from '../../src/context.ts';
import { makeFolderInMemory, removeFoldersOfEndedRuns } from './memory-folder.ts';
import { makeTablespace, makeTemplate, type TestServer } from './test-server.ts';

/** More than the databases of a run grow to, the long suite's as well. */
const roomBytes = 4 * 2 ** 30;

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Starts the server, makes the template, and returns what undoes both. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  buildConsoleIfStale();
  const externalUrl = process.env.DATABASE_URL ?? '';
  const folder = externalUrl === '' ? await mkdtemp(join(tmpdir(), 'cst-')) : undefined;
  const embedded = folder === undefined ? undefined : await keepRoomyServer(folder);
  await removeFoldersOfEndedRuns();
  const inMemory = embedded === undefined ? undefined : await makeFolderInMemory(roomBytes);
  const server: TestServer = {
    adminUrl: embedded === undefined ? externalUrl : adminUrlOf(embedded.databaseConfig.host),
    isEmbedded: embedded !== undefined,
    template: `countersign_test_${process.pid}`,
    tablespace: inMemory === undefined ? 'pg_default' : 'in_memory',
  };
  const removeFolders = async (): Promise<void> => {
    for (const used of [folder, inMemory].filter((one) => one !== undefined)) {
      await rm(used, { recursive: true, force: true });
    }
  };
  try {
    await prepare(server, inMemory);
  } catch (error) {
    await embedded?.release();
    await removeFolders();
    throw error;
  }
  project.provide('testServer', server);
  return async () => {
    if (embedded !== undefined) {
      await embedded.release();
      await removeFolders();
      return;
    }
    const last = new pg.Client({ connectionString: server.adminUrl });
    await last.connect();
    const { rows } = await last.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname LIKE $1', [
      `${server.template}%`,
    ]);
    for (const { datname } of rows) {
      await last.query(`DROP DATABASE IF EXISTS ${last.escapeIdentifier(datname)} WITH (FORCE)`);
    }
    await last.end();
  };
}

/** One with room for several files at once, each with servers and pools of their own: what one installation needs is less. */
async function keepRoomyServer(folder: string): Promise<Awaited<ReturnType<typeof keepServer>>> {
  const small = await keepServer(folder, silentLogger);
  try {
    const admin = new pg.Client({ connectionString: adminUrlOf(small.databaseConfig.host) });
    await admin.connect();
    await admin.query('ALTER SYSTEM SET max_connections = 200').finally(() => admin.end());
  } finally {
    await small.release();
  }
  return keepServer(folder, silentLogger);
}

function adminUrlOf(host = ''): string {
  return `postgres://postgres@/postgres?host=${encodeURIComponent(host)}`;
}

/** Test files serve the console as it is now. `npm test` has built it already. */
function buildConsoleIfStale(): void {
  if (hasSources() && !isConsoleUpToDate()) {
    const { ok, output } = buildConsole();
    if (!ok) {
      throw new Error(`the console could not be built:\n${output}`);
    }
  }
}

async function prepare(server: TestServer, inMemory: string | undefined): Promise<void> {
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  try {
    if (server.isEmbedded) {
      // Nothing here has to survive the machine.
      await admin.query('ALTER SYSTEM SET fsync = off');
      await admin.query('ALTER SYSTEM SET full_page_writes = off');
      await admin.query('SELECT pg_reload_conf()');
    }
    if (inMemory !== undefined) {
      await makeTablespace(admin, server, inMemory);
    }
    await makeTemplate(admin, server);
  } finally {
    await admin.end();
  }
}
