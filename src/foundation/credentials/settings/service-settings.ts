/**
 * The contract's service about session settings: each method calls one rule and shapes the reply.
 */
import { type SessionSettings, type SessionSettingsJson, SessionSettingsSchema } from '../../../gen/c1/api/settings/v1/settings_pb.js';
import { SessionSettingsService } from '../../../gen/c1/api/settings/v1/session_settings_service_pb.js';
import { keptRow, type Row } from '../../../wire/row.ts';
import { implement } from '../../../wire/service.ts';
import { changeSettings, getSettings, testSource } from './change-settings.ts';
import { sources } from './session-settings.ts';

/** The settings with every restriction, those that are off too. */
function shapeSettings(document: SessionSettingsJson): Row<SessionSettings> {
  const off = Object.fromEntries(sources.map((source) => [source, {}]));
  return keptRow(SessionSettingsSchema, { ...off, ...document });
}

const permissionDenied = 7;

/** Session settings. */
export const sessionSettingsService = implement(SessionSettingsService, {
  get: async (context) => ({ sessionSettings: shapeSettings(await getSettings(context)) }),
  update: async (context, _request, call) => {
    const document = await changeSettings(context, call.sent.sessionSettings ?? {}, call.mask);
    return { sessionSettings: shapeSettings(document) };
  },
  testSourceIP: async (context, request) => {
    const { allowed, checkedIp } = testSource(context, request.allowCidr, request.sourceIp);
    const message = `${checkedIp} is in none of the blocks.`;
    return { allowed, checkedIp, details: allowed ? undefined : { code: permissionDenied, message } };
  },
});
