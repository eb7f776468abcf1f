/**
 * Starts as operators get them wrong: misspelt variables and folders, a temporary directory that cannot be written to, a hang-up, a newer release
 * on the same database. None makes an empty product, and each says what to do.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { requireTemporaryDirectory } from '../../src/config/temporary-directory.ts';
import { silentLogger } from '../../src/context.ts';
import { findPostmaster } from '../../src/db/embedded/cluster.ts';
import { runInProcess } from '../support/command-line.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const entry = resolve(import.meta.dirname, '../../bin/countersign.js');
const hasScript = spawnSync('script', ['--version']).status === 0;
let folder: string;
let empty: TestDatabase;
const started = new Set<ChildProcess>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cs-operator-'));
  empty = await openTestDatabase({ empty: true });
});
afterEach(() => {
  for (const child of started) {
    child.kill('SIGKILL');
  }
  started.clear();
});
afterAll(async () => {
  await empty.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Whether the database holds anything of ours. */
async function isEmpty(): Promise<boolean> {
  const rows = await empty.admin(
    "SELECT count(*)::int AS count FROM pg_class WHERE relnamespace = to_regnamespace('countersign') AND relkind = 'r'",
  );
  return rows[0]?.['count'] === 0;
}

describe('a misspelt place', () => {
  it('is no data directory: one that is named exists', async () => {
    const missing = join(folder, 'dta');
    const byFlag = await runInProcess(['serve', '--data-dir', missing]);
    expect(byFlag).toMatchObject({ code: 1, stdout: '' });
    expect(byFlag.stderr).toBe(
      `countersign: the data directory ${missing} does not exist; mend --data-dir, or make the folder for a new installation: mkdir -p '${missing}'\n`,
    );
    const byVariable = await runInProcess(['serve'], { env: { COUNTERSIGN_DATA_DIR: missing } });
    expect(byVariable.stderr).toContain('mend COUNTERSIGN_DATA_DIR');
    expect(existsSync(missing)).toBe(false);
  });

  it.each([
    [['tenant', 'list']],
    [['tenant', 'list', '--deleted']],
    [['tenant', 'delete', 'host.example', '--yes']],
    [['user', 'sign-in-link', 'a@b.example', '--local']],
    [['credential', 'create', '--local', '--for', 'a@b.example']],
    [['log', 'check']],
    [['backup', '--output', 'never-written']],
  ])('makes nothing by %j', async (args) => {
    const somewhere = join(folder, 'elsewhere');
    mkdirSync(somewhere, { recursive: true });
    for (const directory of [somewhere, join(folder, 'dta')]) {
      const refused = await runInProcess([...args, '--data-dir', directory]);
      expect(refused.stderr).toContain(directory === somewhere ? `there is no database in ${directory}` : `${directory} does not exist`);
      expect(refused.code).toBeGreaterThan(0);
    }
    expect(readdirSync(somewhere)).toEqual([]);
    const refused = await runInProcess([...args, '--database-url', empty.url]);
    expect(refused.stderr).toContain('there are no tables of countersign in');
    expect(refused.code).toBeGreaterThan(0);
    expect(await isEmpty()).toBe(true);
  });

  it('is neither the folder above a data directory nor the database inside it', async () => {
    const above = join(folder, 'above');
    const inside = join(above, 'data', 'postgres');
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, 'countersign-cluster.json'), '{}');
    for (const args of [['serve'], ['migrate'], ['tenant', 'create', 'host.example'], ['tenant', 'list']]) {
      const high = await runInProcess([...args, '--data-dir', above]);
      expect(high.stderr).toBe(`countersign: ${above} is no data directory, and ${join(above, 'data')} is one; mend --data-dir\n`);
      const deep = await runInProcess([...args, '--data-dir', inside]);
      expect(deep.stderr).toContain(`${inside} is the database inside a data directory; give --data-dir the folder above it`);
    }
    expect(readdirSync(above)).toEqual(['data']);
    expect(readdirSync(inside)).toEqual(['countersign-cluster.json']);
  });

  it('is no empty variable, as a template leaves it', async () => {
    for (const args of [['serve'], ['tenant', 'list'], ['migrate']]) {
      const refused = await runInProcess(args, { env: { COUNTERSIGN_DATABASE_URL: '' } });
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('COUNTERSIGN_DATABASE_URL is set and empty') });
    }
  });

  it.each(['https://reviews.example', 'reviews.example/', '"reviews.example"', 'a b'])(
    'is no host %s of the first tenant',
    async (host) => {
      const refused = await runInProcess(['serve', '--database-url', empty.url], { env: { COUNTERSIGN_TENANT_HOST: host } });
      expect(refused).toEqual({
        code: 2,
        stdout: '',
        stderr: `countersign: --tenant-host must be a host alone, with its port if clients use one, such as reviews.example.com or localhost:8080, not "${host}"\n`,
      });
      expect(await isEmpty()).toBe(true);
    },
  );

  it('is no folder that migrate and tenant create make either', async () => {
    for (const args of [['migrate'], ['tenant', 'create', 'host.example']]) {
      const refused = await runInProcess([...args, '--data-dir', join(folder, 'dta')]);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') });
    }
    expect(existsSync(join(folder, 'dta'))).toBe(false);
  });
});

