/**
 * The credentials that `login` keeps: a file that names the servers, and the secrets in the keyring of the system where there is one, else in that
 * file, which only its owner can read.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientCredential } from '../../client/index.ts';
import { asObject } from '../../lib/json.ts';
import { CommandFailure } from '../frame/io.ts';
import { openKeyring } from './keyring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A credential as the file keeps it, by the origin of its server. */
interface Kept {
  readonly credentialId: string;
  readonly clientId: string;
  /** Absent where the keyring has it. */
  readonly clientSecret?: string;
}

interface KeptFile {
  /** The server that was signed in to last. */
  readonly current: string;
  readonly servers: Readonly<Record<string, Kept>>;
}

/** A credential that was kept. */
export interface StoredCredential extends ClientCredential {
  readonly credentialId: string;
}

/** Returns the path of the file; undefined where the environment names no home. */
export function storePath(env: Environment): string | undefined {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '';
  const folder = env['XDG_CONFIG_HOME'] || (home === '' ? '' : join(home, '.config'));
  return folder === '' ? undefined : join(folder, 'countersign', 'credentials.json');
}

function readFile(env: Environment): KeptFile {
  const path = storePath(env);
  const none = { current: '', servers: {} };
  let text: string;
  try {
    text = path === undefined ? '' : readFileSync(path, 'utf8');
  } catch {
    return none;
  }
  if (path === undefined || text === '') {
    return none;
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new CommandFailure(`${path} holds secrets and others can read it: run chmod 600 ${path}`);
  }
  try {
    const { current, servers } = asObject(JSON.parse(text));
    return { current: typeof current === 'string' ? current : '', servers: asObject(servers) as unknown as Record<string, Kept> };
  } catch {
    throw new CommandFailure(`${path} cannot be read: remove it, and run countersign login again`);
  }
}

function requirePath(env: Environment): string {
  const path = storePath(env);
  if (path === undefined) {
    throw new CommandFailure('there is no place to keep a credential: set HOME or XDG_CONFIG_HOME');
  }
  return path;
}

function writeFile(env: Environment, kept: KeptFile): string {
  const path = requirePath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, path);
  return path;
}

/** Keeps a credential, and its server as the one that commands talk to. Returns where the secret is. */
export function storeCredential(env: Environment, server: string, { credentialId, clientId, clientSecret }: StoredCredential): string {
  const { servers } = readFile(env);
  const keyring = openKeyring(env);
  const isInKeyring = keyring?.store(server, clientSecret) ?? false;
  const kept: Kept = { credentialId, clientId, ...(isInKeyring ? {} : { clientSecret }) };
  const path = writeFile(env, { current: server, servers: { ...servers, [server]: kept } });
  return isInKeyring && keyring !== undefined ? keyring.name : path;
}

/** Throws where nothing can be kept, before there is anything to keep. */
export function requirePlace(env: Environment): void {
  requirePath(env);
  readFile(env);
}

/** Returns the credential that is kept for a server; CommandFailure where the keyring has its secret and does not give it. */
export function findStored(env: Environment, server: string): StoredCredential | undefined {
  const { servers } = readFile(env);
  const kept = Object.hasOwn(servers, server) ? servers[server] : undefined;
  const clientSecret = kept?.clientSecret ?? (kept === undefined ? undefined : openKeyring(env)?.find(server));
  if (kept !== undefined && clientSecret === undefined) {
    throw new CommandFailure(
      `the keyring does not give the secret of the login to ${server}: unlock it and try again, or run countersign login`,
    );
  }
  return kept === undefined || clientSecret === undefined
    ? undefined
    : { credentialId: kept.credentialId, clientId: kept.clientId, clientSecret };
}

/** Returns the server that was signed in to last; empty for none. */
export function currentServer(env: Environment): string {
  return readFile(env).current;
}

/** Forgets the credential of a server. */
export function forgetCredential(env: Environment, server: string): void {
  const { current, servers } = readFile(env);
  const { [server]: kept, ...others } = servers;
  if (kept !== undefined) {
    if (kept.clientSecret === undefined) {
      openKeyring(env)?.remove(server);
    }
    writeFile(env, { current: current === server ? (Object.keys(others)[0] ?? '') : current, servers: others });
  }
}
