/**
 * The PostgreSQL of a test run, as global-setup.ts hands it to database.ts; apart from both because only test files may import vitest.
 */
import { chown, stat } from 'node:fs/promises';
import type pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { silentLogger } from '../../src/context.ts';

/** The server of this test run, as an administrator reaches it. */
export interface TestServer {
  readonly adminUrl: string;
  readonly isEmbedded: boolean;
  /** The database that is copied; a prefix of the names of the copies. */
  readonly template: string;
  /** Place of its databases. */
  readonly tablespace: string;
}

/** The URL of a database of the test server. The superuser of the URL becomes the plain role when openDatabase opens it. */
export function databaseUrlOf(server: TestServer, name: string): string {
  return server.adminUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

/** Makes the tablespace of the databases in this folder, which must be empty. It is given to the account that PostgreSQL runs as. */
export async function makeTablespace(admin: pg.Client, server: TestServer, folder: string): Promise<void> {
  const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
  const { uid, gid } = await stat(rows[0]?.data_directory ?? '');
  await chown(folder, uid, gid);
  await admin.query(`CREATE TABLESPACE ${admin.escapeIdentifier(server.tablespace)} LOCATION ${admin.escapeLiteral(folder)}`);
}

/** Makes the migrated template. */
export async function makeTemplate(admin: pg.Client, server: TestServer): Promise<void> {
  await admin.query(`CREATE DATABASE ${admin.escapeIdentifier(server.template)} TABLESPACE ${admin.escapeIdentifier(server.tablespace)}`);
  const database = await openDatabase({ databaseUrl: databaseUrlOf(server, server.template), log: silentLogger });
  try {
    await migrate(database, silentLogger);
  } finally {
    await database.close();
  }
}
