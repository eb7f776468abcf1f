/** Secrets in files of the operator, below the folder of the tenant's host: read at each use, never stored. */
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '../../../errors.ts';
import { maxSecretLength } from './rules.ts';

/** Returns the text in a file, without the line's end behind it. FAILED_PRECONDITION where there is none that may be read. */
export async function readSecretFile(secretsDir: string, host: string, name: string): Promise<string> {
  if (secretsDir === '') {
    throw refusal(name, 'the server was started without --secrets-dir');
  }
  let text: string;
  try {
    const folder = await realpath(join(secretsDir, host));
    // Links inside the folder are how orchestrators mount secrets.
    const path = await realpath(join(folder, name));
    if (!path.startsWith(folder + sep)) {
      throw refusal(name, 'it leads out of its folder');
    }
    // A pipe would keep whoever opens it waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      if (size > maxSecretLength) {
        throw refusal(name, `it has more than ${maxSecretLength} bytes`);
      }
      text = (await file.readFile('utf8')).replace(/\r?\n$/, '');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof AppError ? error : refusal(name, 'there is no such file below --secrets-dir for this host', error);
  }
  if (text === '') {
    throw refusal(name, 'it is empty');
  }
  return text;
}

function refusal(name: string, reason: string, cause?: unknown): AppError {
  return new AppError('FAILED_PRECONDITION', `The secret file ${JSON.stringify(name)} cannot be used: ${reason}.`, { cause });
}
