/** The time stamp servers that the operator believes: read before anything is served, and kept, since each time stamp needs them. */
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import { noTrust, type OperatorTrust, readRoots } from '../../lib/time-stamps/verify.ts';

/** Returns what a file of roots and a list of policies say; no server is believed where no file is named. FAILED_PRECONDITION where it cannot be read. */
export async function readTimeStampTrust(path: string | undefined, policies: readonly string[]): Promise<OperatorTrust> {
  if (path === undefined || path === '') {
    return noTrust;
  }
  try {
    const pem = await readFile(path, 'utf8');
    return { pem, roots: await readRoots(pem), policies };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('FAILED_PRECONDITION', `The file of time stamp roots ${path} cannot be used: ${reason}.`, { cause: error });
  }
}
