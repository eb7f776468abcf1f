/**
 * A PostgreSQL that somebody else runs: what it must be (15 or later), how it is reached, and as which roles we work there. The role that serves
 * is never a superuser and never bypasses row-level security, else the second lock between tenants would be open.
 */
import pg from 'pg';
import { AppError } from '../errors.ts';
import type { ConnectionTarget } from './pool.ts';
import { findReadingRoles, prepareRoles, readLogin, retireRole, type Session } from './roles.ts';
import { translateError } from './translate-error.ts';

const oldestVersion = 150_000;
/** Owner of embedded databases of earlier releases. */
const formerEmbeddedRole = 'countersign';

/** A server that is fit, and as whom to work there. */
export interface PreparedServer {
  readonly target: ConnectionTarget;
  /** For migrations; undefined where no URL of ours may act as the owner of the schema. */
  readonly ownerTarget: ConnectionTarget | undefined;
  readonly description: string;
  readonly warnings: readonly string[];
}

interface Place {
  readonly config: pg.ClientConfig;
  readonly name: string;
}

/**
 * Checks the server behind a URL and prepares it: the roles and the schema `countersign` are made where they are missing and may be. A URL whose
 * role is too powerful to serve stays the login, and every connection works as the role that serves, or owns. With `onlyReads` nothing is served,
 * so an owner that bypasses row-level security needs no other role.
 */
export async function prepareExternal(databaseUrl: string, ownerUrl: string | undefined, onlyReads = false): Promise<PreparedServer> {
  const place = parseUrl(databaseUrl, '--database-url');
  const ownerPlace = ownerUrl === undefined ? undefined : parseUrl(ownerUrl, '--database-owner-url');
  const server = await connect(place);
  let owner: Session | undefined;
  try {
    refuseOldServer(server.login.version, place.name);
    owner = ownerPlace === undefined ? undefined : await connect(ownerPlace);
    const reading = onlyReads && owner === undefined ? await findReadingRoles(server) : undefined;
    const roles = reading ?? (await prepareRoles(server, owner));
    const noticesLostClients = await noticesLostClientsOf(server.client);
    const { config } = place;
    const ownerLogin = (owner ?? server).login;
    const ownerTarget =
      roles.owner === undefined ? undefined : targetFor((ownerPlace ?? place).config, ownerLogin.name, roles.owner, noticesLostClients);
    const { version } = server.login;
    return {
      target: targetFor(config, server.login.name, roles.server, noticesLostClients),
      ownerTarget,
      description: `${place.name}, PostgreSQL ${Math.trunc(version / 10_000)}.${version % 10_000}`,
      warnings: roles.warnings,
    };
  } catch (error) {
    throw explain(error, place.name);
  } finally {
    await Promise.all([server, owner].map((each) => each?.client.end().catch(() => undefined)));
  }
}

/**
 * Prepares a database of the embedded server, over its superuser. Its roles log in by themselves: nobody else reaches its socket, and nothing
 * that a statement says can lead back to the superuser.
 */
export async function prepareEmbedded(
  superuserConfig: pg.ClientConfig,
): Promise<{ target: ConnectionTarget; ownerTarget: ConnectionTarget }> {
  const server = await connect({ config: superuserConfig, name: 'the embedded PostgreSQL' });
  try {
    const { server: user, owner = user } = await prepareRoles(server, undefined, true);
    await retireRole(server.client, formerEmbeddedRole);
    const noticesLostClients = await noticesLostClientsOf(server.client);
    return {
      target: { config: { ...superuserConfig, user }, noticesLostClients },
      ownerTarget: { config: { ...superuserConfig, user: owner }, noticesLostClients },
    };
  } catch (error) {
    throw translateError(error);
  } finally {
    await server.client.end().catch(() => undefined);
  }
}

function targetFor(config: pg.ClientConfig, login: string, role: string, noticesLostClients: boolean): ConnectionTarget {
  return { config, ...(role === login ? {} : { role }), noticesLostClients };
}

function noticesLostClientsOf(client: pg.Client): Promise<boolean> {
  return client.query('SET client_connection_check_interval = 2000').then(
    () => true,
    () => false,
  );
}

async function connect({ config, name }: Place): Promise<Session> {
  const client = new pg.Client({ ...config, application_name: 'countersign start', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { client, login: await readLogin(client) };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new AppError(
      'UNAVAILABLE',
      `The database at ${name} cannot be reached: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
      { cause: error },
    );
  }
}

function refuseOldServer(version: number, name: string): void {
  if (version < oldestVersion) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The database at ${name} is PostgreSQL ${Math.trunc(version / 10_000)}; Countersign needs 15 or later.`,
    );
  }
}

/** Explains a refusal while roles and schema are prepared, for an operator to mend: its words name what. */
function explain(error: unknown, name: string): AppError {
  const translated = translateError(error);
  return translated.code === 'INTERNAL' && error instanceof pg.DatabaseError
    ? new AppError(
        'FAILED_PRECONDITION',
        `The roles of the database at ${name} could not be prepared: ${error.message}. See Roles in docs/operations.md.`,
        {
          cause: error,
        },
      )
    : translated;
}

/** The `options` of a URL would replace ours at connecting, so they are taken out of it and put before them. */
function parseUrl(databaseUrl: string, option: string): Place {
  let url: URL;
  try {
    // A user without a host (the socket is in `host=`) is what PostgreSQL takes and URL does not.
    url = new URL(databaseUrl.replace(/^(\w+:\/\/[^@/?]*@)\//, '$1localhost/'));
  } catch (error) {
    throw new AppError('FAILED_PRECONDITION', `The value of ${option} is not a URL such as postgres://user:password@host:5432/database.`, {
      cause: error,
    });
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw new AppError('FAILED_PRECONDITION', `The value of ${option} must begin with postgres:// or postgresql://.`);
  }
  const options = url.searchParams.get('options') ?? undefined;
  url.searchParams.delete('options');
  const name = `${url.searchParams.get('host') ?? (url.host || 'localhost')}${url.pathname}`;
  return { config: { connectionString: url.href, ...(options === undefined ? {} : { options }) }, name };
}
