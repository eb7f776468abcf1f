/**
 * Reasons why the embedded server does not start, as sentences for an operator: the cause, the path and the way out where we know them, else what
 * PostgreSQL said.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isAppError } from '../../errors.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';
import { type Binaries, programPath } from './binaries.ts';
import type { DataDirectory } from './directory.ts';
import { quoteServer } from './server-log.ts';

/** What a sentence is made of, beside the server's words. */
export interface StartFacts {
  readonly root: string;
  readonly cluster: string;
  /** Account that the server runs as. */
  readonly uid: number;
  /** Settings that an operator made with ALTER SYSTEM, by their names in lower case. */
  readonly settings: ReadonlyMap<string, string>;
}

interface Cause {
  readonly pattern: RegExp;
  /** Undefined where the pattern fits, but not the facts. */
  say(match: RegExpExecArray, facts: StartFacts): string | undefined;
}

const backup = 'Restore the last backup into a new --data-dir with countersign restore, and keep this folder until that is done';
const reinstall = 'Install Countersign again (npm ci), or give a PostgreSQL of your own with --database-url';

/** In the order in which they are tried: the more exact ones first. */
const causes: readonly Cause[] = [
  {
    pattern: /could not (?:create|attach to|access) shared memory segment/,
    say: () =>
      'The system has no System V shared memory left for PostgreSQL: raise kernel.shmmni, or remove segments that nobody uses (ipcs -m, ipcrm).',
  },
  {
    pattern: /could not create semaphores|semget|sem_init|could not initialize semaphore/,
    say: () => 'The system has no semaphores left for PostgreSQL: raise kernel.sem.',
  },
  {
    pattern: /could not map anonymous shared memory/,
    say: (_, facts) =>
      operatorSetting(['shared_buffers', 'max_connections', 'huge_pages', 'wal_buffers'], facts) ??
      'This machine has too little memory for PostgreSQL: give it (or its container) at least 512 MB.',
  },
  {
    pattern: /shared memory segment "[^"]*".*: (?:No space left on device|Read-only file system|No such file|Permission denied)/,
    say: (_, facts) =>
      operatorSetting(['dynamic_shared_memory_type'], facts) ??
      '/dev/shm cannot be used: make it writable, with at least 64 MB (--shm-size in Docker).',
  },
  {
    // A write that the last piece of the disk took in part has no reason of the system, only the hint.
    pattern: /No space left on device|Check free disk space/,
    say: (_, { root }) => `The disk of ${root} is full: make space (df -h; for files, df -i) and start again.`,
  },
  {
    pattern: /File too large/,
    say: () => 'PostgreSQL may not write files as large as it needs: raise the limit (ulimit -f, LimitFSIZE in systemd).',
  },
  {
    pattern: /Disk quota exceeded/,
    say: (_, { root }) => `The quota of the disk of ${root} is used up: raise it or make space, and start again.`,
  },
  {
    pattern: /Read-only file system/,
    say: (_, { root }) => `The file system of ${root} is read-only: mount it for writing, or give another --data-dir.`,
  },
  {
    pattern: /insufficient file descriptors|Too many open files/,
    say: () => 'PostgreSQL may not open enough files: raise the limit (ulimit -n, LimitNOFILE in systemd) to 1024 or more.',
  },
  {
    pattern: /could not fork|Resource temporarily unavailable/,
    say: () => 'The system allows no more processes: raise the limit (ulimit -u, pids limit of the container).',
  },
  {
    pattern: /^it ended with SIGKILL$|was terminated by signal 9/m,
    say: () =>
      'Something kills PostgreSQL (SIGKILL) whenever it starts, as the kernel does where memory is short (see dmesg): give the machine or the container at least 512 MB.',
  },
  {
    pattern: /while loading shared libraries: ([^:\s]+)/,
    say: ([, library]) => `PostgreSQL does not find the library ${library}. ${reinstall}.`,
  },
  {
    pattern: /version `(GLIBC[^']*)' not found/,
    say: ([, version]) =>
      `This system is too old for the embedded PostgreSQL, which needs ${version}: give a PostgreSQL of your own with --database-url.`,
  },
  {
    pattern: /could not look up effective user ID (\d+)/,
    say: ([, uid]) =>
      `The account with uid ${uid} has no entry in /etc/passwd, which PostgreSQL needs to make a database: run as an account that has one (runAsUser: 1000 in the image), or give --database-url.`,
  },
  {
    pattern: /backup_label/,
    say: (_, { cluster }) =>
      `${cluster} has a file backup_label, so it is a copy that was made while its server ran, and its log (pg_wal) is not complete: copy it again with pg_wal. If it is no copy, remove ${join(cluster, 'backup_label')} and start again.`,
  },
  {
    pattern: /restore_command|recovery\.signal|recovery_target/,
    say: (_, { cluster }) =>
      `${join(cluster, 'recovery.signal')} asks for a recovery that the embedded database cannot do: remove this file and start again.`,
  },
  {
    pattern:
      /could not locate a valid checkpoint record|could not locate required checkpoint record|required WAL directory|"pg_wal\/[0-9A-F]{24}"[^:]*: No such file/,
    say: (_, { cluster }) =>
      `The write-ahead log of the database (${join(cluster, 'pg_wal')}) is missing or damaged, and acknowledged changes with it. ${backup}. Do not run pg_resetwal: it loses changes without a word.`,
  },
  {
    pattern: /PG_CONTROL_VERSION|CATALOG_VERSION_NO|incorrect checksum in control file|could not read file "[^"]*pg_control"/,
    say: (_, { cluster }) => `${join(cluster, 'global/pg_control')} is damaged. ${backup}.`,
  },
  {
    pattern: /"([^"]*pg_hba\.conf|[^"]*pg_ident\.conf)"|could not load (\S*pg_(?:hba|ident)\.conf)/,
    say: ([, quoted, loaded], { cluster }) =>
      `${quoted ?? loaded ?? join(cluster, 'pg_hba.conf')} is not as PostgreSQL needs it: take your change back and start again.`,
  },
  {
    pattern: /syntax error in file "([^"]*postgresql\.auto\.conf)" line (\d+)/,
    say: ([, file, line]) => `Line ${line} of ${file} is not a setting: correct or remove it and start again.`,
  },
  {
    pattern: /"[\w.]+".*/s,
    say: ([text], facts) =>
      operatorSetting(
        [...text.matchAll(/"([\w.]+)"/g)].map(([, name]) => name),
        facts,
      ),
  },
  {
    pattern: /could not load server certificate|private key file|could not load root certificate|could not initialize SSL/,
    say: (_, facts) => operatorSetting(['ssl', 'ssl_cert_file', 'ssl_key_file', 'ssl_ca_file'], facts),
  },
  {
    pattern: /could not (?:bind|create any TCP\/IP|translate host name)/,
    say: (_, facts) => operatorSetting(['listen_addresses', 'port'], facts),
  },
  {
    pattern: /could not access file "([^"]+)"|could not load library "([^"]+)"/,
    say: (_, facts) => operatorSetting(['shared_preload_libraries', 'session_preload_libraries', 'archive_library'], facts),
  },
  {
    pattern:
      /could not (?:open|access|read|create|write to|stat|remove|rename|link|fsync)[^"]*"([^"]+)": (?:Permission denied|Operation not permitted)/,
    say: ([, file], { cluster, uid }) =>
      `PostgreSQL runs as uid ${uid} and may not use ${file} in ${cluster}: give the folder to that account (chown -R ${uid} ${cluster}; chmod -R u+rwX ${cluster}).`,
  },
  {
    pattern: /has wrong ownership|has invalid permissions/,
    say: (_, { cluster, uid }) =>
      `PostgreSQL runs as uid ${uid}, and ${cluster} must belong to it alone: chown -R ${uid} ${cluster}; chmod 700 ${cluster}.`,
  },
  {
    pattern: /[Cc]ould not [^"\n]*"([^"]+)": (?:No such file or directory|Not a directory)|subdirectory "([^"]+)" is missing/,
    say: ([, file, folder], { cluster }) =>
      `${file ?? folder} is missing in ${cluster}, which is not a complete copy or is damaged. ${backup}.`,
  },
  {
    pattern: /invalid page in block|could not read blocks|Input\/output error|unexpected data beyond EOF|is not a valid|checksum/,
    say: (_, { cluster }) => `Files in ${cluster} are damaged, or its disk fails. ${backup}.`,
  },
];

/** The first of these settings that an operator made, and how to take it back while the server does not run. */
function operatorSetting(names: readonly (string | undefined)[], { cluster, settings }: StartFacts): string | undefined {
  const found = names.find((name) => name !== undefined && settings.has(name.toLowerCase()));
  if (found === undefined) {
    return undefined;
  }
  const setting = `${found} = '${settings.get(found.toLowerCase())}'`;
  return `PostgreSQL cannot work with the setting ${setting}: remove its line from ${join(cluster, 'postgresql.auto.conf')} and start again.`;
}

/** Our sentence on what the server said; undefined where we know no better than it. @internal */
export function explainWords(said: string, facts: StartFacts): string | undefined {
  for (const { pattern, say } of causes) {
    const match = pattern.exec(said);
    const sentence = match === null ? undefined : say(match, facts);
    if (sentence !== undefined) {
      return sentence;
    }
  }
  return undefined;
}

/** Settings of postgresql.auto.conf, which ALTER SYSTEM writes. @internal */
export function parseSettings(text: string): Map<string, string> {
  const lines = text.matchAll(/^\s*([\w.]+)\s*=?\s*(?:'((?:[^']|'')*)'|([^\s#]+))/gm);
  return new Map([...lines].map(([, name = '', quoted, plain]) => [name.toLowerCase(), (quoted ?? plain ?? '').replaceAll("''", "'")]));
}

async function findFacts({ root, cluster, account }: DataDirectory): Promise<StartFacts> {
  const text = await readFile(join(cluster, 'postgresql.auto.conf'), 'utf8').catch(() => '');
  return { root, cluster, uid: account?.uid ?? process.getuid?.() ?? 0, settings: parseSettings(text) };
}

/** The error for a server that ended by itself; `beginning` says what did not work, `said` is all that the server said. */
export async function explainServer(directory: DataDirectory, beginning: string, said: string, cause?: unknown): Promise<AppError> {
  const sentence = explainWords(said, await findFacts(directory));
  const quote = quoteServer(said);
  const words = [`${beginning}.`, ...(sentence === undefined ? [] : [sentence]), ...(quote === '' ? [] : [`PostgreSQL said: ${quote}`])];
  return new AppError('FAILED_PRECONDITION', words.join(' '), { cause });
}

/** The error for a server that runs and does not do what we need; `said` is what one said that ended before. */
export async function explainUse(directory: DataDirectory, error: unknown, said: string): Promise<unknown> {
  if (isAppError(error) || !(error instanceof Error)) {
    return error;
  }
  const detail = 'detail' in error && typeof error.detail === 'string' ? `\nDETAIL:  ${error.detail}` : '';
  return explainServer(directory, `PostgreSQL cannot be used in ${directory.root}`, `${said}\n${error.message}${detail}`, error);
}

/** The error for a program that could not be started at all, or a file of ours that could not be written for it; other errors pass. */
export function explainFailure(error: unknown, root: string, binaries?: Binaries): unknown {
  const reason = isAppError(error) ? undefined : reasonOfFile(error);
  if (reason === undefined) {
    return error;
  }
  const { syscall = '', path = '' } = error as NodeJS.ErrnoException;
  if (syscall.startsWith('spawn')) {
    const program = binaries === undefined ? path : programPath(binaries, 'postgres');
    const hint = 'It may be on a file system without programs (noexec), or made for another system (Alpine Linux)';
    return new AppError(
      'FAILED_PRECONDITION',
      `The program ${program} cannot be run: ${(error as Error).message}. ${hint}. ${reinstall}.`,
      {
        cause: error,
      },
    );
  }
  return new AppError(
    'FAILED_PRECONDITION',
    `${path || root} cannot be used: ${reason}. Mend that and start again, or give another --data-dir.`,
    { cause: error },
  );
}
