/** The contract's services about which mails an organization and its people want: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import {
  ChannelSettingsSchema,
  type ChannelSettingsJson,
  GetOrgNotificationSettingsResponseSchema,
  GetUserNotificationSettingsResponseSchema,
  OrgNotificationSettingsSchema,
  OrgNotificationSettingsService,
  UpdateOrgNotificationSettingsResponseSchema,
  UpdateUserNotificationSettingsResponseSchema,
  UserNotificationSettingsSchema,
  UserNotificationSettingsService,
} from '../../gen/c1/api/settings/v1/notification_settings_service_pb.js';
import type { Context } from '../../context.ts';
import { canonicalise } from '../../wire/canonical.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { changeNotificationSettings, everybody, readOrgSettings, readUserSettings } from './settings.ts';

/** Every member of every message in it is answered. */
const shapeChannels = (settings: JsonObject) => canonicalise(ChannelSettingsSchema, settings) as ChannelSettingsJson;

async function shapeOrg(context: Context) {
  return shape(OrgNotificationSettingsSchema, { channelSettings: shapeChannels(await readOrgSettings(context)) });
}

async function shapeUser(context: Context) {
  return shape(UserNotificationSettingsSchema, { channelSettings: shapeChannels(await readUserSettings(context, context.actor.userId)) });
}

/** What the organization wants. */
export const orgSettingsService = implement(OrgNotificationSettingsService, {
  get: async (context) => shape(GetOrgNotificationSettingsResponseSchema, { orgNotificationSettings: await shapeOrg(context) }),
  update: async (context, _request, call) => {
    await changeNotificationSettings(context, everybody, (call.sent.channelSettings ?? {}) as JsonObject);
    return shape(UpdateOrgNotificationSettingsResponseSchema, { orgNotificationSettings: await shapeOrg(context) });
  },
});

/** What the caller wants. */
export const userSettingsService = implement(UserNotificationSettingsService, {
  get: async (context) => shape(GetUserNotificationSettingsResponseSchema, { userNotificationSettings: await shapeUser(context) }),
  update: async (context, _request, call) => {
    await changeNotificationSettings(context, context.actor.userId, (call.sent.channelSettings ?? {}) as JsonObject);
    return shape(UpdateUserNotificationSettingsResponseSchema, { userNotificationSettings: await shapeUser(context) });
  },
});
