/** A pgbouncer (Debian's) before the database of a test, in a folder of its own; and whether this machine has one. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** False where pgbouncer is not installed: its tests are then left out. */
export const hasPgbouncer = existsSync('/usr/sbin/pgbouncer');

export interface Pgbouncer {
  /** The same database, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a pooler before the database of a URL, as it comes but for these settings. */
export async function startPgbouncer(databaseUrl: string, settings: Readonly<Record<string, string | number>>): Promise<Pgbouncer> {
  const target = new pg.Client({ connectionString: databaseUrl });
  const { host, port, user = '', database = '' } = target;
  const password = typeof target.password === 'string' ? target.password : '';
  const folder = await mkdtemp(join(tmpdir(), 'countersign-pgbouncer-'));
  const at = (name: string): string => join(folder, name);
  const listenPort = await freePort();
  const given = { auth_type: 'trust', auth_file: at('users.txt'), logfile: at('log'), unix_socket_dir: '', ...settings };
  const lines = Object.entries({ listen_addr: '127.0.0.1', listen_port: listenPort, ...given }).map(
    ([name, value]) => `${name} = ${value}`,
  );
  await writeFile(at('pgbouncer.ini'), `[databases]\n* = host=${host} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`);
  await writeFile(at('users.txt'), `"${user}" "${password}"\n`);
  // It refuses to run as root, and the socket of our own server is open to its account alone.
  const account = process.getuid?.() === 0 ? accountFor(host) : {};
  for (const path of 'uid' in account ? [folder, at('pgbouncer.ini'), at('users.txt')] : []) {
    await chown(path, account.uid ?? 0, account.gid ?? 0);
  }
  const child = spawn('/usr/sbin/pgbouncer', ['-q', at('pgbouncer.ini')], { ...account, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  async function close(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  }
  const url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${listenPort}/${database}`;
  for (let tries = 0; tries < 1500 && child.exitCode === null; tries++) {
    if (await accepts(url)) {
      return { url, close };
    }
    await delay(20);
  }
  const said = await readFile(at('log'), 'utf8').catch(() => '');
  await close();
  throw new Error(`pgbouncer did not start: ${said}`);
}

function accountFor(host: string): { uid?: number; gid?: number } {
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 0, gid: 0 };
  return uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
}

/** A client of the pooler that is not ours. */
export async function connect({ url }: Pick<Pgbouncer, 'url'>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client.connect();
}

function accepts(url: string): Promise<boolean> {
  return connect({ url }).then(
    (client) => client.end().then(() => true),
    // One that lets nobody in runs all the same.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
}
