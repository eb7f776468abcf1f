/** Key of the installation, as the operator's options name it: read before the database is opened. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import type { Keyring } from '../../db/types.ts';
import { readLogSecrets } from '../../lib/log/log-secret.ts';
import { keyringOfCommand, keyringOfSecrets } from './keyring.ts';

/** Places of the key, of which at most one is named. */
interface InstallationKeyOptions {
  readonly file: string | undefined;
  /** The text that the file would hold. */
  readonly text: string | undefined;
  readonly command: string | undefined;
}

/** Returns the keys; undefined where no place is named. FAILED_PRECONDITION where a place holds none. */
export async function readInstallationKey({ file, text, command }: InstallationKeyOptions): Promise<Keyring | undefined> {
  if (command !== undefined) {
    return keyringOfCommand(command);
  }
  if (file === undefined && text === undefined) {
    return undefined;
  }
  try {
    const [inUse, ...former] = readLogSecrets(file === undefined ? Buffer.from(text ?? '') : await readFile(file));
    return inUse === undefined ? undefined : keyringOfSecrets([inUse, ...former]);
  } catch (error) {
    const place = file === undefined ? '--key-env' : `the file ${file}`;
    const said = error instanceof Error ? error.message : String(error);
    const reason = error instanceof Error && 'code' in error ? said : `it must hold ${said}`;
    throw new AppError('FAILED_PRECONDITION', `The key of the installation in ${place} cannot be used: ${reason}.`);
  }
}
