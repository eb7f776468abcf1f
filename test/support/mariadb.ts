/** A MariaDB server (Debian's) for tests, in a folder of its own; and whether this machine has one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.ts';

/** False where MariaDB is not installed: its tests are then left out. */
export const hasMariaDb = existsSync('/usr/sbin/mariadbd') && existsSync('/usr/bin/mariadb-install-db');

export interface MariaDb {
  readonly port: number;
  /** Runs statements as root, one after the other. */
  admin(...statements: string[]): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Starts a server; it takes about a second. `tls` are further arguments. */
export async function startMariaDb(more: readonly string[] = []): Promise<MariaDb> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-mariadb-'));
  const data = join(folder, 'data');
  const common = ['--no-defaults', `--datadir=${data}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])];
  execFileSync(
    '/usr/bin/mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'],
    {
      stdio: 'pipe',
    },
  );
  const port = await freePort();
  const path = join(folder, 'socket');
  const lean = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=32M', '--performance-schema=off', '--skip-name-resolve'];
  const child = spawn(
    '/usr/sbin/mariadbd',
    [...common, '--bind-address=127.0.0.1', `--port=${port}`, `--socket=${path}`, `--pid-file=${join(folder, 'pid')}`, ...lean, ...more],
    { stdio: 'ignore' },
  );
  const client = await connectAsRoot(path, child);
  return {
    port,
    async admin(...statements) {
      const answers: unknown[] = [];
      for (const statement of statements) {
        answers.push((await client.query(statement))[0]);
      }
      return answers;
    },
    async close() {
      client.destroy();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true });
    },
  };
}

async function connectAsRoot(socketPath: string, child: ChildProcess) {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    try {
      return await createConnection({ socketPath, user: 'root' });
    } catch {
      await delay(100);
    }
  }
  throw new Error('MariaDB did not start');
}
