/**
 * The commands that work on the database itself, each in a container of its own beside `serve` in another one, on one data directory: one PostgreSQL
 * serves both, or the command is refused; no acknowledged write is lost. Containers that all serve are in containers.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canMakeContainers, type ContainerOptions, containerOf, endContainer, firstChildOf, listServers } from '../support/containers.ts';
import { readAllHelp } from '../support/read-help.ts';
import { until } from '../support/until.ts';
import { makePlace, type Place, type ServerProcess, startServer } from './server-process.ts';
import { expectAllThere, type SharedDirectory, shareDirectory, startWriter, type Writer } from './shared-directory.ts';

const entry = resolve(import.meta.dirname, '../../src/cli/main.ts');

/** Backups wait for it, and hardly anything else. */
const lockTable = 'BEGIN; LOCK TABLE countersign.retention_settings IN ACCESS EXCLUSIVE MODE';

/** A command that was started, and its end: the exit code (null after a kill) and all that it printed. */
interface RunningCommand {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; said: string }>;
}

function start(dataDir: string, words: string, options: ContainerOptions = {}): RunningCommand {
  const [program = '', ...args] = [...containerOf(dataDir, options), process.execPath, entry, ...words.split(' ')];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir() } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
  }
  return { child, ended: new Promise((done) => child.once('close', (code) => done({ code, said }))) };
}

/** Sends a signal to the command itself, the first process of its container. */
function signal({ child }: RunningCommand, name: NodeJS.Signals): void {
  process.kill(firstChildOf(child.pid as number) as number, name);
}

/** Connects as the superuser, over the socket where we see it; tries until somebody runs a server. */
function connect(dataDir: string): Promise<pg.Client> {
  return until(async () => {
    const client = new pg.Client({ host: join(dataDir, 'postgres'), port: 5432, user: 'postgres', database: 'countersign' });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  });
}

/** Waits until so many sessions of others are like this, as pg_stat_activity has it. */
async function untilSessions(client: pg.Client, condition: string, count = 1): Promise<void> {
  await until(async () => {
    // A transaction sees them as they were when it first looked.
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${condition}`);
    expect(rows).toHaveLength(count);
  });
}

/** Waits until so many backups wait for a table that this session has locked. */
async function untilBackupsWait(client: pg.Client, count: number): Promise<void> {
  await untilSessions(client, "query LIKE 'LOCK TABLE countersign.%' AND wait_event_type = 'Lock'", count);
}

/** Stops a command with a migration or all of a restore under way: it holds the lock of migrations (src/db/migrate.ts), and does nothing. */
async function stopInTheMidst(client: pg.Client, command: RunningCommand): Promise<void> {
  const holds = "pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7300003 AND granted)";
  const pid = firstChildOf(command.child.pid as number) as number;
  for (;;) {
    await untilSessions(client, holds);
    process.kill(pid, 'SIGSTOP');
    await until(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /));
    // What it had sent is done first, and may be a COMMIT.
    await untilSessions(client, "application_name = 'countersign' AND state = 'active'", 0);
    const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE ${holds}`);
    if (rows.length === 1) {
      return;
    }
    process.kill(pid, 'SIGCONT');
  }
}

