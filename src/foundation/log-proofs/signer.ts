/** Signs checkpoints of logs that grow, at most once a minute each, so that there is one to hold on to although nobody asks. */
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { findEpoch, signHead } from './tree/index.ts';

const signEveryMs = 60_000;

/** The function to call when a log was sealed; it remembers when it signed which. */
export function createSigner(): (context: Context) => Promise<void> {
  const nextAt = new Map<string, number>();
  return async (context) => {
    const now = performance.now();
    if ((nextAt.get(context.tenantId) ?? 0) > now) {
      return;
    }
    nextAt.set(context.tenantId, now + signEveryMs);
    try {
      await signHead(context, await findEpoch(context, 0));
    } catch (error) {
      // A log that is behind is told of once, by its event and the log of the server.
      if (!(error instanceof AppError && error.code === 'FAILED_PRECONDITION')) {
        throw error;
      }
    }
  };
}
