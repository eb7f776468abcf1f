/** Lifetime of sessions: what a tenant set, and setting it. What acts on it is check-session.ts. */
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { recordEvent } from '../../audit/index.ts';
import { type SessionLimits, usualLimits } from './limits.ts';
import { findLimits, updateLimits } from './store.ts';

/** Nobody could work in less. */
const minSeconds = 300;
/** As long as an access token may live. */
const maxSeconds = 2_592_000;

/** The limits of the tenant, the usual ones where it set none. */
export async function readSessionLimits(context: Context): Promise<SessionLimits> {
  return (await findLimits(context)) ?? usualLimits;
}

/** Sets the limits; undefined is the usual one. They act with the next request, on sessions that are there already too. INVALID_ARGUMENT out of bounds. */
export function changeSessionLimits(
  context: Context,
  wanted: { readonly idleSeconds: number | undefined; readonly lengthSeconds: number | undefined },
): Promise<void> {
  return inTransaction(context, async (inside) => {
    const from = await readSessionLimits(inside);
    const to = {
      idleSeconds: wanted.idleSeconds ?? usualLimits.idleSeconds,
      lengthSeconds: wanted.lengthSeconds ?? usualLimits.lengthSeconds,
    };
    const violations: FieldViolation[] = [];
    const fields = { 'settings.sessionIdle': to.idleSeconds, 'settings.sessionLength': to.lengthSeconds };
    for (const [field, seconds] of Object.entries(fields)) {
      if (!Number.isInteger(seconds) || seconds < minSeconds || seconds > maxSeconds) {
        violations.push({ field, description: `must be whole seconds from ${minSeconds}s to ${maxSeconds}s (5 minutes to 30 days)` });
      }
    }
    if (violations.length === 0 && to.idleSeconds > to.lengthSeconds) {
      violations.push({ field: 'settings.sessionIdle', description: 'must not be longer than sessionLength' });
    }
    refuseInvalid(violations);
    if (from.idleSeconds !== to.idleSeconds || from.lengthSeconds !== to.lengthSeconds) {
      await updateLimits(inside, to);
      const data = { from: { ...from }, to: { ...to } };
      await recordEvent(inside, { kind: 'tenant.session_limits_changed', targetId: inside.tenantId, data });
    }
  });
}
