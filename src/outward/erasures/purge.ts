/**
 * Two operators for the purge of a deleted tenant: 30 days after it was deleted, and not while a legal hold stands. Who they are is what they say; the
 * receipt and the exported log name both.
 */
import { type Context, inTransaction } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { lockHolds, listHeld } from '../../foundation/holds/index.ts';
import { askSecondPerson, confirmRequest, findRequestAbout, type RequestRow } from '../../foundation/second-persons/index.ts';

const waitDays = 30;
const dayMs = 24 * 3_600_000;

/** FAILED_PRECONDITION where the tenant was deleted less than 30 days ago, or where a legal hold stands. */
async function requirePurgeable(context: Context, deletedAt: Date): Promise<void> {
  const since = new Date(deletedAt.getTime() + waitDays * dayMs);
  if (since > context.now) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The tenant was deleted on ${deletedAt.toISOString().slice(0, 10)}. It can be purged from ${since.toISOString().slice(0, 10)} on, ${waitDays} days later.`,
    );
  }
  const held = await listHeld(context);
  if (held.isTenant || held.reviewIds.length > 0) {
    throw new AppError('FAILED_PRECONDITION', 'The tenant cannot be purged: a legal hold stands.');
  }
}

/** Asks for the purge, as an operator. CONFLICT where it is asked already. */
export async function askPurge(context: Context, deletedAt: Date, by: string): Promise<RequestRow> {
  await requirePurgeable(context, deletedAt);
  return askSecondPerson(context, { kind: 'PURGE_TENANT', subjectId: context.tenantId, reason: 'Purge of a deleted tenant.', by });
}

/**
 * Confirms the purge, as another operator, and returns the request; one that was confirmed already, so that whoever was killed can go on.
 * FAILED_PRECONDITION where nobody asked, PERMISSION_DENIED for whoever did.
 */
export function confirmPurge(context: Context, deletedAt: Date, by: string): Promise<RequestRow> {
  return inTransaction(context, async (inside) => {
    await lockHolds(inside);
    await requirePurgeable(inside, deletedAt);
    const request = await findRequestAbout(inside, 'PURGE_TENANT', inside.tenantId);
    if (request?.state === 'CONFIRMED') {
      return request;
    }
    if (request === undefined || request.expiresAt <= inside.now) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'Nobody asked for this purge in the last seven days: run the command without --confirm first.',
      );
    }
    return confirmRequest(inside, request.id, { by, act: { apply: async () => undefined } });
  });
}
