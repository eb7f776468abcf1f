/**
 * Once per test run: a PostgreSQL (our own embedded one in a temporary folder, or the one of DATABASE_URL), and in it a migrated template
 * that every test file copies. Test files use openTestDatabase (database.ts), not this.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { keepServer } from '../../src/db/embedded/keep.ts';
import { silentLogger } from '../../src/context.ts';
import { makeTemplate, type TestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Starts the server, makes the template, and returns what undoes both. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const externalUrl = process.env.DATABASE_URL ?? '';
  const folder = externalUrl === '' ? await mkdtemp(join(tmpdir(), 'cst-')) : undefined;
  const embedded = folder === undefined ? undefined : await keepServer(folder, silentLogger);
  const server: TestServer = {
    adminUrl:
      embedded === undefined ? externalUrl : `postgres://postgres@/postgres?host=${encodeURIComponent(embedded.databaseConfig.host ?? '')}`,
    isEmbedded: embedded !== undefined,
    template: `countersign_test_${process.pid}`,
  };
  try {
    await prepare(server);
  } catch (error) {
    await embedded?.release();
    throw error;
  }
  project.provide('testServer', server);
  return async () => {
    if (embedded !== undefined) {
      await embedded.release();
      await rm(folder ?? '', { recursive: true, force: true });
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

async function prepare(server: TestServer): Promise<void> {
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  try {
    if (server.isEmbedded) {
      // Nothing here has to survive the machine.
      await admin.query('ALTER SYSTEM SET fsync = off');
      await admin.query('ALTER SYSTEM SET full_page_writes = off');
      await admin.query('SELECT pg_reload_conf()');
    }
    await makeTemplate(admin, server);
  } finally {
    await admin.end();
  }
}