describe.runIf(canMakeContainers)('while serve runs in another container', { timeout: 240_000 }, () => {
  let shared: SharedDirectory;
  let writer: Writer;
  let cluster: string;
  let folder: string;
  let mountedAt: string;
  beforeAll(async () => {
    shared = await shareDirectory('service');
    folder = dirname(shared.place.dataDir);
    cluster = join(shared.place.dataDir, 'postgres');
    mountedAt = join(folder, 'elsewhere');
    mkdirSync(mountedAt);
    writer = await startWriter(shared);
    await writer.more();
    expect(await run('backup --output FOLDER/first.backup --data-dir DIR')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await writer.end('SIGKILL');
    await until(() => expect(listServers(cluster)).toEqual([]));
    await shared.place.remove();
  });

  /** Runs a command on another mount of the directory: DIR is its place, FOLDER one for files, HOST that of the tenant. */
  function begin(words: string, options: ContainerOptions = {}): RunningCommand {
    const host = `localhost:${shared.place.port}`;
    const told = words.replace('DIR', mountedAt).replaceAll('FOLDER', folder).replaceAll('HOST', host);
    return start(shared.place.dataDir, told, { mountedAt, ...options });
  }
  const run = (words: string, options: ContainerOptions = {}) => begin(words, options).ended;

  const commands: [string, number, RegExp][] = [
    ['migrate --data-dir DIR', 0, /: up to date$/],
    ['backup --output FOLDER/second.backup --data-dir DIR', 0, / rows of \d+ tables, 1 tenants/],
    ['restore FOLDER/first.backup --check --data-dir DIR', 0, / is complete\./],
    ['restore FOLDER/first.backup --data-dir DIR', 1, /^countersign: The database is not empty: .* Restore into a new database/],
    ['restore FOLDER/first.backup --data-dir FOLDER/restored', 0, /^Restored into embedded in /],
    ['tenant list --data-dir DIR', 0, /localhost:/],
    ['tenant create second.example --data-dir DIR', 0, /client secret/],
    ['tenant delete second.example --yes --data-dir DIR', 0, /out of service/],
    ['tenant purge second.example --data-dir DIR', 1, /^countersign: The tenant was deleted on /],
    ['user sign-in-link admin@localhost --local --tenant-host HOST --data-dir DIR', 0, /It works once/],
    ['credential create --local --for admin@localhost --tenant-host HOST --data-dir DIR', 0, /client secret/],
    ['log check --data-dir DIR', 0, /are as they were sealed/],
    ['log restart HOST --reason why --data-dir DIR', 0, /goes on in epoch 2/],
    ['demo --data-dir DIR', 1, /countersign: .* holds the database of another installation.* --data-dir\.$/],
  ];

  it.each(commands)('%s', async (words, code, says) => {
    const before = listServers(cluster);
    const files = readdirSync(shared.place.dataDir);
    expect(before).toHaveLength(1);
    const ended = await run(words);
    expect({ ...ended, said: ended.said.trim() }).toEqual({ code, said: expect.stringMatching(says) });
    expect(listServers(cluster)).toEqual(before);
    expect(readdirSync(shared.place.dataDir)).toEqual(files);
    await writer.more();
    await expectAllThere(shared);
  });

  it('these are all commands that take a data directory', async () => {
    const all = (await readAllHelp()).filter(({ text }) => / --data-dir /.test(text)).map(({ command }) => command);
    const tried = ['serve', ...commands.map(([words]) => words)];
    expect(all.filter((command) => !tried.some((words) => `${words} `.startsWith(`${command} `)))).toEqual([]);
  });

  it('other accounts are refused, with what to do', async () => {
    const account = { uid: 1000, gid: 1000 };
    const said = /^countersign: \S+ belongs to another user \(uid 65534\), and this process runs as uid 1000: .* Run as uid 65534/;
    expect(await run('tenant list --data-dir DIR', { account })).toEqual({ code: 1, said: expect.stringMatching(said) });
    // A folder that this account may not even look into.
    const closed = join(folder, 'closed');
    mkdirSync(join(closed, 'postgres'), { recursive: true, mode: 0o700 });
    chownSync(closed, 1001, 1001);
    expect(await run('tenant list --data-dir FOLDER/closed', { account })).toEqual({
      code: 1,
      said: expect.stringMatching(/^countersign: \S+closed.* cannot be read: this account has no permission there/),
    });
  });

  it('a backup that was killed is no obstacle to the next one of its name', async () => {
    let name = '';
    const left = (): string[] => readdirSync(folder).filter((each) => each.startsWith(`${name}.`));
    // One that is faster than our look is followed by another.
    for (let count = 0; count === 0 || left().length === 0; count += 1) {
      name = `killed-${count}`;
      const backup = begin(`backup --output FOLDER/${name} --data-dir DIR`);
      while (backup.child.exitCode === null && left().length === 0) {
        await new Promise((next) => setImmediate(next));
      }
      await endContainer(backup.child, 'SIGKILL');
    }
    expect(existsSync(join(folder, name))).toBe(false);
    expect(await run(`backup --output FOLDER/${name} --data-dir DIR`)).toMatchObject({ code: 0 });
    expect(await run(`restore FOLDER/${name} --check`)).toMatchObject({ code: 0 });
  });

  it('of two backups of one name one is made', async () => {
    const client = await connect(shared.place.dataDir);
    await client.query(lockTable);
    const both = [1, 2].map(() => run('backup --output FOLDER/both --data-dir DIR'));
    await untilBackupsWait(client, 2);
    await client.end();
    const ended = await Promise.all(both);
    expect(ended.map(({ code }) => code).sort(), JSON.stringify(ended)).toEqual([0, 1]);
    expect(ended.map(({ said }) => said).join('')).toMatch(/both (cannot be written: a file of that name is in the way|exists already)/);
    expect(await run('restore FOLDER/both --check')).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => name.startsWith('both'))).toEqual(['both']);
  });

  it('a backup whose server is killed makes no file, and everything is there when serve starts again', async () => {
    const client = await connect(shared.place.dataDir);
    await client.query(lockTable);
    const backup = begin('backup --output FOLDER/third.backup --data-dir DIR');
    await untilBackupsWait(client, 1);
    await writer.end('SIGKILL');
    expect(await backup.ended).toEqual({ code: 1, said: expect.stringMatching(/countersign: The database is not available/) });
    expect(readdirSync(folder).filter((name) => name.startsWith('third'))).toEqual([]);
    await client.end().catch(() => undefined);
    writer = await startWriter(shared);
    await writer.more();
    await expectAllThere(shared);
    expect(listServers(cluster)).toHaveLength(1);
  });
});

