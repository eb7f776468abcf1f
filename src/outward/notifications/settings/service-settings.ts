/** The contract's services about which mails an organization and its people want: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  ChannelSettingsSchema,
  type ChannelSettings,
  OrgNotificationSettingsService,
  UserNotificationSettingsService,
} from '../../../gen/c1/api/settings/v1/notification_settings_service_pb.js';
import type { Context } from '../../../context.ts';
import { canonicalise } from '../../../wire/canonical.ts';
import type { Row } from '../../../wire/row.ts';
import { implement } from '../../../wire/service.ts';
import { changeNotificationSettings, everybody, readOrgSettings, readUserSettings } from './settings.ts';

/** Every member of every message in it is answered. */
const shapeChannels = (settings: JsonObject) => canonicalise(ChannelSettingsSchema, settings) as Row<ChannelSettings>;

async function shapeOrg(context: Context) {
  return { channelSettings: shapeChannels(await readOrgSettings(context)) };
}

async function shapeUser(context: Context) {
  return { channelSettings: shapeChannels(await readUserSettings(context, context.actor.userId)) };
}

/** Wishes of the organization. */
export const orgSettingsService = implement(OrgNotificationSettingsService, {
  get: async (context) => ({ orgNotificationSettings: await shapeOrg(context) }),
  update: async (context, _request, call) => {
    await changeNotificationSettings(context, everybody, (call.sent.channelSettings ?? {}) as JsonObject);
    return { orgNotificationSettings: await shapeOrg(context) };
  },
});

/** Wishes of the caller. */
export const userSettingsService = implement(UserNotificationSettingsService, {
  get: async (context) => ({ userNotificationSettings: await shapeUser(context) }),
  update: async (context, _request, call) => {
    await changeNotificationSettings(context, context.actor.userId, (call.sent.channelSettings ?? {}) as JsonObject);
    return { userNotificationSettings: await shapeUser(context) };
  },
});
