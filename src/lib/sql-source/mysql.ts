/** Reading MySQL and MariaDB: one statement in a transaction that may only read, its rows as they come. */
import type { Socket } from 'node:net';
import { type Connection, createConnection } from 'mysql2';
import { FetchFault, wordsOf } from '../tables/fetch-fault.ts';
import { noteTls } from '../tables/fetch-steps.ts';
import type { JudgedConnection } from './connect-judged.ts';
import type { OpenStatement, Running } from './open-sql.ts';
import { readPort, type SqlSettings, usesTls } from './settings.ts';
import { timeText } from './texts.ts';

const batchRows = 5_000;

/** A column as the driver says it. */
interface Field {
  readonly name: string;
  readonly columnType: number;
  readonly characterSet: number;
}

type Reader = (cell: Buffer) => string;

/** Signs in and runs the statement; rows are read when they are asked for. Throws a FetchFault. */
export async function openMysql(
  settings: SqlSettings,
  password: string,
  connection: JudgedConnection,
  running: Running,
): Promise<OpenStatement> {
  const client = createClient(settings, password, connection);
  // The driver forgets those who wait when their connection is closed on our side.
  const lost = new Promise<never>((_, reject) => {
    connection.socket.once('close', () => reject(new FetchFault('UNREACHED', 'The connection to the database was closed.')));
  });
  lost.catch(() => undefined);
  try {
    return await Promise.race([lost, begin(client, settings, connection, running)]);
  } catch (error) {
    throw explain(error, settings);
  }
}