describe.runIf(canMakeContainers)('while another container, which has the server,', { timeout: 240_000 }, () => {
  let source: Place;
  let place: Place;
  let backup: string;
  let serve: ServerProcess | undefined;
  let command: RunningCommand | undefined;
  beforeAll(async () => {
    source = await makePlace();
    backup = join(dirname(source.dataDir), 'x.backup');
    const made = startServer(source);
    await made.ready();
    expect(await start(source.dataDir, `backup --output ${backup} --data-dir ${source.dataDir}`).ended).toMatchObject({ code: 0 });
    await made.end('SIGTERM');
  });
  afterAll(() => source.remove());

  const events = ['ends', 'is killed', 'goes on and serve is killed'] as const;
  it.each(['restore', 'migrate'].flatMap((name) => events.map((event) => [name, event] as const)))(
    'is in the midst of %s and %s, serve starts',
    async (name, event) => {
      place = await makePlace();
      const cluster = join(place.dataDir, 'postgres');
      const within = containerOf(place.dataDir);
      try {
        command = start(place.dataDir, `${name === 'restore' ? `restore ${backup}` : name} --data-dir ${place.dataDir}`);
        const client = await connect(place.dataDir);
        await stopInTheMidst(client, command);
        serve = startServer(place, place.port, {}, within);
        await untilSessions(client, "query LIKE '%pg_advisory_xact_lock%' AND wait_event_type = 'Lock'");
        expect(listServers(cluster)).toHaveLength(1);
        await client.end();
        if (event === 'goes on and serve is killed') {
          await endContainer(serve.child, 'SIGKILL');
        }
        signal(command, event === 'is killed' ? 'SIGKILL' : 'SIGCONT');
        const ended = await command.ended;
        if (event !== 'is killed') {
          expect(ended).toMatchObject({ code: 0 });
        }
        if (event === 'goes on and serve is killed') {
          serve = startServer(place, place.port, {}, within);
        }
        await serve.ready();
        expect(listServers(cluster)).toHaveLength(1);
        const restored = name === 'restore' && event !== 'is killed';
        const listed = await start(place.dataDir, `tenant list --data-dir ${place.dataDir}`).ended;
        expect(listed).toEqual({ code: 0, said: expect.stringContaining(`localhost:${restored ? source.port : place.port}`) });
        expect(await endContainer(serve.child, 'SIGTERM'), serve.output()).toBe(0);
        expect(listServers(cluster)).toEqual([]);
      } finally {
        await Promise.all([command, serve].flatMap((each) => (each === undefined ? [] : [endContainer(each.child, 'SIGKILL')])));
        await until(() => expect(listServers(cluster)).toEqual([]));
        await place.remove();
      }
    },
  );
});
