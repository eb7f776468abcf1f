/**
 * Role that owns the tables and role that serves requests: found or made, and the schema with all that is in it given to the owner. What the
 * serving role may do with the tables is in access.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../errors.ts';
import { handOver, listForeignOwners } from './hand-over.ts';
import { schemaName } from './pool.ts';
import { sqlStateOf } from './translate-error.ts';

/** The role that we make to own the schema. It runs migrations and dumps, and passes row-level security where we may give it that. */
const ownerName = 'countersign_owner';
/** The role that we make to serve requests: it owns nothing, and row-level security binds it. */
const serverName = 'countersign_app';

/** Key of the advisory lock under which one process at a time prepares a database. */
const prepareLock = 7_300_004;
/** Roles belong to all databases of a server, so a process on another one may make the same at the same moment. */
const maxRaces = 20;
const raceStates = new Set(['23505', '42710', '42P06', 'XX000', '40001', '40P01']);

/** Own role of a connection and its rights. */
export interface Login {
  readonly name: string;
  readonly database: string;
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly isSuperuser: boolean;
  readonly bypassesRls: boolean;
  readonly makesRoles: boolean;
  readonly ownsDatabase: boolean;
  readonly mayCreate: boolean;
}

/** A connection and the role it logged in as. */
export interface Session {
  readonly client: pg.Client;
  readonly login: Login;
}

/** Roles to serve and own; `owner` is undefined where this process has no way to act as the owner. */
export interface Roles {
  readonly server: string;
  readonly owner: string | undefined;
  /** Advice to the operator, a sentence or two each. */
  readonly warnings: readonly string[];
}

/** Reads what the role of a connection may do. */
export async function readLogin(client: pg.Client): Promise<Login> {
  const { rows } = await client.query<Login>(
    `SELECT current_user::text AS name, current_database()::text AS database, current_setting('server_version_num')::int AS version,
       current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS "isStandby",
       current_setting('default_transaction_read_only')::boolean AS "isReadOnly", r.rolsuper AS "isSuperuser", r.rolbypassrls AS "bypassesRls", r.rolcreaterole AS "makesRoles",
       pg_has_role(d.datdba, 'USAGE') AS "ownsDatabase", has_database_privilege(d.oid, 'CREATE') AS "mayCreate"
     FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`,
  );
  return rows[0] as Login;
}

/**
 * Finds or makes both roles and prepares the schema. `owner` is the connection of --database-owner-url, where there is one. With
 * `withLogin`, the roles can log in themselves, which only the embedded server's private socket makes safe without passwords.
 */
export async function prepareRoles(server: Session, owner: Session | undefined, withLogin = false): Promise<Roles> {
  if (owner !== undefined && owner.login.database !== server.login.database) {
    throw refuse(
      `--database-url and --database-owner-url name different databases (${server.login.database} and ${owner.login.database}). Give two roles of one database.`,
    );
  }
  const preparing = owner ?? server;
  const maker = [preparing, server].find(({ login }) => login.isSuperuser) ?? [preparing, server].find(({ login }) => login.makesRoles);
  if (maker === undefined) {
    return describeRoles(preparing.client, await prepareAsGiven(server, owner));
  }
  const names = {
    server: isPlain(server.login) ? server.login.name : serverName,
    owner: owner === undefined || owner.login.isSuperuser ? ownerName : owner.login.name,
  };
  try {
    await inPreparation(maker.client, () => makeRoles(maker, names, server.login, preparing.login, withLogin));
    return await describeRoles(maker.client, names);
  } catch (error) {
    const reason = (error as Error).message;
    if (maker.login.isSuperuser || error instanceof AppError) {
      throw error;
    }
    const roles = await describeRoles(preparing.client, await prepareAsGiven(server, owner));
    const warning = `The role ${maker.login.name} may create roles, but could not prepare ${names.owner} and ${names.server}: ${reason}.`;
    return { ...roles, warnings: [warning, ...roles.warnings] };
  }
}

/**
 * Roles to read all tenants as, where the login bypasses row-level security and is no superuser: the login itself, which needs the rights of the
 * owner of the schema. Makes and changes nothing. Undefined for any other login.
 */
