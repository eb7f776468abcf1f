/**
 * The cluster's files: making one, its settings, its postmaster.pid. Processes are started in server.ts.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Binaries, programPath } from './binaries.ts';
import { type DataDirectory, markCluster, socketFile } from './directory.ts';
import { explainFailure, explainServer } from './explain-start.ts';
import { isPostmaster } from './processes.ts';
import { chooseSharedMemory } from './shared-memory.ts';

/** The superuser of the cluster; only this folder connects as it. */
export const superuser = 'postgres';

const run = promisify(execFile);

/** Makes the cluster where there is none: aside, and then it gets its name. Under the lock of the directory alone, as all that changes files here. */
export async function createCluster(directory: DataDirectory, binaries: Binaries): Promise<void> {
  const { root, cluster, account } = directory;
  if (await exists(cluster)) {
    return;
  }
  const unfinished = join(root, `postgres.new-${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(unfinished, { mode: 0o700 });
  if (account !== undefined) {
    await lchown(unfinished, account.uid, account.gid);
  }
  const options = [
    '-D',
    unfinished,
    '-U',
    superuser,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    // Its own choice fails where /dev/shm is full.
    '-c',
    `dynamic_shared_memory_type=${await chooseSharedMemory(account)}`,
  ];
  try {
    await run(programPath(binaries, 'initdb'), options, {
      ...account,
      cwd: unfinished,
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH ?? '' },
    });
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const said = String((error as { stderr?: string }).stderr ?? '').trim();
    throw said === ''
      ? explainFailure(error, root, binaries)
      : await explainServer(directory, `PostgreSQL could not make its files in ${root}`, said, error);
  }
  await markCluster(unfinished);
  await rename(unfinished, cluster);
  const folder = await open(root, 'r');
  await folder.sync().finally(() => folder.close());
}

/** Removes what processes that were killed in the middle of making something left behind. */
export async function removeUnfinished({ root, cluster }: DataDirectory): Promise<void> {
  for (const folder of [root, cluster]) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (/^(?:postgres|server-.+|postgresql\.conf)\.new-/.test(name)) {
        // What is left of an initdb may still be writing, until it notices.
        await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
      }
    }
  }
}

/**
 * Writes postgresql.conf anew, so that settings change with the release. An operator's own go through ALTER SYSTEM (postgresql.auto.conf),
 * which comes later and wins.
 */
export async function writeSettings(directory: DataDirectory, socketFolder: string): Promise<void> {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: '5432',
    // A list, in which a name with a comma stands in quotes.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Several processes share it, each with a pool of 16.
    max_connections: '60',
    superuser_reserved_connections: '5',
    shared_buffers: '128MB',
    dynamic_shared_memory_type: await chooseSharedMemory(directory.account),
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: '512MB',
    random_page_cost: '1.2',
    // Compiling a plan costs more than our plans take.
    jit: 'off',
    fsync: 'on',
    synchronous_commit: 'on',
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'pglz',
    // Imports write a lot at once: fewer, longer checkpoints.
    max_wal_size: '2GB',
    min_wal_size: '160MB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    max_parallel_workers_per_gather: '2',
    autovacuum_vacuum_insert_scale_factor: '0.1',
    autovacuum_analyze_scale_factor: '0.05',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file a day of the week, each begun anew. Errors of statements are logged by us; PostgreSQL would log their values.
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    log_line_prefix: '%m [%p] ',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${escapeSetting(value)}'`);
  const text = `# Written by Countersign at every start of the server. Your own settings: ALTER SYSTEM SET.\n${lines.join('\n')}\n`;
  const file = join(directory.cluster, 'postgresql.conf');
  const unfinished = `${file}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const made = await open(unfinished, 'wx', 0o600);
    try {
      await made.writeFile(text);
      // Not by its name, which that account could give to something else meanwhile.
      await (directory.account === undefined ? undefined : made.chown(directory.account.uid, directory.account.gid));
    } finally {
      await made.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    // A full disk.
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** In a file of settings, a text in quotes knows escapes with a backslash. */
function escapeSetting(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The pid in postmaster.pid where that process is the postmaster of this cluster; undefined where none runs. */
export async function findPostmaster(cluster: string): Promise<number | undefined> {
  const pid = Number.parseInt((await readPidFile(cluster)) ?? '', 10);
  return Number.isInteger(pid) && pid > 0 && (await isPostmaster(pid, cluster)) ? pid : undefined;
}

/**
 * Removes the files by which PostgreSQL knows that a server is there, of its data and of its socket. Whoever has the lock of the directory knows that
 * none is, whichever process has the number in them by now: after a reboot, in a container, where numbers are low, or in a copy of the folder.
 */
export async function removeStaleFiles(cluster: string, socketFolder: string): Promise<void> {
  await rm(pidFileOf(cluster), { force: true });
  await rm(join(socketFolder, `${socketFile}.lock`), { force: true });
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function readPidFile(cluster: string): Promise<string | undefined> {
  return readFile(pidFileOf(cluster), 'utf8').catch(() => undefined);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
