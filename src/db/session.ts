/**
 * SQL over the pool and inside a transaction: the two implementations of `Db`. No SQL of any module is here.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { finished, type Readable, type Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFromStdin, to as copyToStdout } from 'pg-copy-streams';
import { AppError } from '../errors.ts';
import { renderSql, type Sql } from '../lib/sql.ts';
import { nameStatement } from './name-statement.ts';
import { runNamed } from './named-query.ts';
import { ask, beginCopy, setLimit } from './asked.ts';
import { markStuck, misuse, type SessionPool } from './pool.ts';
import { isConnectionLost, isLockTaken, isWorthRetrying, translateError } from './translate-error.ts';
import type { Db, Vault } from './types.ts';

const maxRetries = 3;
/** Time in which a transaction that gives way to holders of its locks is begun again: as long as a statement may take. */
const maxGivingWayMs = 30_000;

type Values = readonly unknown[] | undefined;
type Query = (sql: Sql | string, values: Values) => Promise<pg.QueryResult>;

async function queryClient(client: pg.ClientBase, sql: Sql | string, values: Values): Promise<pg.QueryResult> {
  try {
    if (typeof sql === 'string' && values === undefined) {
      return await ask(client, () => client.query(sql));
    }
    const sent = typeof sql === 'string' ? { text: sql, values: values as unknown[] } : renderSql(sql);
    const name = nameStatement(sent.text);
    return await ask(client, () => (name === undefined ? client.query(sent) : runNamed(client, { ...sent, name })));
  } catch (error) {
    throw translateError(error);
  }
}

/** The beginning of a statement, for a log: never its values. */
function describeSql(sql: Sql | string): string {
  return (typeof sql === 'string' ? sql : sql.text).slice(0, 200);
}

/** The verbs that read and write, over whatever runs a query. */
function verbs(query: Query): Pick<Db, 'rows' | 'maybe' | 'one' | 'column' | 'maybeValue' | 'value' | 'run'> {
  async function rows<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]> {
    return (await query(sql, values)).rows as T[];
  }
  async function maybe<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T | undefined> {
    const found = await rows<T>(sql, values);
    if (found.length > 1) {
      throw misuse(`at most one row was expected, ${found.length} came: ${describeSql(sql)}`);
    }
    return found[0];
  }
  async function one<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T> {
    const row = await maybe<T>(sql, values);
    if (row === undefined) {
      throw misuse(`one row was expected, none came: ${describeSql(sql)}`);
    }
    return row;
  }
  const only = <T>(sql: Sql | string, row: object): T => {
    const values = Object.values(row);
    if (values.length !== 1) {
      throw misuse(`one column was expected, ${values.length} came: ${describeSql(sql)}`);
    }
    return values[0] as T;
  };
  return {
    rows,
    maybe,
    one,
    // By way of the verbs above, so that who watches those sees these.
    async column<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T[]> {
      return (await this.rows<object>(sql, values)).map((row) => only<T>(sql, row));
    },
    async maybeValue<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T | undefined> {
      const row = await this.maybe<object>(sql, values);
      return row && only<T>(sql, row);
    },
    async value<T>(sql: Sql | string, values?: readonly unknown[]): Promise<T> {
      return only<T>(sql, await this.one<object>(sql, values));
    },
    async run(sql, values) {
      return (await query(sql, values)).rowCount ?? 0;
    },
  };
}

/** SQL as one tenant ('' = nobody), each statement on whatever connection is free. */
export function createPooledDb(pool: SessionPool, tenantId: string, vault: Vault): Db {
  const outside = (what: string) => misuse(`${what} needs a transaction`);
  return {
    ...verbs((sql, values) => pool.use(tenantId, (client) => queryClient(client, sql, values))),
    inTransaction: false,
    vault,
    async transaction(work) {
      const giveUpAt = performance.now() + maxGivingWayMs;
      for (let attempt = 0; ; ) {
        let begun = false;
        try {
          return await pool.use(tenantId, async (client) => {
            await queryClient(client, 'BEGIN', undefined);
            begun = true;
            return await runTransaction(client, vault, work);
          });
        } catch (error) {
          if (isLockTaken(error) && performance.now() < giveUpAt) {
            // Without a connection: others need it meanwhile.
            await delay(50 + Math.random() * 250);
            continue;
          }
          // A connection that was lost while it was idle, too: nothing has happened on it.
          const isHarmless = isWorthRetrying(error) || (!begun && isConnectionLost(error));
          if (attempt >= maxRetries || !isHarmless) {
            throw error;
          }
          // Spread out, or the same two meet again.
          await delay(5 + Math.random() * 20 * 2 ** attempt);
          attempt++;
        }
      }
    },
    copyFrom: () => Promise.reject(outside('copyFrom')),
    copyTo: () => Promise.reject(outside('copyTo')),
    limitStatements: () => Promise.reject(outside('limitStatements')),
  };
}

