/** Setting and removing secrets of sources. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { requireLockedSource, requireSource } from './require.ts';
import { dropSecrets, type NewSecret, putSecret, requireGoodSecret } from './secrets/index.ts';
import type { SourceRow } from './store.ts';

/**
 * Sets a secret, or the operator's file that holds it. NOT_FOUND for no such source, INVALID_ARGUMENT for a bad name or value,
 * FAILED_PRECONDITION where this installation has no key to seal it with, or the source has too many.
 */
export function setSecret(context: Context, sourceId: string, secret: NewSecret): Promise<SourceRow> {
  requireGoodSecret(secret);
  return inTransaction(context, async (inside) => {
    await putSecret(inside, await requireLockedSource(inside, sourceId), secret);
    return requireSource(inside, sourceId);
  });
}

/** Removes a secret. NOT_FOUND for no such source, and where it has no secret of this name. */
export function removeSecret(context: Context, sourceId: string, name: string): Promise<SourceRow> {
  return inTransaction(context, async (inside) => {
    if (!(await dropSecrets(inside, await requireLockedSource(inside, sourceId), name))) {
      throw new AppError('NOT_FOUND', 'The source has no secret of this name.');
    }
    return requireSource(inside, sourceId);
  });
}
