/** The directory for temporary files (TMPDIR), checked at start. */
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

/** FAILED_PRECONDITION where no file can be made: uploads wait there, so that every import would fail. */
export async function requireTemporaryDirectory(directory = tmpdir()): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(directory, 'countersign-start-')));
  } catch (cause) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `Nothing can be written to ${directory}, the directory for temporary files (${(cause as NodeJS.ErrnoException).code}). Imports wait there: set TMPDIR to a directory that this account may write to.`,
      { cause },
    );
  }
}
