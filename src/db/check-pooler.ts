/**
 * A pooler between us and PostgreSQL must give each connection one of the server's for as long as it lasts (session mode): the tenant is a setting of
 * the connection, so where statements share connections, one tenant would be answered with another's setting. See Poolers in docs/operations.md.
 */
import type pg from 'pg';
import { AppError } from '../errors.ts';

/** Time that a connection may wait for one of the server's. */
const longestWaitMs = 10_000;

/** Statements of ours have names, and the next client would make the same ones: what a reset leaves of them counts as much as a setting. */
const leaveSql = 'PREPARE countersign_probe AS SELECT 1';
const leftSql = `SELECT nullif(current_setting('countersign.probe', true), '') IS NOT NULL
  OR EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'countersign_probe') AS left`;

/** Ways out, which differ by pooler. */
const waysOut = 'set pool_mode = session for it (pgbouncer), take port 5432 (Azure, Supabase), or give the URL of PostgreSQL itself';

/**
 * Refuses a pooler in transaction or statement mode, one that gives fewer than `count` connections at once, and one that hands a connection on as it was
 * left. `first` is a connection to the server; where PostgreSQL itself answered it, nothing else is asked.
 */
export async function refuseSharing(first: pg.Client, connect: () => Promise<pg.Client>, name: string, count: number): Promise<void> {
  const { rows } = await first.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // A pooler makes up the number that it gives a client for cancelling.
  if (rows[0]?.pid === (first as unknown as { processID: number | null }).processID) {
    return;
  }
  const clients = [first];
  const seen = new Set<unknown>();
  try {
    // One after the other: a pooler that shares has a connection free then, and gives it to the next.
    while (seen.size < count) {
      const mark = String(seen.size);
      const client = clients[seen.size] ?? (await connect());
      clients[seen.size] = client;
      const before = await ask(client, 'SELECT pg_backend_pid() AS pid, set_config($1, $2, false)', ['countersign.probe', mark]);
      const after = await ask(client, "SELECT pg_backend_pid() AS pid, current_setting('countersign.probe', true) AS mark");
      if (before.pid !== after.pid || after.mark !== mark || seen.has(after.pid)) {
        throw refuse(
          `The pooler at ${name} lets connections share those of PostgreSQL (transaction or statement mode), which would show one tenant the data of another: ${waysOut}.`,
        );
      }
      seen.add(after.pid);
    }
    const last = clients.pop();
    await last?.query(leaveSql);
    await last?.end();
    const next = await connect();
    clients.push(next);
    const { left } = await ask(next, leftSql);
    if (left === true) {
      throw refuse(
        `The pooler at ${name} hands a connection to the next client as the last one left it: set server_reset_query = DISCARD ALL (pgbouncer).`,
      );
    }
  } catch (error) {
    if ((error as Error).message === 'Query read timeout') {
      throw refuse(
        `The pooler at ${name} gave ${seen.size} connections and let the next wait for ${longestWaitMs / 1000} seconds: raise default_pool_size (pgbouncer) to at least --pool-size + 2 for each process of Countersign.`,
      );
    }
    throw error;
  } finally {
    await Promise.all(clients.slice(1).map((client) => client.end().catch(() => undefined)));
  }
}

async function ask(client: pg.Client, text: string, values: string[] = []): Promise<Record<string, unknown>> {
  const { rows } = await client.query({ text, values, query_timeout: longestWaitMs } as pg.QueryConfig);
  return rows[0] as Record<string, unknown>;
}

function refuse(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message);
}