describe('a temporary directory', () => {
  it.each([
    ['that is missing', () => join(folder, 'nowhere'), 'ENOENT'],
    ['that is a file', () => entry, 'ENOTDIR'],
    ['on a file system that takes nothing', () => '/proc', '(ENOENT|EACCES|EROFS|EPERM)'],
  ])('%s ends the start', async (_what, path, code) => {
    const refused = requireTemporaryDirectory(path());
    await expect(refused).rejects.toThrow(
      new RegExp(`^Nothing can be written to ${path()}, the directory for temporary files \\(${code}\\)\\. Imports wait there: set TMPDIR`),
    );
  });
  it('is left as it was', async () => {
    const directory = mkdtempSync(join(folder, 'tmp-'));
    await requireTemporaryDirectory(directory);
    expect(readdirSync(directory)).toEqual([]);
  });
  it('is named by serve', async () => {
    const child = spawnSync(process.execPath, [entry, 'serve', '--data-dir', folder], {
      env: { PATH: process.env['PATH'], TMPDIR: join(folder, 'nowhere') },
      encoding: 'utf8',
    });
    expect(child.stderr).toContain(`Nothing can be written to ${join(folder, 'nowhere')}`);
    expect(child.status).toBe(1);
    expect(readdirSync(folder)).not.toContain('postgres');
  });
});

describe.skipIf(platform() !== 'linux')('an output that is a full disk', () => {
  it.each([
    [['--help'], 1],
    [['--version'], 1],
    [['tenant', '--help'], 1],
    // 1 would say that the bundle does not hold.
    [['verify', resolve(import.meta.dirname, '../vectors/evidence/sample.evidence.zip')], 2],
  ])('is no success of %j, but %i', (args, code) => {
    const full = openSync('/dev/full', 'w');
    const limits = { timeout: 30_000, killSignal: 'SIGKILL' } as const;
    const child = spawnSync(process.execPath, [entry, ...args], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8', ...limits });
    closeSync(full);
    expect(child.stderr).toContain('countersign: standard output cannot be written: ENOSPC: no space left on device, write');
    expect(child.status).toBe(code);
  });
  it('is no success either where the first piece still had space', () => {
    const output = join(folder, 'help.txt');
    // The limit cuts a write short as the end of a disk does.
    const command = `ulimit -f 1; exec '${process.execPath}' '${entry}' --help > '${output}'`;
    const child = spawnSync('sh', ['-c', command], { encoding: 'utf8', env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } });
    expect(statSync(output).size).toBeGreaterThan(0);
    expect(child.stderr).toBe('countersign: standard output cannot be written: EFBIG: file too large, write\n');
    expect(child.status).toBe(1);
  });
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function run(program: string, args: readonly string[]): Running {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], TMPDIR: tmpdir() } });
  started.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      text += piece.toString('utf8');
    });
  }
  return { child, output: () => text, ended: new Promise((done) => child.once('exit', done)) };
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