async function runTransaction<T>(client: pg.ClientBase, vault: Vault, work: (db: Db) => Promise<T>): Promise<T> {
  const transaction = createTransactionDb(client, vault);
  try {
    const result = await work(transaction.db);
    await transaction.end();
    // COMMIT of a transaction in which a statement failed, and somebody swallowed the error, is answered by ROLLBACK.
    const { command } = await queryClient(client, 'COMMIT', undefined);
    if (command !== 'COMMIT') {
      throw misuse('a transaction went on after one of its statements had failed; it was rolled back');
    }
    return result;
  } catch (error) {
    if (!(await transaction.end())) {
      markStuck(error);
      throw error;
    }
    try {
      await ask(client, () => client.query('ROLLBACK'));
    } catch {
      markStuck(error);
    }
    throw error;
  } finally {
    setLimit(client, undefined);
  }
}

/** `end` resolves to whether the connection can still be talked to: a COPY that was not read to its end fills it. */
function createTransactionDb(client: pg.ClientBase, vault: Vault): { db: Db; end: () => Promise<boolean> } {
  let open = true;
  let isClogged = false;
  let tail: Promise<unknown> = Promise.resolve();
  let copying: Readable | Writable | undefined;

  /** One after the other: a connection does one thing at a time. */
  function next<T>(work: () => Promise<T>): Promise<T> {
    if (!open) {
      return Promise.reject(misuse('a transaction was used after its end'));
    }
    const result = tail.then(work);
    tail = result.catch(() => undefined);
    return result;
  }

  const query: Query = (sql, values) => next(() => queryClient(client, sql, values));

  function copyFrom(sql: string): Promise<Writable> {
    return new Promise((resolve, reject) => {
      next(async () => {
        const sink = client.query(copyFromStdin(sql));
        const handleError = sink.handleError.bind(sink);
        sink.handleError = (error) => handleError(translateError(error));
        copying = sink;
        const endCopy = beginCopy(client, sink);
        // Its user hears of errors too; without this one, a COPY given up half-way would end the process.
        sink.on('error', () => undefined);
        resolve(sink);
        // Whatever comes next on this connection waits for the end of the COPY.
        await new Promise<void>((done) => finished(sink, { readable: false }, () => done()));
        endCopy();
        copying = undefined;
      }).catch(reject);
    });
  }

  function copyTo(sql: string): Promise<Readable> {
    return new Promise((resolve, reject) => {
      next(async () => {
        const source = client.query(copyToStdout(sql));
        const handleError = source.handleError.bind(source);
        source.handleError = (error) => handleError(translateError(error));
        copying = source;
        source.on('error', () => undefined);
        resolve(source);
        await new Promise<void>((done) =>
          finished(source, { writable: false }, (error) => {
            // PostgreSQL's own error ends a COPY in order; whoever reads it leaving does not.
            isClogged ||=
              error?.code === 'ERR_STREAM_PREMATURE_CLOSE' || (error !== undefined && error !== null && !(error instanceof AppError));
            done();
          }),
        );
        copying = undefined;
      }).catch(reject);
    });
  }

  async function limitStatements(milliseconds: number): Promise<void> {
    await query(`SET LOCAL statement_timeout = ${Math.trunc(milliseconds)}`, undefined);
    setLimit(client, Math.trunc(milliseconds));
  }

  const db: Db = { ...verbs(query), inTransaction: true, vault, transaction: (work) => work(db), copyFrom, copyTo, limitStatements };
  return {
    db,
    async end() {
      open = false;
      // A COPY that its user left half-way would be waited for without end.
      copying?.destroy();
      await tail;
      return !isClogged;
    },
  };
}

/**
 * Makes the rest of an open transaction act as this tenant; its end returns the connection to what it was.
 * Only for work that finds out whose it is inside the transaction: a job.
 */
export async function actAsTenant(db: Db, tenantId: string): Promise<void> {
  if (!db.inTransaction || tenantId === '') {
    throw misuse('acting as a tenant needs a transaction and a tenant');
  }
  await db.run("SELECT set_config('countersign.tenant_id', $1, true)", [tenantId]);
}
