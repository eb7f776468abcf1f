/** Disks that are full: under the log of a server, and under its database. */
import { spawn, spawnSync, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { tokenOf } from '../support/api.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { startTestServer } from '../support/server.ts';

it.skipIf(platform() !== 'linux')('under the log: the server starts, answers and stops in order', { timeout: 240_000 }, async () => {
  const test = await openTestDatabase();
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [resolve(import.meta.dirname, '../../src/cli/main.ts'), 'serve', '--port', String(port), '--database-url', test.url],
    {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'ignore'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  const ended = once(child, 'exit');
  try {
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            (reply) => reply.status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    for (let count = 0; count < 20; count++) {
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/nothing`)).status).toBe(404);
    }
  } finally {
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await test.close();
  }
});

/** A file system of a few megabytes that belongs to the account of the database; a reason where none can be had. */
function mountSmall(dataDirectory: string): { folder: string; unmount(): void } | string {
  if (process.getuid?.() !== 0 || platform() !== 'linux') {
    return 'mounting a small file system needs root on Linux';
  }
  const folder = mkdtempSync(join(tmpdir(), 'csfull-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return 'a small file system cannot be mounted here';
  }
  const { uid, gid } = statSync(dataDirectory);
  chownSync(folder, uid, gid);
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

it('under the database: writes get 503 and when to come back, reads go on, and writes do when there is space again', {
  timeout: 120_000,
}, async (context) => {
  const server = await startTestServer();
  const { admin } = server.test;
  const [{ directory } = { directory: '' }] = await admin("SELECT current_setting('data_directory') AS directory");
  const small = mountSmall(String(directory));
  if (typeof small === 'string') {
    console.log(`left out: ${small}`);
    await server.stop();
    context.skip();
    return;
  }
  const space = `small_${process.pid}`;
  try {
    await admin(`CREATE TABLESPACE ${space} LOCATION '${small.folder}'`);
    await admin(`ALTER TABLE events SET TABLESPACE ${space}`);
    await admin(`CREATE TABLE ballast (content text) TABLESPACE ${space}`);
    await admin('ALTER TABLE ballast ALTER COLUMN content SET STORAGE EXTERNAL');
    for (let size = 200_000; size >= 1_000; ) {
      await admin(`INSERT INTO ballast VALUES (repeat('x', ${size}))`).catch(() => {
        size = Math.trunc(size / 2);
      });
    }
    const token = await tokenOf(server, server.admin);
    const call = (method: string, path: string, body?: object): Promise<Response> =>
      server.fetch(path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) => call('POST', '/api/v1/attributes/risk_levels', { value: `${index} ${'x'.repeat(60)}` })),
    );
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(refused.map(() => [503, '30']));
    expect((await call('GET', '/api/v1/attributes/risk_levels')).status).toBe(200);
    await admin('DROP TABLE ballast');
    await expect
      .poll(async () => (await call('POST', '/api/v1/attributes/risk_levels', { value: 'Space' })).status, { timeout: 60_000 })
      .toBe(200);
  } finally {
    await admin('DROP TABLE IF EXISTS ballast');
    await admin('ALTER TABLE events SET TABLESPACE pg_default');
    await admin(`DROP TABLESPACE ${space}`);
    small.unmount();
    await server.stop();
  }
});

/**
 * Runs in a mount namespace: $FOLDER gets a small disk with a PostgreSQL on it, which runs as nobody. `fill` fills the disk up, `serve` starts the service
 * and stops it once it is ready.
 */
const otherServer = `
mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs -o size=130m,mode=755 tmpfs $FOLDER && mkdir $FOLDER/data && chown 65534:65534 $FOLDER/data && cd /
nobody='setpriv --reuid=65534 --regid=65534 --clear-groups' bin=/usr/lib/postgresql/15/bin
$nobody $bin/initdb -D $FOLDER/data -U postgres -A trust -E UTF8 --locale=C -N --no-instructions > /dev/null
$nobody $bin/postgres -D $FOLDER/data -p $PGPORT -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c max_wal_size=32MB > /dev/null 2>&1 &
server=$!
trap 'kill -QUIT $server; wait $server' EXIT
until $bin/psql -h 127.0.0.1 -U postgres -qc 'CREATE DATABASE main' 2> /dev/null; do sleep 0.1; done
fill() { dd if=/dev/zero of=$FOLDER/ballast bs=4k 2> /dev/null; }
serve() {
  $SERVE > $FOLDER.out 2>&1 & local service=$!
  while kill -0 $service 2> /dev/null; do
    if curl -sf localhost:$PORT/readyz; then kill $service; break; fi
    sleep 0.1
  done
  wait $service; echo " code $?"
  grep ^countersign: $FOLDER.out
}`;

it.skipIf(!hasPostgres || process.getuid?.() !== 0)(
  'under an external database: a start says so and ends, or serves where it writes nothing; with room it serves',
  { timeout: 240_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'csfull-'));
    const [port, database] = [await freePort(), await freePort()];
    const url = `postgres://postgres@127.0.0.1:${database}/main`;
    const entry = resolve(import.meta.dirname, '../../src/cli/main.ts');
    const script = `${otherServer}\nfill; serve; rm $FOLDER/ballast; serve; fill; serve`;
    try {
      const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script], {
        encoding: 'utf8',
        env: {
          ...{ PATH: process.env['PATH'], TMPDIR: tmpdir(), FOLDER: folder, PGPORT: String(database), PORT: String(port) },
          SERVE: `${process.execPath} ${entry} serve --port ${port} --database-url ${url}`,
        },
      });
      if (/unshare|mount:/.test(stderr)) {
        context.skip(`a small file system cannot be mounted here: ${stderr}`);
      }
      expect(stdout.trim().split('\n'), stderr).toEqual([
        'code 1',
        expect.stringMatching(/^countersign: The database at .* could not write init file; make room on the disk of PostgreSQL\.$/),
        '{"status":"ready"} code 0',
        '{"status":"ready"} code 0',
      ]);
    } finally {
      rmSync(`${folder}.out`, { force: true });
      rmdirSync(folder);
    }
  },
);
