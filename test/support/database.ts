/**
 * A fresh, migrated database for a test file, used as the role production uses. The server behind it is started once per run by
 * global-setup.ts.
 */
import pg from 'pg';
import { inject } from 'vitest';
import { grantAccess } from '../../src/db/access.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Database } from '../../src/db/types.ts';
import '../../src/slots.ts';
import { silentLogger } from '../../src/context.ts';
import { databaseUrlOf } from './test-server.ts';

/** A database of one test file. */
export interface TestDatabase {
  readonly database: Database;
  /** For tests that open it again: another process of ours, or a server under test. */
  readonly url: string;
  /** Superuser SQL, past row-level security: to look at what is there, never to prepare what production could not. */
  admin(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** DDL as the owner of the schema, for what only a test has; the role that serves gets its usual rights on new tables. */
  define(sql: string): Promise<void>;
  close(): Promise<void>;
  /** Ends all connections of ours and returns its name: it stays for the run, to be copied. */
  leave(): Promise<string>;
}

let counter = 0;

/**
 * A database of its own for this test file (about 50 ms): `empty` = without schema, `template` = a copy of that one, `locale` = an
 * empty one with this clause of CREATE DATABASE. Call `close` in afterAll: it is dropped then.
 */
export async function openTestDatabase(
  options: { empty?: boolean; template?: string; locale?: string; poolSize?: number; statementTimeoutMs?: number } = {},
): Promise<TestDatabase> {
  const server = inject('testServer');
  const name = `${server.template}_${process.pid}_${++counter}`;
  const url = databaseUrlOf(server, name);
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  const fresh = options.locale === undefined ? 'template1' : 'template0';
  const template = options.empty === true ? fresh : (options.template ?? server.template);
  const [copy, original, place] = [name, template, server.tablespace].map((one) => admin.escapeIdentifier(one));
  await admin.query(`CREATE DATABASE ${copy} TEMPLATE ${original} TABLESPACE ${place} STRATEGY FILE_COPY ${options.locale ?? ''}`);
  const inside = new pg.Client({ connectionString: url });
  await inside.connect();
  await inside.query('SET search_path = countersign, public');
  const { poolSize = 4, statementTimeoutMs } = options;
  const database = await openDatabase({ databaseUrl: url, poolSize, statementTimeoutMs, log: silentLogger });
  return {
    database,
    url,
    async admin(sql, values) {
      const { rows } = await inside.query(sql, values as unknown[] | undefined);
      return rows as Record<string, unknown>[];
    },
    async define(sql) {
      await database.asOwner?.(async (db) => {
        await db.run(sql);
        await grantAccess(db, 'countersign_app');
      });
    },
    async leave() {
      await Promise.all([database.close(), inside.end(), admin.end()]);
      return name;
    },
    async close() {
      await database.close();
      await inside.end();
      await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
      await admin.end();
    },
  };
}
