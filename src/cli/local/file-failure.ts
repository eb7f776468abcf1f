/** The sentence for a file of a local command that the system does not let us write. */
import { AppError } from '../../errors.ts';
import { reasonOfFile } from '../../lib/files/file-reason.ts';

/** FAILED_PRECONDITION with the path, the reason, and `way`, the way out; an error of anything else but a file passes. */
export function fileFailure(error: unknown, path: string, way: string): unknown {
  const reason = reasonOfFile(error);
  return reason === undefined
    ? error
    : new AppError('FAILED_PRECONDITION', `${path} cannot be written: ${reason}. ${way}`, { cause: error });
}