describe('SIGHUP', () => {
  it('and signals that mean a reload elsewhere change nothing without a terminal, and say so', async () => {
    const database = await openTestDatabase();
    const port = await freePort();
    const missing = ['import-dir', 'secrets-dir', 'checkpoint-dir'];
    const folders = missing.flatMap((flag) => [`--${flag}`, join(folder, 'nowhere', flag)]);
    const options = ['serve', '--port', String(port), '--database-url', database.url, ...folders];
    const running = run(process.execPath, [entry, ...options]);
    await until(async () => expect(await isReady(port)).toBe(true));
    for (const flag of missing) {
      await until(async () => expect(await running.output()).toContain(`--${flag} cannot be read: ENOENT: no such file or directory`));
    }
    // The other two open Node's debugger to every account of the machine, and end it at once, where nobody listens.
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
      running.child.kill(signal);
      await until(async () => expect(await running.output()).toContain(`countersign: ${signal} changes nothing`));
      expect(await isReady(port)).toBe(true);
    }
    expect(running.output()).not.toMatch(/debugg/i);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    await database.close();
  });
  it.skipIf(!hasScript)('stops in order with 129 at the end of its terminal', async () => {
    const database = await openTestDatabase();
    const port = await freePort();
    const options = ['serve', '--port', String(port), '--database-url', `'${database.url}'`];
    const command = [process.execPath, entry, ...options].join(' ');
    // The shell says its number, and becomes the server.
    const running = run('script', ['-qec', `echo pid=$$; exec ${command}`, '/dev/null']);
    await until(async () => expect(await isReady(port)).toBe(true));
    process.kill(Number(/pid=(\d+)/.exec(running.output())?.[1]), 'SIGHUP');
    expect(await running.ended).toBe(129);
    expect(running.output()).toContain('"msg":"stopped"');
    await database.close();
  });
});

it('is not ready, and takes no more jobs, once a newer release has migrated the database', async () => {
  const test = await openTestDatabase();
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const app = await startApp({ ...readConfig({ host: '127.0.0.1' }, {}), port: 0, databaseUrl: test.url }, { log, schemaLookMs: 20 });
  try {
    expect(await isReady(app.port)).toBe(true);
    await test.admin(
      "INSERT INTO schema_migrations (number, name, checksum) SELECT max(number) + 1, 'from_the_future', '' FROM schema_migrations",
    );
    await until(async () => expect(await lines.some((line) => line.includes('A newer release has migrated the database'))).toBe(true));
    expect(await isReady(app.port)).toBe(false);
    expect((await fetch(`http://127.0.0.1:${app.port}/healthz`)).status).toBe(200);
    expect(lines.filter((line) => line.includes('"msg":"A newer release'))).toHaveLength(1);
  } finally {
    expect(await app.stop()).toBe(true);
    await test.close();
  }
});

describe('a start whose database goes', () => {
  it('begins again: the container that has PostgreSQL may stop while another starts', async () => {
    const dataDir = mkdtempSync(join(folder, 'gone-'));
    chmodSync(folder, 0o755);
    chmodSync(dataDir, 0o755);
    let tries = 0;
    const app = await startApp(readConfig({ 'data-dir': dataDir, port: String(await freePort()), host: '127.0.0.1' }, {}), {
      log: silentLogger,
      async beforeListening(database) {
        tries += 1;
        if (tries === 1) {
          process.kill((await findPostmaster(join(dataDir, 'postgres'))) as number, 'SIGKILL');
          // Until one is refused, which ends this try of the start.
          for (;;) {
            await database.system().rows('SELECT 1');
          }
        }
      },
    });
    await app.stop();
    expect(tries).toBe(2);
  });
});
