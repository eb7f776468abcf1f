/** The contract's service about what a tenant says of itself: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  type TenantSettingsJson,
  TenantSettingsSchema,
  TenantSettingsService,
  TenantSettingsServiceGetResponseSchema,
  TenantSettingsServiceUpdateResponseSchema,
} from '../../gen/countersign/v1/tenant_settings_pb.js';
import { type Context, inTransaction } from '../../context.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { changeSessionLimits, readSessionLimits } from '../sessions/index.ts';
import { findTimeZone } from '../tenants/index.ts';
import { changeTimeZone } from './tenant-settings.ts';

async function readSettings(context: Context): Promise<TenantSettingsJson> {
  const { idleSeconds, lengthSeconds } = await readSessionLimits(context);
  const timeZone = await findTimeZone(context.db, context.tenantId);
  return { timeZone, sessionIdle: `${idleSeconds}s`, sessionLength: `${lengthSeconds}s` };
}

/** The seconds of a duration as it is on the wire; undefined for none. */
function secondsOf(duration: unknown): number | undefined {
  return typeof duration === 'string' ? Number(duration.replace(/s$/, '')) : undefined;
}

/** The service. */
export const tenantSettingsService = implement(TenantSettingsService, {
  get: async (context) =>
    shape(TenantSettingsServiceGetResponseSchema, { settings: shape(TenantSettingsSchema, await readSettings(context)) }),
  update: (context, _request, call) =>
    inTransaction(context, async (inside) => {
      const sent = (call.sent.settings ?? {}) as JsonObject;
      const { timeZone, sessionIdle, sessionLength } = applyUpdate(
        TenantSettingsSchema,
        { ...(await readSettings(inside)) },
        sent,
        call.mask,
      );
      // The default of a text is no zone; that of a tenant is UTC.
      await changeTimeZone(inside, timeZone === undefined || timeZone === '' ? 'UTC' : String(timeZone));
      await changeSessionLimits(inside, { idleSeconds: secondsOf(sessionIdle), lengthSeconds: secondsOf(sessionLength) });
      return shape(TenantSettingsServiceUpdateResponseSchema, { settings: shape(TenantSettingsSchema, await readSettings(inside)) });
    }),
});
