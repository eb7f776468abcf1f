/**
 * Own settings of a tenant: its name, its time zone, and whether what was issued answers. Tenants stand before the events in the order of modules,
 * so these rules are not theirs.
 */
import { invalidField } from '../../../errors.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { isTimeZone } from '../../../lib/wall-time.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import {
  findDisplayName,
  findIssuedAnswers,
  findRestoreTakes,
  findTimeZone,
  type IssuedAnswers,
  updateDisplayName,
  type RestoreTakes,
  updateIssuedAnswers,
  updateRestoreTakes,
  updateTimeZone,
} from '../../../foundation/tenants/index.ts';

/** Sets the tenant's time zone. INVALID_ARGUMENT for what is no zone. */
export function changeTimeZone(context: Context, timeZone: string): Promise<void> {
  if (!isTimeZone(timeZone)) {
    throw invalidField('settings.timeZone', 'must be the name of a time zone, such as Europe/Berlin, America/New_York or UTC');
  }
  return inTransaction(context, async (inside) => {
    const { db, tenantId } = inside;
    const from = await findTimeZone(db, tenantId);
    if (from !== timeZone) {
      await updateTimeZone(db, tenantId, timeZone);
      await recordEvent(inside, {
        kind: 'tenant.time_zone_changed',
        targetId: tenantId,
        data: { from, to: timeZone },
      });
    }
  });
}

/** Longest name of a company, in characters. */
const maxName = 200;

/** Sets what the tenant is called. INVALID_ARGUMENT for nothing, and for what is too long for the places that show it. */
export function changeDisplayName(context: Context, wanted: string): Promise<void> {
  const displayName = wanted.trim();
  if (displayName === '' || displayName.length > maxName) {
    throw invalidField('settings.displayName', displayName === '' ? 'must not be empty' : `must have at most ${maxName} characters`);
  }
  return inTransaction(context, async (inside) => {
    const { db, tenantId } = inside;
    const from = await findDisplayName(db, tenantId);
    if (from !== displayName) {
      await updateDisplayName(db, tenantId, displayName);
      await recordEvent(inside, {
        kind: 'tenant.renamed',
        targetId: tenantId,
        data: { from, to: displayName },
      });
    }
  });
}

/** Sets whether people answer through what an administrator issued to them. */
export function changeIssuedAnswers(context: Context, issuedAnswers: IssuedAnswers): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, tenantId } = inside;
    const from = await findIssuedAnswers(db, tenantId);
    if (from !== issuedAnswers) {
      await updateIssuedAnswers(db, tenantId, issuedAnswers);
      await recordEvent(inside, {
        kind: 'tenant.issued_answers_changed',
        targetId: tenantId,
        data: { from, to: issuedAnswers },
      });
    }
  });
}

/** Sets how many Super Administrators restoring takes. */
export function changeRestoreTakes(context: Context, takes: RestoreTakes): Promise<void> {
  return inTransaction(context, async (inside) => {
    const { db, tenantId } = inside;
    const from = await findRestoreTakes(db, tenantId);
    if (from !== takes) {
      await updateRestoreTakes(db, tenantId, takes);
      await recordEvent(inside, { kind: 'tenant.restore_takes_changed', targetId: tenantId, data: { from, to: takes } });
    }
  });
}
