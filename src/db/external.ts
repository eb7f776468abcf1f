/**
 * A PostgreSQL that somebody else runs: what it must be (15 or later), and as which role we work there. That role is never a superuser
 * and never bypasses row-level security, else the second lock between tenants would be open.
 */
import pg from 'pg';
import { AppError } from '../errors.ts';
import { type ConnectionTarget, schemaName } from './pool.ts';
import { translateError } from './translate-error.ts';

/** The role that owns everything of ours where the URL's own role is too powerful. It cannot log in. */
const plainRole = 'countersign_app';
const oldestVersion = 150_000;

interface ServerFacts {
  version: number;
  login: string;
  isPowerful: boolean;
  canCreate: boolean;
  hasSchema: boolean;
  hasRole: boolean;
}

/**
 * Checks the server behind a URL and prepares it: the schema `countersign` is made where it is missing. Where the URL's role is a
 * superuser or bypasses row-level security, a role `countersign_app` is made, owns the schema, and every connection works as it.
 */
export async function prepareExternal(databaseUrl: string): Promise<{ target: ConnectionTarget; description: string }> {
  const { config, place } = parseUrl(databaseUrl);
  const client = new pg.Client({ ...config, application_name: 'countersign start', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new AppError(
      'UNAVAILABLE',
      `The database at ${place} cannot be reached: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
      { cause: error },
    );
  }
  try {
    const facts = await readFacts(client);
    if (facts.version < oldestVersion) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The database at ${place} is PostgreSQL ${Math.trunc(facts.version / 10_000)}; Countersign needs 15 or later.`,
      );
    }
    const role = facts.isPowerful ? plainRole : undefined;
    if (role !== undefined) {
      await prepareRole(client, facts);
    }
    await prepareSchema(client, facts, role);
    const noticesLostClients = await client.query('SET client_connection_check_interval = 2000').then(
      () => true,
      () => false,
    );
    const description = `${place}, PostgreSQL ${Math.trunc(facts.version / 10_000)}.${facts.version % 10_000}`;
    return { target: { config, ...(role === undefined ? {} : { role }), noticesLostClients }, description };
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The `options` of a URL would replace ours at connecting, so they are taken out of it and put before them. */
function parseUrl(databaseUrl: string): { config: pg.ClientConfig; place: string } {
  let url: URL;
  try {
    // A user without a host (the socket is in `host=`) is what PostgreSQL takes and URL does not.
    url = new URL(databaseUrl.replace(/^(\w+:\/\/[^@/?]*@)\//, '$1localhost/'));
  } catch (error) {
    throw new AppError('FAILED_PRECONDITION', 'The database URL is not a URL such as postgres://user:password@host:5432/database.', {
      cause: error,
    });
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw new AppError('FAILED_PRECONDITION', 'The database URL must begin with postgres:// or postgresql://.');
  }
  const options = url.searchParams.get('options') ?? undefined;
  url.searchParams.delete('options');
  const place = `${url.searchParams.get('host') ?? (url.host || 'localhost')}${url.pathname}`;
  return { config: { connectionString: url.href, ...(options === undefined ? {} : { options }) }, place };
}

async function readFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS version, current_user::text AS login,
       (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS "isPowerful",
       has_database_privilege(current_database(), 'CREATE') AS "canCreate",
       EXISTS (SELECT FROM pg_namespace WHERE nspname = $1) AS "hasSchema",
       EXISTS (SELECT FROM pg_roles WHERE rolname = $2) AS "hasRole"`,
    [schemaName, plainRole],
  );
  return rows[0] as ServerFacts;
}

async function prepareRole(client: pg.Client, facts: ServerFacts): Promise<void> {
  const login = client.escapeIdentifier(facts.login);
  try {
    if (!facts.hasRole) {
      // Roles belong to the whole server: a process that starts on another database of it may be making the same one.
      await ignoring(client.query(`CREATE ROLE ${plainRole} NOLOGIN NOSUPERUSER NOBYPASSRLS`), ['42710', '23505']);
    }
    const { rows } = await client.query<{ isPowerful: boolean; isMember: boolean }>(
      `SELECT (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = $1) AS "isPowerful", pg_has_role($1, 'MEMBER') AS "isMember"`,
      [plainRole],
    );
    if (rows[0]?.isPowerful === true) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `The role ${plainRole} is a superuser or bypasses row-level security. Change it: ALTER ROLE ${plainRole} NOSUPERUSER NOBYPASSRLS.`,
      );
    }
    if (rows[0]?.isMember !== true) {
      await client.query(`GRANT ${plainRole} TO ${login}`);
    }
    await client.query(`SET ROLE ${plainRole}`);
    await client.query('RESET ROLE');
    const database = client.escapeIdentifier(client.database ?? '');
    await ignoring(client.query(`GRANT CREATE ON DATABASE ${database} TO ${plainRole}`), ['XX000']);
  } catch (error) {
    if (error instanceof AppError) {
      throw error;
    }
    const message = `The role ${facts.login} may not be used as it is (it is a superuser or bypasses row-level security), and a plain role could not be made: ${(error as Error).message}. Give the URL of a plain role that may create a schema in the database.`;
    throw new AppError('FAILED_PRECONDITION', message, { cause: error });
  }
}

async function prepareSchema(client: pg.Client, facts: ServerFacts, role: string | undefined): Promise<void> {
  if (facts.hasSchema) {
    return;
  }
  if (role === undefined && !facts.canCreate) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The role ${facts.login} may not create the schema ${schemaName}. Run as the owner of the database: CREATE SCHEMA ${schemaName} AUTHORIZATION ${client.escapeIdentifier(facts.login)}.`,
    );
  }
  const authorization = role === undefined ? '' : ` AUTHORIZATION ${role}`;
  await ignoring(client.query(`CREATE SCHEMA IF NOT EXISTS ${schemaName}${authorization}`), ['42P06', '23505']);
}

/** Waits for a statement that another process may have run at the same moment: these SQLSTATEs mean that it is done. */
async function ignoring(statement: Promise<unknown>, states: readonly string[]): Promise<void> {
  try {
    await statement;
  } catch (error) {
    if (!states.includes((error as { code?: string }).code ?? '')) {
      throw error;
    }
  }
}