async function begin(
  client: Connection,
  settings: SqlSettings,
  connection: JudgedConnection,
  { timeLimitMs, noteStep }: Running,
): Promise<OpenStatement> {
  const ask = (sql: string): Promise<Record<string, unknown>[]> =>
    new Promise((answered, reject) => {
      client.query(sql, (error, rows) => (error === null ? answered(rows as Record<string, unknown>[]) : reject(error)));
    });
  await new Promise<void>((signedIn, reject) => {
    client.connect((error) => {
      noteTls((client as unknown as { stream: Socket }).stream, noteStep);
      return error === null ? signedIn() : reject(error);
    });
  });
  noteStep?.('SIGN_IN', settings.username);
  await requireReader(ask, settings);
  const isMariaDb = /mariadb/i.test(String((await ask('SELECT VERSION() AS version'))[0]?.['version']));
  await ask(`SET time_zone = '+00:00'`);
  await ask(isMariaDb ? `SET max_statement_time = ${timeLimitMs / 1000}` : `SET max_execution_time = ${timeLimitMs}`);
  // A statement that would end the transaction begins another one of the same kind.
  await ask('SET SESSION TRANSACTION READ ONLY');
  await ask('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await ask('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  return openRows(client, settings, connection);
}

function createClient(settings: SqlSettings, password: string, { socket }: JudgedConnection): Connection {
  const { host, database, username, ca } = settings;
  const client = createConnection({
    host,
    port: readPort(settings).port,
    user: username,
    password,
    database,
    stream: () => socket,
    ...(usesTls(settings) && { ssl: { rejectUnauthorized: true, verifyIdentity: true, minVersion: 'TLSv1.2', ...(ca !== '' && { ca }) } }),
    // No file of this machine, and no second statement.
    flags: ['-LOCAL_FILES'],
    multipleStatements: false,
    charset: 'utf8mb4',
    // Parsers are not made of what a server says.
    disableEval: true,
    stringifyObjects: true,
  });
  client.on('error', () => undefined);
  return client;
}

async function requireReader(ask: (sql: string) => Promise<Record<string, unknown>[]>, { username, database }: SqlSettings): Promise<void> {
  // Servers without roles do not know the function.
  const roles = await ask('SELECT CURRENT_ROLE() AS roles').catch((error: { sqlState?: string }) =>
    error.sqlState === undefined ? Promise.reject(error) : [],
  );
  const active = String(roles[0]?.['roles'] ?? 'NONE');
  // MariaDB lists what active roles bring by itself.
  const isList = active !== 'NONE' && active.includes('@');
  const grants = await ask(isList ? `SHOW GRANTS FOR CURRENT_USER() USING ${active}` : 'SHOW GRANTS');
  const powers = grants
    .flatMap((row) => Object.values(row).map(String))
    .flatMap((line) => /^GRANT (.+?) ON \*\.\* TO /.exec(line)?.[1]?.split(/,\s*/) ?? [])
    .filter((power) => /^(ALL PRIVILEGES|SUPER|FILE)$/.test(power));
  if (powers.length > 0) {
    throw new FetchFault(
      'REFUSED',
      `The user ${JSON.stringify(username)} has ${powers.join(', ')}, which is more than reading needs. Make a user for this: ` +
        `CREATE USER countersign_reader IDENTIFIED BY '...'; GRANT SELECT ON \`${database}\`.* TO countersign_reader;`,
      { field: 'username' },
    );
  }
}

/** Runs the statement, and waits for its columns. */
async function openRows(client: Connection, settings: SqlSettings, connection: JudgedConnection): Promise<OpenStatement> {
  connection.measure();
  const query = client.query({ sql: withoutEnd(settings.statement), rowsAsArray: true, typeCast: false });
  const rows = query.stream({ highWaterMark: batchRows });
  connection.socket.once('close', () => rows.destroy(new FetchFault('UNREACHED', 'The connection to the database was closed.')));
  const fields = await new Promise<readonly Field[]>((found, reject) => {
    query.once('fields', (said: readonly Field[] | undefined) => found(said ?? []));
    // The end follows an error, and the stream tells of it later than the query.
    query.once('error', reject);
    rows.once('error', reject);
  });
  return {
    columns: fields.map(({ name }) => name),
    batches: readBatches(rows, fields.map(readerOf), settings, connection),
    observedBy: undefined,
  };
}

async function* readBatches(
  rows: AsyncIterable<(Buffer | null)[]>,
  readers: readonly Reader[],
  settings: SqlSettings,
  connection: JudgedConnection,
): AsyncGenerator<string[][]> {
  let batch: string[][] = [];
  try {
    for await (const row of rows) {
      if (!Array.isArray(row) || row.length !== readers.length) {
        throw new FetchFault('SETTINGS', 'The statement answers more than once. Use one SELECT statement.', { field: 'statement' });
      }
      batch.push(row.map((cell, at) => (cell === null ? '' : (readers[at] as Reader)(cell))));
      if (batch.length === batchRows) {
        connection.measure();
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) {
      yield batch;
    }
  } catch (error) {
    throw explain(error, settings);
  }
}

/** Returns how a column's bytes become text, by the protocol's number of its type. */
function readerOf({ columnType, characterSet }: Field): Reader {
  const isBinary = characterSet === 63;
  switch (columnType) {
    case 7: // TIMESTAMP
    case 12: // DATETIME
      return (cell) => timeText(cell.toString('latin1'));
    case 10: // DATE
      return (cell) => cell.toString('latin1').replace(/^0000-.*/, '');
    case 16: // BIT
      return (cell) => BigInt(`0x${cell.toString('hex') || '0'}`).toString();
    case 249: // BLOB of any length, BINARY, VARBINARY
    case 250:
    case 251:
    case 252:
    case 253:
    case 254:
    case 255:
      return (cell) => cell.toString(isBinary ? 'hex' : 'utf8');
    default:
      return (cell) => cell.toString('utf8');
  }
}

/** Errors of sign-in and of privileges, by the server's numbers. */
const foreign: ReadonlySet<number> = new Set([1044, 1045, 1049, 1698, 1820, 1862, 3118, 4151]);
const forbidden: ReadonlySet<number> = new Set([1142, 1143, 1227, 1370]);
const late: ReadonlySet<number> = new Set([1969, 3024, 1317]);

function explain(error: unknown, { username, database }: SqlSettings): unknown {
  if (error instanceof FetchFault) {
    return error;
  }
  const { errno = 0, code = '', sqlState = '' } = error as { errno?: number; code?: string; sqlState?: string };
  const words = wordsOf(error);
  const refuse = (field: string, text: string): FetchFault => new FetchFault('REFUSED', text, { cause: error, field });
  if (foreign.has(errno)) {
    return refuse(
      errno === 1044 || errno === 1049 ? 'database' : 'password',
      `The database does not let ${JSON.stringify(username)} into ${JSON.stringify(database)}: ${words}.`,
    );
  }
  if (forbidden.has(errno)) {
    return refuse('statement', `The database refuses the statement: ${words}. Run GRANT SELECT ON the table TO ${username}.`);
  }
  if (late.has(errno)) {
    return refuse('statement', 'The statement took longer than 10 minutes.');
  }
  if (code === 'HANDSHAKE_SSL_ERROR' || /HANDSHAKE_NO_SSL|CERT|ALTNAME|SELF_SIGNED|SSL|TLS/.test(code) || /secure connection/.test(words)) {
    return refuse(
      'ca',
      `The database offers no connection that is to be trusted: ${words}. A connection to another machine needs TLS; set \`ca\` to the certificate of the authority that issued the server's.`,
    );
  }
  return sqlState !== ''
    ? new FetchFault('SETTINGS', `The database refuses the statement: ${words}.`, { cause: error, field: 'statement' })
    : new FetchFault('UNREACHED', `The database could not be read: ${words}.`, { cause: error });
}

function withoutEnd(statement: string): string {
  return statement.trim().replace(/;\s*$/, '');
}
