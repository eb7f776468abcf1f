/**
 * Files in the tenant's folder of `--import-dir`: the newest whose name fits, once it is whole. Nothing is moved or deleted, and no link is followed.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type FieldViolation } from '../../../errors.ts';
import { FolderSettingsSchema } from '../../../gen/countersign/v1/fetches_pb.js';
import { openFile } from './file-content.ts';
import { findPatternFault, findSheetFault, nameCheck } from './file-names.ts';
import { readManifest } from './manifest.ts';
import type { Asked, Fetched, Fetcher, Settings } from './types.ts';
import { listFaults } from './violations.ts';

/** Files of one folder that are looked at. */
const maxFiles = 10_000;
const pieceBytes = 64 * 1024;

function check({ pattern, sheet }: Settings<typeof FolderSettingsSchema>): FieldViolation[] {
  return listFaults({ pattern: findPatternFault(pattern, 'the folder of the tenant'), sheet: findSheetFault(sheet) });
}

/** Look at a file: two that are alike are of a file that nobody writes. */
interface Look {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const markOf = ({ name, size, mtimeMs }: Look): string => JSON.stringify([name, size, mtimeMs]);

function refuse(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message);
}

/** Walks to the folder of the file, and follows no link on the way. */
async function findFolder({ installation, host }: Asked<typeof FolderSettingsSchema>, folders: readonly string[]): Promise<string> {
  const { importDir } = installation;
  if (importDir === undefined) {
    throw refuse('This server has no folder for files. Start it with --import-dir DIR.');
  }
  let path = importDir;
  for (const name of [host, ...folders]) {
    path = join(path, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined || !found.isDirectory()) {
      const shown = JSON.stringify([host, ...folders].join('/'));
      throw new AppError(
        'UNAVAILABLE',
        `The folder of imports has no folder ${shown}, or a part of it is a link. Make it, and put the file there.`,
      );
    }
  }
  return path;
}

async function findNewest(folder: string, pattern: string): Promise<Look> {
  const names = (await readdir(folder)).filter(nameCheck(pattern));
  if (names.length > maxFiles) {
    throw refuse(`More than ${maxFiles} files fit the pattern. Move old ones away.`);
  }
  let newest: Look | undefined;
  for (const name of names) {
    const { size, mtimeMs, isFile } = await look(folder, name);
    if (isFile && (newest === undefined || mtimeMs > newest.mtimeMs || (mtimeMs === newest.mtimeMs && name > newest.name))) {
      newest = { name, size, mtimeMs };
    }
  }
  if (newest === undefined) {
    throw new AppError(
      'UNAVAILABLE',
      `No file fits ${JSON.stringify(pattern)}. Names of files that are still written and links are left out.`,
    );
  }
  return newest;
}

async function look(folder: string, name: string): Promise<Look & { readonly isFile: boolean }> {
  const found = await lstat(join(folder, name)).catch(() => undefined);
  return { name, size: found?.size ?? 0, mtimeMs: found?.mtimeMs ?? 0, isFile: found?.isFile() === true };
}

async function* readPieces(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, Math.min(pieceBytes, size - at), at);
      if (bytesRead === 0) {
        throw new AppError('CONFLICT', 'The file became shorter while it was read.');
      }
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function openFolder(asked: Asked<typeof FolderSettingsSchema>): Promise<Fetched> {
  const { settings, installation, lastMark, zone, clock, signal } = asked;
  const folders = settings.pattern.split('/');
  const pattern = folders.pop() as string;
  const folder = await findFolder(asked, folders);
  const first = await findNewest(folder, pattern);
  if (markOf(first) === lastMark) {
    return { isUnchanged: true };
  }
  await delay(installation.settleMs, undefined, { signal });
  const { isFile, ...second } = await look(folder, first.name);
  if (!isFile || markOf(second) !== markOf(first)) {
    throw new AppError('UNAVAILABLE', `The file ${JSON.stringify(first.name)} is still being written.`);
  }
  const begun = clock();
  const manifest = await readManifest(folder, first.name, settings.needsManifest);
  const file = await open(join(folder, first.name), constants.O_RDONLY | constants.O_NOFOLLOW);
  const opened = await openFile({
    pieces: readPieces(file, first.size),
    encoding: first.name.endsWith('.gz') ? 'gzip' : '',
    manifest,
    settings,
    zone,
    begun,
    saidAt: new Date(first.mtimeMs),
    async lookAgain() {
      const { isFile: isThere, ...third } = await look(folder, first.name);
      if (!isThere || markOf(third) !== markOf(first)) {
        throw new AppError('UNAVAILABLE', `The file ${JSON.stringify(first.name)} changed while it was read.`);
      }
    },
  });
  return { ...opened, mark: markOf(first) };
}

/** The fetcher of folders. */
export const folderFetcher: Fetcher<typeof FolderSettingsSchema> = {
  kind: 'FOLDER',
  settings: FolderSettingsSchema,
  check,
  open: openFolder,
};
