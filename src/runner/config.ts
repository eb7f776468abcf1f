/**
 * The file that says what the runner of a connector runs, and as whom. All that is wrong with it is found at once. What lies on the disk is looked at
 * elsewhere (check-files.ts).
 */
import type { FieldViolation } from '../errors.ts';
import { isJsonObject } from '../lib/json.ts';
import { isRefusedArgument, isRefusedVariable } from './refused.ts';

/** Way of running a connector: for good, or once for each task that the runner takes itself. */
export type RunnerMode = 'service' | 'once';

/** Bounds of one run; the largest are those that a file without them has. */
export interface RunLimits {
  readonly milliseconds: number;
  readonly residentBytes: number;
  readonly fileBytes: number;
}

/** Content of a file. */
export interface RunnerConfig {
  readonly mode: RunnerMode;
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envFiles: readonly string[];
  readonly clientId: string;
  readonly clientSecretFile: string;
  /** Origin of the API, for the token. */
  readonly url: string;
  /** Origin of gRPC. */
  readonly connectorUrl: string;
  /** File of certificates that are trusted as well; '' for none. */
  readonly ca: string;
  /** Folder that keeps the last file; '' where the mode needs none. */
  readonly folder: string;
  readonly limits: RunLimits;
}

const mebibyte = 1024 ** 2;
/** Largest bounds, in the units of the file. */
const most = { minutes: 360, residentMiB: 2048, fileMiB: 4096 } as const;
const maxArgs = 200;
const maxLength = 32_768;

type Say = (field: string, description: string) => void;

/** Reads a document; `config` is there only where nothing is wrong. */
export function readRunnerConfig(document: Readonly<Record<string, unknown>>): {
  readonly config?: RunnerConfig;
  readonly violations: readonly FieldViolation[];
} {
  const violations: FieldViolation[] = [];
  const say: Say = (field, description) => violations.push({ field, description });
  const known = new Set<string>();
  const take = (name: string): unknown => {
    known.add(name);
    return document[name];
  };
  const mode = readMode(take('mode'), say);
  const clientId = readText(take('clientId'), 'clientId', say);
  const host = /^[^@\s]+@([^/@\s]+)\/ccc$/.exec(clientId)?.[1] ?? '';
  if (clientId !== '' && host === '') {
    say('clientId', 'must be that of a connector, such as brave-otter-12345678@access.example.com/ccc');
  }
  const url = readOrigin(take('url'), 'url', mode, say) ?? `https://${host}`;
  const connectorUrl = readOrigin(take('connectorUrl'), 'connectorUrl', mode, say) ?? url;
  if (mode === 'service' && connectorUrl !== url) {
    say('connectorUrl', 'must be left out where mode is service: a connector asks for its token where it asks for work');
  }
  const config = {
    mode,
    binary: readPath(take('binary'), 'binary', say),
    args: readArgs(take('args'), say),
    env: readEnv(take('env'), say),
    envFiles: readList(take('envFiles'), 'envFiles', say).map((path, at) => readPath(path, `envFiles[${at}]`, say)),
    clientId,
    clientSecretFile: readPath(take('clientSecretFile'), 'clientSecretFile', say),
    url,
    connectorUrl,
    ca: readPath(take('ca') ?? null, 'ca', say),
    folder: readPath(take('folder') ?? (mode === 'once' ? undefined : null), 'folder', say),
    limits: readLimits(take('limits'), say),
  };
  for (const name of Object.keys(document)) {
    if (!known.has(name)) {
      say(name, `there is no such member; there are ${[...known].join(', ')}`);
    }
  }
  return violations.length > 0 ? { violations } : { config, violations };
}

function readMode(value: unknown, say: Say): RunnerMode {
  if (value !== 'service' && value !== 'once') {
    say('mode', 'must be service or once');
    return 'once';
  }
  return value;
}

function readText(value: unknown, field: string, say: Say): string {
  if (typeof value !== 'string' || value === '' || value.length > maxLength || value.includes('\0')) {
    say(field, `must be a text of 1 to ${maxLength} characters`);
    return '';
  }
  return value;
}

/** Null stands for a path that may be absent. */
function readPath(value: unknown, field: string, say: Say): string {
  if (value === null) {
    return '';
  }
  const path = readText(value, field, say);
  if (path !== '' && !path.startsWith('/')) {
    say(field, 'must be an absolute path');
  }
  return path;
}

function readList(value: unknown, field: string, say: Say): readonly unknown[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value) || value.length > maxArgs) {
    say(field, `must be a list of at most ${maxArgs} texts`);
    return [];
  }
  return value;
}

function readArgs(value: unknown, say: Say): string[] {
  return readList(value, 'args', say).map((one, at) => {
    if (typeof one !== 'string' || one.length > maxLength || one.includes('\0')) {
      say(`args[${at}]`, `must be a text of at most ${maxLength} characters`);
      return '';
    }
    if (isRefusedArgument(one)) {
      say(`args[${at}]`, `${one.replace(/=.*$/s, '')} is said by the runner, so it cannot be said here`);
    }
    return one;
  });
}

function readEnv(value: unknown, say: Say): Readonly<Record<string, string>> {
  if (value === undefined) {
    return {};
  }
  if (!isJsonObject(value)) {
    say('env', 'must be an object of names and texts');
    return {};
  }
  const env: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const wrong = wrongVariable(name, text);
    if (wrong === undefined) {
      env[name] = text as string;
    } else {
      say(`env.${name}`, wrong);
    }
  }
  return env;
}

/** Says what is wrong with a variable; undefined for nothing. Its value is not repeated: it may be a secret. */
export function wrongVariable(name: string, value: unknown): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return 'must be named as a variable is: letters, digits and underscores';
  }
  if (isRefusedVariable(name)) {
    return 'is said by the runner, so it cannot be said here';
  }
  return typeof value !== 'string' || value.length > maxLength || value.includes('\0')
    ? `must be a text of at most ${maxLength} characters`
    : undefined;
}

function readOrigin(value: unknown, field: string, mode: RunnerMode, say: Say): string | undefined {
  if (value === undefined) {
    return undefined;
  }
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isOrigin = url !== undefined && ['https:', 'http:'].includes(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) {
    say(field, 'must be a URL without a path, such as https://access.example.com');
    return undefined;
  }
  if (url.protocol === 'http:' && (mode === 'service' || !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname))) {
    const where = mode === 'service' ? 'connectors speak TLS alone' : 'plain text goes to this machine alone';
    say(field, `must begin with https: ${where}`);
  }
  return url.origin;
}

function readLimits(value: unknown, say: Say): RunLimits {
  const said = value === undefined ? {} : value;
  if (!isJsonObject(said)) {
    say('limits', 'must be an object');
  }
  const members: Readonly<Record<string, unknown>> = isJsonObject(said) ? said : {};
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(most, name)) {
      say(`limits.${name}`, `there is no such member; there are ${Object.keys(most).join(', ')}`);
    }
  }
  const read = (name: keyof typeof most): number => {
    const number = members[name] ?? most[name];
    if (!Number.isInteger(number) || (number as number) < 1 || (number as number) > most[name]) {
      say(`limits.${name}`, `must be a whole number from 1 to ${most[name]}`);
    }
    return number as number;
  };
  return {
    milliseconds: read('minutes') * 60_000,
    residentBytes: read('residentMiB') * mebibyte,
    fileBytes: read('fileMiB') * mebibyte,
  };
}
