/** Downloading a file that the server made, a report or a bundle of evidence. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Client } from '../../client/index.ts';
import { writeBody } from '../frame/input-file.ts';
import { CommandFailure, type CommandIo, writeJson } from '../frame/io.ts';
import { formatBytes } from '../frame/progress.ts';

/** A file with its link and its digests. */
interface MadeFile {
  readonly downloadUrl?: string;
  readonly hashes?: Readonly<Record<string, string>>;
}

/** Digests of what was downloaded, by the names that the server has for them. */
interface Digests {
  readonly SHA256: string;
  readonly MD5: string;
}

/** Saves a file and returns what the command answers; of what goes to standard output, that goes to standard error as JSON where it is wanted. */
export async function saveFile<Made extends MadeFile>(io: CommandIo, client: Client, made: Made, file: string, isJson: boolean) {
  const { size, digests } = await download(io, client, made, file);
  const json = { ...made, file, sizeBytes: size };
  if (file !== '-') {
    return { json, text: `${file}  ${formatBytes(size)}  SHA-256 ${digests.SHA256}  MD5 ${digests.MD5}` };
  }
  if (isJson) {
    writeJson(io.stderr, json);
  }
  return undefined;
}

/** Writes a file to a path, or to standard output for `-`; CommandFailure where its hash is not the one that the server computed. */
async function download(io: CommandIo, client: Client, made: MadeFile, file: string): Promise<{ size: number; digests: Digests }> {
  const response = await client.download(made.downloadUrl ?? '');
  const hashes = { SHA256: createHash('sha256'), MD5: createHash('md5') };
  let size = 0;
  const measured = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        hashes.SHA256.update(piece);
        hashes.MD5.update(piece);
        size += piece.length;
        controller.enqueue(piece);
      },
    }),
  );
  const toStdout = file === '-';
  // Under another name until it is whole and its hash is right, so that half a report is never mistaken for one.
  const partial = `${file}.part`;
  await writeBody(io, measured ?? null, () => (toStdout ? (io.stdout as Writable) : createWriteStream(partial)));
  const digests: Digests = { SHA256: hashes.SHA256.digest('hex'), MD5: hashes.MD5.digest('hex') };
  const damaged = (['SHA256', 'MD5'] as const).find((name) => made.hashes?.[name] !== undefined && made.hashes[name] !== digests[name]);
  if (!toStdout) {
    await (damaged === undefined ? rename(partial, file) : unlink(partial));
  }
  if (damaged !== undefined) {
    const name = damaged === 'MD5' ? 'MD5' : 'SHA-256';
    throw new CommandFailure(
      `the download is damaged: its ${name} is ${digests[damaged]}, but the server computed ${made.hashes?.[damaged]}`,
    );
  }
  return { size, digests };
}
