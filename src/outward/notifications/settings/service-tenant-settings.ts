/** The contract's service about what a tenant says of itself: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import { type TenantSettings, TenantSettingsSchema, TenantSettingsService } from '../../../gen/countersign/v1/tenant_settings_pb.js';
import { type Context, inTransaction } from '../../../context.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { applyUpdate } from '../../../wire/mask.ts';
import type { Row } from '../../../wire/row.ts';
import { shape } from '../../../wire/reply.ts';
import { implement } from '../../../wire/service.ts';
import { lockChanges, refuseStale } from '../../../foundation/audit/index.ts';
import {
  changeMailSignIn,
  changeSessionLimits,
  type MailSignIn,
  readMailSignIn,
  readSessionLimits,
} from '../../../foundation/sessions/index.ts';
import {
  findDisplayName,
  findIssuedAnswers,
  findRestoreTakes,
  findTimeZone,
  type IssuedAnswers,
} from '../../../foundation/tenants/index.ts';
import { changeDisplayName, changeIssuedAnswers, changeRestoreTakes, changeTimeZone } from './tenant-settings.ts';

async function readSettings(context: Context): Promise<Row<TenantSettings>> {
  const { idleSeconds, lengthSeconds } = await readSessionLimits(context);
  const timeZone = await findTimeZone(context.db, context.tenantId);
  const mail = await readMailSignIn(context);
  const displayName = await findDisplayName(context.db, context.tenantId);
  return {
    displayName,
    timeZone,
    sessionIdle: `${idleSeconds}s`,
    sessionLength: `${lengthSeconds}s`,
    mailSignIn: mail.set,
    mailSignInNow: mail.now,
    issuedAnswers: await findIssuedAnswers(context.db, context.tenantId),
    restoreTakes: await findRestoreTakes(context.db, context.tenantId),
  };
}

/** The seconds of a duration as it is on the wire; undefined for none. */
function secondsOf(duration: unknown): number | undefined {
  return typeof duration === 'string' ? Number(duration.replace(/s$/, '')) : undefined;
}

/** The setting as it is kept; undefined for what follows from the providers. */
function mailSignInOf(value: unknown): MailSignIn | undefined {
  const name = String(value ?? '').replace('MAIL_SIGN_IN_', '');
  return name === 'EVERYBODY' || name === 'NO_ADMINISTRATORS' || name === 'NOBODY' ? name : undefined;
}

/** The setting as it is kept; the default for none. */
function issuedAnswersOf(value: unknown): IssuedAnswers {
  const name = String(value ?? '').replace('ISSUED_ANSWERS_', '');
  return name === 'ALWAYS' || name === 'NEVER' ? name : 'WITHOUT_OTHER_SIGN_IN';
}

/** Kinds of events by which the settings change. */
const settingKinds = [
  'tenant.renamed',
  'tenant.time_zone_changed',
  'tenant.session_limits_changed',
  'tenant.mail_sign_in_changed',
  'tenant.issued_answers_changed',
  'tenant.restore_takes_changed',
] as const;

/** The service. */
export const tenantSettingsService = implement(TenantSettingsService, {
  get: async (context) => ({ settings: await readSettings(context) }),
  update: (context, _request, call) =>
    inTransaction(context, async (inside) => {
      const sent = (call.sent.settings ?? {}) as JsonObject;
      await lockChanges(inside, 'tenant_settings');
      const before = shape(TenantSettingsSchema, await readSettings(inside)) as JsonObject;
      const after = applyUpdate(TenantSettingsSchema, before, sent, call.mask);
      const { fields } = compareDocuments(before, after);
      await refuseStale(inside, { member: 'settings', targetId: inside.tenantId, kinds: settingKinds, before, fields });
      const { displayName, timeZone, sessionIdle, sessionLength, mailSignIn, issuedAnswers, restoreTakes } = after;
      await changeDisplayName(inside, String(displayName ?? ''));
      // The default of a text is no zone; that of a tenant is UTC.
      await changeTimeZone(inside, timeZone === undefined || timeZone === '' ? 'UTC' : String(timeZone));
      await changeSessionLimits(inside, { idleSeconds: secondsOf(sessionIdle), lengthSeconds: secondsOf(sessionLength) });
      await changeMailSignIn(inside, mailSignInOf(mailSignIn));
      await changeIssuedAnswers(inside, issuedAnswersOf(issuedAnswers));
      await changeRestoreTakes(inside, restoreTakes === 'RESTORE_TAKES_TWO' ? 'TWO' : 'ONE');
      return { settings: await readSettings(inside) };
    }),
});
