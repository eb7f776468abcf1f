/**
 * A PostgreSQL that somebody else runs: what it must be (15 or later), how it is reached, and as which roles we work there. The role that serves
 * is never a superuser and never bypasses row-level security, else the second lock between tenants would be open.
 */
import pg from 'pg';
import { AppError } from '../errors.ts';
import { refuseSharing } from './check-pooler.ts';
import type { ConnectionTarget } from './pool.ts';
import { type Place, readUrl } from './read-url.ts';
import { findReadingRoles, prepareRoles, readLogin, retireRole, type Session } from './roles.ts';
import { sayDatabase } from '../lib/database-errors/say-database.ts';
import { translateError } from './translate-error.ts';

const oldestVersion = 150_000;
/** Owner of embedded databases of earlier releases. */
const formerEmbeddedRole = 'countersign';
/** Connections by which a pooler is tried. */
const mostTried = 8;

/** A server that is fit, and as whom to work there. */
export interface PreparedServer {
  readonly target: ConnectionTarget;
  /** For migrations; undefined where no URL of ours may act as the owner of the schema. */
  readonly ownerTarget: ConnectionTarget | undefined;
  readonly description: string;
  readonly warnings: readonly string[];
}

/** How a server is to be used. */
export interface Use {
  /** True if nothing is served and no row is written. */
  readonly onlyReads: boolean;
  /** Most connections at once. */
  readonly poolSize: number;
}

/**
 * Checks the server behind a URL and prepares it: the roles and the schema `countersign` are made where they are missing and may be. A URL whose
 * role is too powerful to serve stays the login, and every connection works as the role that serves, or owns. Where nothing is written, an owner
 * that bypasses row-level security needs no other role, and a standby will do.
 */
export async function prepareExternal(databaseUrl: string, ownerUrl: string | undefined, use: Use): Promise<PreparedServer> {
  const place = readUrl(databaseUrl, '--database-url (COUNTERSIGN_DATABASE_URL, DATABASE_URL)');
  const ownerPlace = ownerUrl === undefined ? undefined : readUrl(ownerUrl, '--database-owner-url (COUNTERSIGN_DATABASE_OWNER_URL)');
  const server = await openSession(place, use);
  let owner: Session | undefined;
  try {
    owner = ownerPlace === undefined ? undefined : await openSession(ownerPlace, use);
    const reading = use.onlyReads && owner === undefined ? await findReadingRoles(server) : undefined;
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
    const code = translateError(error).code === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'FAILED_PRECONDITION';
    throw error instanceof AppError
      ? error
      : refuse(code, `The roles of the database at ${place.name} could not be prepared: ${sayDatabase(error)}.`, error);
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

/** Connects to a server that is fit for use, through whatever pooler is before it. */
async function openSession(place: Place, { onlyReads, poolSize }: Use): Promise<Session> {
  const session = await connect(place);
  try {
    refuseUnfit(session, place.name, onlyReads);
    await refuseSharing(session.client, () => connectClient(place), place.name, Math.max(2, Math.min(mostTried, poolSize)));
    return session;
  } catch (error) {
    await session.client.end().catch(() => undefined);
    throw error instanceof AppError ? error : unreached(error, place.name);
  }
}

async function connect(place: Place): Promise<Session> {
  const client = await connectClient(place);
  try {
    return { client, login: await readLogin(client) };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unreached(error, place.name);
  }
}

async function connectClient({ config, name }: Place): Promise<pg.Client> {
  let client: pg.Client | undefined;
  try {
    // Already this reads the files that a URL names.
    client = new pg.Client({ ...config, application_name: 'countersign start', connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    return await client.connect();
  } catch (error) {
    await client?.end().catch(() => undefined);
    throw unreached(error, name);
  }
}

function unreached(error: unknown, name: string): AppError {
  const verb = error instanceof pg.DatabaseError ? 'does not let Countersign in' : 'cannot be reached';
  return refuse('UNAVAILABLE', `The database at ${name} ${verb}: ${sayDatabase(error)}.`, error);
}

/** Too old; with an encoding that does not hold every text; or a standby, which only a backup can be made from. */
function refuseUnfit({ login }: Session, name: string, onlyReads: boolean): void {
  const { version, encoding, isStandby, isReadOnly, database } = login;
  if (version < oldestVersion) {
    throw refuse(
      'FAILED_PRECONDITION',
      `The database at ${name} is PostgreSQL ${Math.trunc(version / 10_000)}; Countersign needs 15 or later.`,
    );
  }
  if (onlyReads) {
    return;
  }
  if (encoding !== 'UTF8') {
    throw refuse(
      'FAILED_PRECONDITION',
      `The database at ${name} has the encoding ${encoding}, which cannot hold every name; make another with createdb -E UTF8 -T template0 and give its URL (countersign backup and restore take along what is in ${database}).`,
    );
  }
  if (isStandby) {
    throw refuse('FAILED_PRECONDITION', `The database at ${name} is a standby, which takes no changes; give the URL of the primary.`);
  }
  if (isReadOnly) {
    throw refuse(
      'FAILED_PRECONDITION',
      `The database at ${name} takes no changes (default_transaction_read_only is on, as managed services set it when the disk is full); end its read-only mode, or give the URL of the primary.`,
    );
  }
}

function refuse(code: 'FAILED_PRECONDITION' | 'UNAVAILABLE', message: string, cause?: unknown): AppError {
  return new AppError(code, message, { cause });
}
