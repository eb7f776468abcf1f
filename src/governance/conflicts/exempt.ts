/** Accepting a conflict for a reason, perhaps until a date, and taking that back; and accepting those whose grants a review certified. */
import { sayState } from '../../lib/names/say-state.ts';
import { inTransaction, type Context } from '../../context.ts';
import { AppError, type FieldViolation } from '../../errors.ts';
import { newId } from '../../wire/ids.ts';
import { isBehind } from '../../foundation/authority/index.ts';
import { type AlertEventKind, recordAlerts } from './record.ts';
import { requireAlert, requireLockedAlert } from './require.ts';
import { type AlertEvent, moveAlert } from './states.ts';
import { type AlertRow, type Exemption, updateCertified, updateExemption } from './store-alerts.ts';

const maxReasonLength = 1_000;

const eventKinds = {
  EXEMPTED: 'conflict_alert.exempted',
  WITHDRAWN: 'conflict_alert.exemption_withdrawn',
} as const satisfies Readonly<Partial<Record<AlertEvent, AlertEventKind>>>;

async function move(context: Context, id: string, event: keyof typeof eventKinds, exemption: Exemption | null): Promise<AlertRow> {
  return inTransaction(context, async (inside) => {
    const alert = await requireLockedAlert(inside, id);
    const next = moveAlert(alert.state, event);
    if (typeof next === 'string') {
      const [verb, wanted] = event === 'EXEMPTED' ? ['exempted', 'ACTIVE'] : ['taken back', 'EXEMPTED'];
      throw new AppError(
        'FAILED_PRECONDITION',
        `The alert is ${sayState(alert.state)}: only an alert that is ${sayState(wanted)} can be ${verb}.`,
        {
          violations: [{ field: 'id', description: `the alert is ${sayState(alert.state)}, not ${sayState(wanted)}` }],
        },
      );
    }
    const changeId = newId(inside.now);
    await updateExemption(inside, id, changeId, exemption);
    await recordAlerts(inside, eventKinds[event], changeId, next.to);
    return requireAlert(inside, id);
  });
}

/**
 * Exempts an active alert. PERMISSION_DENIED for whoever it is about, INVALID_ARGUMENT without a reason of 1 to 1,000 characters or with an end that has
 * passed, FAILED_PRECONDITION in another state.
 */
export async function exemptAlert(context: Context, id: string, reason: string, until: Date | null): Promise<AlertRow> {
  const { userId } = await requireAlert(context, id);
  if (isBehind(context.actor, userId)) {
    throw new AppError('PERMISSION_DENIED', 'This is a conflict of your own access: somebody else has to say why it may be.');
  }
  const violations: FieldViolation[] = [];
  if (reason.trim() === '' || reason.length > maxReasonLength) {
    violations.push({ field: 'reason', description: `must say why, in 1 to ${maxReasonLength} characters` });
  }
  if (until !== null && until <= context.now) {
    violations.push({ field: 'until', description: 'must be in the future; leave it out for no end' });
  }
  if (violations.length > 0) {
    throw new AppError('INVALID_ARGUMENT', 'The exemption is not valid.', { violations });
  }
  return move(context, id, 'EXEMPTED', { reason, byId: context.actor.userId, until });
}

/** Takes an exemption back: the alert is active again, of the same generation. FAILED_PRECONDITION in another state. */
export function withdrawExemption(context: Context, id: string): Promise<AlertRow> {
  return move(context, id, 'WITHDRAWN', null);
}

/** Exempts the active alerts of which all grants were certified in a review that is closed; how many. */
export async function exemptCertified(context: Context, review: { readonly id: string; readonly displayName: string }): Promise<number> {
  const changeId = newId(context.now);
  const reason = `All its access was certified in the review ${JSON.stringify(review.displayName)}.`.slice(0, maxReasonLength);
  const exempted = await updateCertified(context, changeId, review.id, reason);
  if (exempted > 0) {
    await recordAlerts(context, 'conflict_alert.exempted', changeId, 'EXEMPTED');
  }
  return exempted;
}
