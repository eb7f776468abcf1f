/** Reading PostgreSQL: one statement behind a cursor, in a transaction that may only read. */
import type { Socket } from 'node:net';
import pg from 'pg';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';
import { noteTls, type NoteStep } from '../tables/fetch-steps.ts';
import type { JudgedConnection } from './connect-judged.ts';
import type { OpenStatement, Running } from './open-sql.ts';
import { readPort, type SqlSettings, usesTls } from './settings.ts';
import { timeText } from './texts.ts';

const batchRows = 5_000;
/** A batch of rows that are long is made of fewer. */
const batchBytes = 16 * 1024 * 1024;
const cursor = 'countersign';

/** Classes of SQLSTATE that say that the statement or the sign-in is wrong, or that the role may not: another try meets them again. */
const wrong = /^(0A|22|25|26|28|34|3D|3F|42)/;

type Reader = (text: string) => string;
const isText: Reader = (text) => text;
/** By the type's number. */
const readers: Readonly<Record<number, Reader>> = {
  16: (text) => (text === 't' ? 'true' : 'false'),
  17: (text) => text.replace(/^\\x/, ''),
  1114: timeText,
  1184: timeText,
};

const limits = `SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true), set_config('IntervalStyle', 'iso_8601', true),
  set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true), set_config('cursor_tuple_fraction', '1', true),
  set_config('statement_timeout', $1, true), set_config('lock_timeout', '10s', true)`;
/** Powers of a role beyond reading, by itself or by a role it is in. */
const powers = `SELECT r.rolname::text AS name, r.rolsuper AS is_super FROM pg_catalog.pg_roles r
  WHERE pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')
    AND (r.rolsuper OR r.rolname IN ('pg_execute_server_program', 'pg_write_server_files')) ORDER BY r.rolsuper DESC LIMIT 1`;
const ours = `SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'countersign' AND c.relname IN ('schema_migrations', 'tenants') LIMIT 1`;
/** A standby shows what was replayed. */
const replayed = `SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_xact_replay_timestamp() END AS at`;

/** Signs in and runs the statement; rows are read when they are asked for. Throws a FetchFault. */
export async function openPostgresql(
  settings: SqlSettings,
  password: string,
  connection: JudgedConnection,
  { timeLimitMs, noteStep }: Running,
): Promise<OpenStatement> {
  const client = createClient(settings, password, connection);
  try {
    await signIn(client, settings, noteStep);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(limits, [String(timeLimitMs)]);
    await requireReader(client, settings);
    const [standby] = (await client.query<{ at: Date | null }>(replayed)).rows;
    // Behind DECLARE only a statement that reads is grammar, and the extended protocol takes no second one.
    const text = `DECLARE ${cursor} NO SCROLL CURSOR FOR ${settings.statement.trim().replace(/;\s*$/, '')}\n`;
    await client.query({ text, queryMode: 'extended' } as pg.QueryConfig);
    const first = await fetchRows(client, connection, batchRows);
    return { columns: first.columns, batches: readBatches(client, connection, first.rows), observedBy: standby?.at ?? undefined };
  } catch (error) {
    throw explain(error, settings);
  }

  async function* readBatches(from: pg.Client, over: JudgedConnection, first: string[][]): AsyncGenerator<string[][]> {
    let rows = first;
    let size = batchRows;
    try {
      while (rows.length > 0) {
        yield rows;
        if (rows.length < size) {
          return;
        }
        size = nextSize(rows);
        ({ rows } = await fetchRows(from, over, size));
      }
    } catch (error) {
      throw explain(error, settings);
    }
  }
}

/** Signs in. The driver replaces the stream of its connection by the encrypted one, which stands even where the sign-in is refused. */
async function signIn(client: pg.Client, { username }: SqlSettings, noteStep: NoteStep | undefined): Promise<void> {
  try {
    await client.connect();
  } finally {
    noteTls((client as unknown as { connection: { stream: Socket } }).connection.stream, noteStep);
  }
  noteStep?.('SIGN_IN', username);
}

