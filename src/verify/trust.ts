/** Keys that a bundle is held against: those that the auditor brings, else those that the bundle itself brought. */
import type { JsonWebKey } from 'node:crypto';
import { type LogPolicy, readLogPolicy, trustLogs } from '../lib/log/log-policy.ts';
import { NoteError, readVkey } from '../lib/log/signed-note.ts';
import { readRoots, type TimeStampTrust } from '../lib/time-stamps/verify.ts';
import { UnreadableError } from './findings.ts';
import { readFields } from './fields.ts';
import type { Bundle } from './members.ts';

/** Files that an auditor has from somebody other than whoever handed over the bundle. */
export interface OutsideFiles {
  /** Keys of the log: one vkey a line, or a policy. */
  readonly key?: Buffer | undefined;
  /** Certificates of time stamp servers, as PEM. */
  readonly tsaRoots?: Buffer | undefined;
  /** Keys of identity providers, as a JSON Web Key Set. */
  readonly idpKeys?: Buffer | undefined;
  /** A checkpoint of the log that somebody kept. */
  readonly checkpoint?: Buffer | undefined;
}

/** Keys that are believed. */
export interface Trust {
  readonly log: LogPolicy;
  readonly timeStamps: TimeStampTrust | undefined;
  readonly provider: readonly JsonWebKey[];
}

/** The files without the mark that editors of Windows put before a text. */
export function withoutMarks(outside: OutsideFiles): OutsideFiles {
  const strip = (file: Buffer): Buffer => (file.subarray(0, 3).equals(Buffer.from('\ufeff')) ? file.subarray(3) : file);
  return Object.fromEntries(Object.entries(outside).map(([name, file]: [string, Buffer | undefined]) => [name, file && strip(file)]));
}

/** Returns the keys to believe, and notes those that the bundle itself brought. Throws UnreadableError for a file of the auditor that holds none. */
export async function readTrust(bundle: Bundle, outside: OutsideFiles, policies: readonly string[]): Promise<Trust> {
  const log = await choose(bundle, 'keys/policy.txt', outside.key, '--key', readKeys);
  const timeStamps = await choose(bundle, 'keys/tsa-roots.pem', outside.tsaRoots, '--tsa-roots', async (pem) => ({
    roots: await readRoots(pem.toString()),
    policies,
  }));
  const provider = await choose(bundle, 'keys/idp.json', outside.idpKeys, '--idp-keys', readProviderKeys);
  return { log: log ?? trustLogs([]), timeStamps, provider: provider ?? [] };
}

async function choose<T>(
  bundle: Bundle,
  name: string,
  given: Buffer | undefined,
  option: string,
  read: (file: Buffer) => T | Promise<T>,
): Promise<T | undefined> {
  if (given !== undefined) {
    try {
      return await read(given);
    } catch (error) {
      throw new UnreadableError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const brought = bundle.content(name);
  if (brought === undefined || brought.length === 0) {
    return undefined;
  }
  try {
    return await read(brought);
  } catch (error) {
    bundle.findings.add(name, `It holds no keys that can be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function readKeys(file: Buffer): LogPolicy {
  const text = file.toString();
  if (/^\s*(?:#|log |witness |group |quorum )/m.test(text)) {
    return readLogPolicy(file);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) {
    throw new NoteError('the file has no key.');
  }
  return trustLogs(lines.map((line) => readVkey(line.trim())));
}

function readProviderKeys(file: Buffer): JsonWebKey[] {
  const set = readFields(file.toString());
  const keys = set?.list('keys') ?? [];
  if (set === undefined || (keys.length === 0 && !Array.isArray(set.raw['keys']))) {
    throw new Error('the file is not a set of keys (JWKS).');
  }
  return keys.map(({ raw }) => raw);
}
