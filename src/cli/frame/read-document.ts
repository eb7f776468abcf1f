/** Reading the JSON object that a command takes with `--file`. */
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import { isJsonObject } from '../../lib/json.ts';
import { type CommandIo, UsageError } from './io.ts';

/** The object in a file, or on standard input for `-`; a usage error that says `what` it should hold where it is something else. */
export async function readDocument(io: CommandIo, path: string, what: string): Promise<JsonObject> {
  const pieces: Buffer[] = [];
  if (path === '-') {
    for await (const piece of io.stdin) {
      pieces.push(Buffer.from(piece as Buffer));
    }
  } else {
    pieces.push(await readFile(path));
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (isJsonObject(value)) {
      return value;
    }
  } catch {
    // Said below, together with JSON of another shape.
  }
  throw new UsageError(`${path} must hold one JSON object: ${what}`);
}