function nextSize(rows: readonly (readonly string[])[]): number {
  const bytes = rows.reduce((sum, row) => sum + row.reduce((length, text) => length + text.length, 0), 0);
  return Math.max(1, Math.min(batchRows, Math.floor(batchBytes / Math.max(1, bytes / rows.length))));
}

function createClient(settings: SqlSettings, password: string, { socket }: JudgedConnection): pg.Client {
  const { host, database, username, ca } = settings;
  // The driver connects what already stands.
  const stream = Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
  const client = new pg.Client({
    // All of it is said, because the driver reads variables of this process for what is not.
    host,
    port: readPort(settings).port,
    database,
    user: username,
    password,
    ssl: usesTls(settings) ? { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== '' && { ca }) } : false,
    options: '-c default_transaction_read_only=on',
    application_name: 'countersign source',
    stream: () => stream,
  });
  client.on('error', () => undefined);
  return client;
}

async function requireReader(client: pg.Client, { username, database }: SqlSettings): Promise<void> {
  const [power] = (await client.query<{ name: string; is_super: boolean }>(powers)).rows;
  if (power !== undefined) {
    const may = power.is_super ? 'is a superuser or may become one' : `is in the role ${power.name}`;
    throw new FetchFault(
      'REFUSED',
      `The user ${JSON.stringify(username)} ${may}, which is more than reading needs. Make a user for this: ` +
        `CREATE ROLE countersign_reader LOGIN PASSWORD '...'; GRANT CONNECT ON DATABASE ${JSON.stringify(database)} TO countersign_reader; ` +
        `GRANT USAGE ON SCHEMA public TO countersign_reader; GRANT SELECT ON the tables of the statement TO countersign_reader;`,
      { field: 'username' },
    );
  }
  if ((await client.query(ours)).rows.length > 0) {
    throw new FetchFault(
      'REFUSED',
      `The database ${JSON.stringify(database)} is one of Countersign itself, which is not read as a source.`,
      { field: 'database' },
    );
  }
}

async function fetchRows(client: pg.Client, connection: JudgedConnection, size: number) {
  connection.measure();
  const { fields, rows } = await client.query<string[]>({
    text: `FETCH FORWARD ${size} FROM ${cursor}`,
    rowMode: 'array',
    types: { getTypeParser: (type: number) => readers[type] ?? isText } as unknown as pg.CustomTypesConfig,
  });
  for (const row of rows as (string | null)[][]) {
    for (let at = 0; at < row.length; at++) {
      row[at] ??= '';
    }
  }
  return { columns: fields.map(({ name }) => name), rows };
}

function explain(error: unknown, { username, database }: SqlSettings): unknown {
  if (error instanceof FetchFault) {
    return error;
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words = wordsOf(error);
  if (/^28|^3D/.test(code)) {
    return new FetchFault('REFUSED', `The database does not let ${JSON.stringify(username)} into ${JSON.stringify(database)}: ${words}.`, {
      cause: error,
      field: code === '3D000' ? 'database' : 'password',
    });
  }
  if (code === '57014') {
    return new FetchFault('REFUSED', 'The statement took longer than 10 minutes.', { cause: error, field: 'statement' });
  }
  if (code === '42501') {
    return new FetchFault(
      'REFUSED',
      `The database refuses the statement: ${words}. Run GRANT SELECT ON the table TO ${JSON.stringify(username)}, and GRANT USAGE ON its schema.`,
      { cause: error, field: 'statement' },
    );
  }
  if (/self.signed|certificate|altname|does not support SSL|TLS|SSL/i.test(`${words} ${code}`)) {
    const hint = "A connection to another machine needs TLS; set `ca` to the certificate of the authority that issued the server's";
    return new FetchFault('REFUSED', `The database offers no connection that is to be trusted: ${words}. ${hint}.`, {
      cause: error,
      field: 'ca',
    });
  }
  return wrong.test(code)
    ? new FetchFault('SETTINGS', `The database refuses the statement: ${words}.`, { cause: error, field: 'statement' })
    : new FetchFault('UNREACHED', `The database could not be read: ${words}.`, { cause: error });
}