export async function findReadingRoles({ client, login }: Session): Promise<Roles | undefined> {
  if (!login.bypassesRls || login.isSuperuser || (await mayBecome(client, login, serverName))) {
    return undefined;
  }
  const { rows } = await client.query<{ owner: string; mayRead: boolean }>(
    `SELECT pg_get_userbyid(nspowner)::text AS owner, pg_has_role(nspowner, 'USAGE') AS "mayRead" FROM pg_namespace WHERE nspname = $1`,
    [schemaName],
  );
  const { owner, mayRead = true } = rows[0] ?? {};
  if (!mayRead) {
    throw refuse(
      `The role ${login.name} bypasses row-level security, but has no rights of ${owner}, which owns the tables. Give the URL of ${owner} or of the role that serves.`,
    );
  }
  return { server: login.name, owner: login.name, warnings: [] };
}

/** Removes the role that earlier releases both owned and served as, where it has nothing outside of this database. */
export async function retireRole(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount === 0) {
    return;
  }
  const role = quote(client, name);
  await inPreparation(client, async () => {
    const { rowCount: found } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
    if (found !== 0) {
      await client.query(`REASSIGN OWNED BY ${role} TO ${ownerName}; DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  }).catch((error: unknown) => {
    if (sqlStateOf(error) !== '2BP01') {
      throw error;
    }
  });
}

/** Neither past row-level security nor able to get there. */
function isPlain(login: Login): boolean {
  return !login.isSuperuser && !login.bypassesRls && !login.makesRoles;
}

/** Runs the preparation in one transaction, again where another process got in between. */
async function inPreparation(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let races = 0; ; races++) {
    try {
      await client.query("BEGIN; SET LOCAL lock_timeout = '60s'; SET LOCAL statement_timeout = 0");
      await client.query('SELECT pg_advisory_xact_lock($1)', [prepareLock]);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (races >= maxRaces || !raceStates.has(sqlStateOf(error) ?? '')) {
        throw error;
      }
      await delay(10 + Math.random() * 40);
    }
  }
}

async function makeRoles(
  { client, login }: Session,
  names: { server: string; owner: string },
  serverLogin: Login,
  ownerLogin: Login,
  withLogin: boolean,
): Promise<void> {
  const { rows } = await client.query<{ name: string; isPowerful: boolean; bypassesRls: boolean; canLogIn: boolean }>(
    `SELECT rolname AS name, rolsuper OR rolbypassrls AS "isPowerful", rolbypassrls AS "bypassesRls", rolcanlogin AS "canLogIn"
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [[names.server, names.owner]],
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  if (found.get(names.server)?.isPowerful === true) {
    throw refuse(
      `The role ${names.server} is a superuser or bypasses row-level security. Take that from it: ALTER ROLE ${names.server} NOSUPERUSER NOBYPASSRLS.`,
    );
  }
  const mayExempt = login.isSuperuser || (login.bypassesRls && login.version >= 160_000);
  if (!found.has(names.server)) {
    await client.query(`CREATE ROLE ${quote(client, names.server)} NOLOGIN`);
  }
  if (!found.has(names.owner)) {
    await client.query(`CREATE ROLE ${quote(client, names.owner)} NOLOGIN${mayExempt ? ' BYPASSRLS' : ''}`);
  } else if (names.owner === ownerName && found.get(names.owner)?.bypassesRls !== true && login.isSuperuser) {
    await client.query(`ALTER ROLE ${ownerName} BYPASSRLS`);
  }
  for (const name of withLogin ? [names.server, names.owner] : []) {
    if (found.get(name)?.canLogIn !== true) {
      await client.query(`ALTER ROLE ${quote(client, name)} LOGIN`);
    }
  }
  await letBecome(client, serverLogin, names.server);
  await letBecome(client, ownerLogin, names.owner);
  await prepareDatabase({ client, login }, names);
  await prepareSchema({ client, login }, names.owner);
}

/** Lets a login that is no superuser work as a role. */
async function letBecome(client: pg.Client, login: Login, role: string): Promise<void> {
  if (!login.isSuperuser && login.name !== role && !(await mayBecome(client, login, role))) {
    await client.query(`GRANT ${quote(client, role)} TO ${quote(client, login.name)}`);
  }
}

async function mayBecome(client: pg.Client, login: Login, role: string): Promise<boolean> {
  const how = login.version >= 160_000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query<{ may: boolean | null }>(
    'SELECT pg_has_role($1::name, oid, $3) AS may FROM pg_roles WHERE rolname = $2',
    [login.name, role, how],
  );
  return rows[0]?.may === true;
}

/** The owner may restore into the database; both may connect, and make temporary tables, also where PUBLIC may not. */
async function prepareDatabase({ client, login }: Session, names: { server: string; owner: string }): Promise<void> {
  if (!login.ownsDatabase && !login.isSuperuser) {
    return;
  }
  const { rows } = await client.query<{ change: string }>(
    `SELECT format('GRANT %s ON DATABASE %I TO %I', w.privilege, d.datname, w.role) AS change
     FROM pg_database d, (VALUES ($1::name, 'CREATE'), ($1, 'CONNECT'), ($1, 'TEMPORARY'), ($2, 'CONNECT'), ($2, 'TEMPORARY')) AS w (role, privilege)
     WHERE d.datname = current_database() AND NOT has_database_privilege(w.role, d.oid, w.privilege)
     UNION ALL
     SELECT format('REVOKE CREATE ON DATABASE %I FROM %I', d.datname, r.rolname)
     FROM pg_database d, aclexplode(d.datacl) a JOIN pg_roles r ON r.oid = a.grantee
     WHERE d.datname = current_database() AND r.rolname = $2 AND $2 = '${serverName}' AND a.privilege_type = 'CREATE' AND d.datdba <> r.oid`,
    [names.owner, names.server],
  );
  for (const { change } of rows) {
    await client.query(change);
  }
}

/** Makes the schema where it is missing, and gives what is in it to the owner. */
async function prepareSchema({ client, login }: Session, owner: string): Promise<void> {
  const current = await findSchemaOwner(client);
  if (current === undefined) {
    if (!login.mayCreate) {
      throw refuse(
        `The role ${login.name} may not create the schema ${schemaName}. Run as the owner of the database: CREATE SCHEMA ${schemaName} AUTHORIZATION ${quote(client, owner)};`,
      );
    }
    await client.query(`CREATE SCHEMA ${schemaName} AUTHORIZATION ${quote(client, owner)}`);
    return;
  }
  await handOver(client, owner);
}

async function findSchemaOwner(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ owner: string }>(
    'SELECT pg_get_userbyid(nspowner)::text AS owner FROM pg_namespace WHERE nspname = $1',
    [schemaName],
  );
  return rows[0]?.owner;
}

/** Without a login that may make roles: works with those there are. */
async function prepareAsGiven(server: Session, owner: Session | undefined): Promise<{ server: string; owner: string | undefined }> {
  const { client, login } = server;
  let name = login.name;
  if (login.bypassesRls) {
    name = serverName;
    if (!(await mayBecome(client, login, name))) {
      throw refuse(
        `The role ${login.name} bypasses row-level security and may not serve. Give the URL of a plain role as --database-url, and this one as --database-owner-url.`,
      );
    }
  }
  if (owner !== undefined) {
    await inPreparation(owner.client, () => prepareSchema(owner, owner.login.name)).catch(async (error: unknown) => {
      throw sqlStateOf(error) === '42501' ? await explainForeign(owner, error) : error;
    });
    return { server: name, owner: owner.login.name };
  }
  const current = await findSchemaOwner(client);
  if (current === undefined) {
    await inPreparation(client, () => prepareSchema(server, login.name));
    return { server: name, owner: login.name };
  }
  return { server: name, owner: current === login.name || (await mayBecome(client, login, current)) ? current : undefined };
}

/** Explains what to do where the owner may not take what others own. */
async function explainForeign({ client, login }: Session, cause: unknown): Promise<unknown> {
  const others = await listForeignOwners(client, login.name);
  if (others.length === 0) {
    return cause;
  }
  const sql = others.map((other) => `REASSIGN OWNED BY ${quote(client, other)} TO ${quote(client, login.name)};`).join(' ');
  return refuse(
    `The schema ${schemaName} or something in it belongs to ${others.join(', ')}, not to ${login.name}. Run as a superuser, in the database ${login.database}: ${sql}`,
    cause,
  );
}

async function describeRoles(client: pg.Client, { server, owner }: { server: string; owner: string | undefined }): Promise<Roles> {
  if (owner === undefined) {
    return { server, owner, warnings: [] };
  }
  const { rows } = await client.query<{ isOne: boolean }>('SELECT pg_has_role($1::name, $2::name, $3) AS "isOne"', [
    server,
    owner,
    'MEMBER',
  ]);
  const warning = `The role ${server} serves requests and can also act as the owner of the tables${server === owner ? '' : ` (${owner})`}. So pg_dump fails as this role under forced row-level security, and a fault in the service could change the schema. Give the service a role of its own: see Roles in docs/operations.md.`;
  return { server, owner, warnings: rows[0]?.isOne === true ? [warning] : [] };
}

function quote(client: pg.Client, name: string): string {
  return client.escapeIdentifier(name);
}

function refuse(message: string, cause?: unknown): AppError {
  return new AppError('FAILED_PRECONDITION', message, { cause });
}
