/** The operator's file with the roots of time stamp servers: read before anything is served. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import { readRoots } from '../../lib/time-stamps/verify.ts';

/** The certificates in a file, as text; empty where no file is named. FAILED_PRECONDITION where it cannot be read. */
export async function readRootsFile(path: string | undefined): Promise<string> {
  if (path === undefined || path === '') {
    return '';
  }
  try {
    const pem = await readFile(path, 'utf8');
    await readRoots(pem);
    return pem;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('FAILED_PRECONDITION', `The file of time stamp roots ${path} cannot be used: ${reason}.`, { cause: error });
  }
}
