/** Checks on the disk before a program is started: whoever may write to it, or to what says which it is, decides what runs. */
import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import type { FieldViolation } from '../errors.ts';
import { type RunnerConfig, wrongVariable } from './config.ts';

const writableByOthers = 0o022;
const sticky = 0o1000;
const maxEnvFileBytes = 1024 * 1024;

/** Finds what is wrong with the file of a configuration and with those that it names, all of it. */
export async function checkFiles(file: string, config: RunnerConfig): Promise<readonly FieldViolation[]> {
  const found: FieldViolation[] = [];
  const say = (field: string, description: string | undefined): void => {
    if (description !== undefined) {
      found.push({ field, description });
    }
  };
  say('--config', await wrongFile(file));
  say('binary', await wrongBinary(config.binary));
  for (const [at, path] of config.envFiles.entries()) {
    say(`envFiles[${at}]`, await wrongFile(path));
  }
  say('clientSecretFile', await wrongFile(config.clientSecretFile));
  say('ca', config.ca === '' ? undefined : await wrongFile(config.ca));
  say('folder', config.folder === '' ? undefined : await wrongFolder(config.folder));
  if (found.length === 0) {
    found.push(...(await wrongVariables(config)));
  }
  return found;
}

/** Says what is wrong with a program; undefined where it may be started. */
export async function wrongBinary(path: string): Promise<string | undefined> {
  return (await wrongFile(path)) ?? (await access(path, constants.X_OK).then(nothing, () => 'must be a program that may be started'));
}

const nothing = (): undefined => undefined;

/** Says what is wrong with a file; undefined where it is read by us and written to by nobody but us or root. */
async function wrongFile(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    const file = await stat(real);
    if (!file.isFile()) {
      return 'must be a file';
    }
    await access(real, constants.R_OK);
    return await foundWritable(real);
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Looks at the file and the folders above it: whoever may write to one of them can put another file in its place. */
async function foundWritable(file: string): Promise<string | undefined> {
  const ours = [0, process.getuid?.() ?? 0];
  for (let path = file, isFile = true; ; path = dirname(path), isFile = false) {
    const { mode, uid } = await stat(path);
    if (!ours.includes(uid)) {
      return `must not be writable for others: ${path} belongs to another account`;
    }
    // In a sticky folder, such as /tmp, each account replaces its own files alone.
    if ((mode & writableByOthers) !== 0 && (isFile || (mode & sticky) === 0)) {
      return `must not be writable for others: run chmod go-w ${path}`;
    }
    if (path === '/') {
      return undefined;
    }
  }
}

async function wrongFolder(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) {
      return 'must be a folder';
    }
    await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return `cannot be written to: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function wrongVariables(config: RunnerConfig): Promise<FieldViolation[]> {
  const found: FieldViolation[] = [];
  for (const [at, path] of config.envFiles.entries()) {
    for (const [name, value] of Object.entries(await readEnvFile(path))) {
      const wrong = wrongVariable(name, value);
      if (wrong !== undefined) {
        found.push({ field: `envFiles[${at}]`, description: `${name} ${wrong}` });
      }
    }
  }
  return found;
}

/** Reads a file of lines `NAME=value`. */
export async function readEnvFile(path: string): Promise<Readonly<Record<string, string>>> {
  if ((await stat(path)).size > maxEnvFileBytes) {
    throw new Error(`${path} is larger than 1 MiB`);
  }
  return { ...parseEnv(await readFile(path, 'utf8')) } as Record<string, string>;
}
