/** The manifest beside a file, `NAME.manifest.json`: what whoever exported it says it is. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';

/** Ends the names of manifests. */
export const manifestSuffix = '.manifest.json';

/** Most bytes of a manifest. */
export const maxManifestBytes = 65_536;

/** Facts that a manifest may have. */
export interface Manifest {
  /** In hex, lower case. */
  readonly sha256: string | undefined;
  readonly rows: number | undefined;
  readonly exportedAt: Date | undefined;
}

function half(message: string): AppError {
  return new AppError('CONFLICT', message);
}

/** The manifest of a file; undefined where it has none and needs none. CONFLICT for one that cannot be read: it may be half there. */
export async function readManifest(folder: string, name: string, isNeeded: boolean): Promise<Manifest | undefined> {
  const file = await open(join(folder, name + manifestSuffix), constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (file === undefined) {
    return isNeeded ? refuseWithout(name) : undefined;
  }
  try {
    const { size } = await file.stat();
    return size > maxManifestBytes ? refuseLarge(name) : parseManifest(await file.readFile('utf8'), name);
  } finally {
    await file.close();
  }
}

/** Refuses a file whose manifest is needed and absent. */
export function refuseWithout(name: string): never {
  throw half(`The file ${JSON.stringify(name)} has no manifest ${JSON.stringify(name + manifestSuffix)}.`);
}

/** Refuses a manifest of more than 64 KiB. */
export function refuseLarge(name: string): never {
  throw half(`The manifest of ${JSON.stringify(name)} is larger than ${maxManifestBytes} bytes.`);
}

/** Reads the text of a manifest; CONFLICT where it is none. */
export function parseManifest(text: string, name: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw half(`The manifest of ${JSON.stringify(name)} is no JSON object.`);
  }
  const { sha256, rows, exportedAt } = json as Readonly<Record<string, unknown>>;
  const at = typeof exportedAt === 'string' ? new Date(exportedAt) : undefined;
  const isSound =
    (sha256 === undefined || (typeof sha256 === 'string' && /^[0-9a-f]{64}$/i.test(sha256))) &&
    (rows === undefined || (typeof rows === 'number' && Number.isSafeInteger(rows) && rows >= 0)) &&
    (exportedAt === undefined || (at !== undefined && !Number.isNaN(at.getTime())));
  if (!isSound) {
    throw half(
      `The manifest of ${JSON.stringify(name)} must have sha256 in hex, rows as a number, and exportedAt as a time, as far as it has them.`,
    );
  }
  return { sha256: sha256?.toString().toLowerCase(), rows: rows as number | undefined, exportedAt: at };
}

/** Passes the pieces of a file on and compares its SHA-256 with the manifest once all have been read. */
export function createFileCheck(pieces: AsyncIterable<Buffer>, manifest: Manifest | undefined) {
  const digest = createHash('sha256');
  let found = '';
  async function* pass(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of pieces) {
      digest.update(piece);
      yield piece;
    }
    found = digest.digest('hex');
  }
  return {
    pieces: pass(),
    /** SHA-256 in hex; '' before all was read. */
    sha256: (): string => found,
    /** CONFLICT where it is another file than the manifest says. */
    verify(): void {
      if (manifest?.sha256 !== undefined && found !== manifest.sha256) {
        throw half('The file has another SHA-256 than its manifest says.');
      }
    },
  };
}
