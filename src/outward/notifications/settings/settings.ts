/**
 * Mails that an organization and its people want. What was never set is on; a kind that the organization locks is the same for everybody. Chats are
 * stored and answered, but nothing is sent to them.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { compareDocuments } from '../../../lib/compare-documents.ts';
import { asObject } from '../../../lib/json.ts';
import { inTransaction, type Context } from '../../../context.ts';
import type { WishKind } from '../notices/index.ts';
import { lockChanges, recordEvent, refuseStale } from '../../../foundation/audit/index.ts';
import { findNotificationSettings, updateNotificationSettings } from './store-settings.ts';

/** Mails that people may be spared. */
const wishKinds: readonly WishKind[] = ['reviews', 'taskReminders', 'connectorIssues', 'system'];

/** Wish for mail at all, and for each kind. */
export type Wishes = Readonly<Record<WishKind | 'email', boolean>>;

/** Settings meant: everybody's, or those of one person. */
export const everybody = '';

/** Settings as they are answered: with what is on unless it was turned off. */
function complete(stored: JsonObject): JsonObject {
  const email = asObject(stored.email);
  const kinds = Object.fromEntries(wishKinds.map((kind) => [kind, { enabled: true, ...asObject(email[kind]) }]));
  const chats = Object.fromEntries(
    ['slack', 'teams'].flatMap((chat) => (stored[chat] === undefined ? [] : [[chat, { ...asObject(stored[chat]), isConfigured: false }]])),
  );
  return { ...chats, email: { enabled: true, ...email, ...kinds } };
}

/** Reads the organization's wishes. */
export async function readOrgSettings(context: Context): Promise<JsonObject> {
  return complete(await findNotificationSettings(context, everybody));
}

/** Reads somebody's wishes, with what the organization locked, or set where they set nothing. */
export async function readUserSettings(context: Context, userId: string): Promise<JsonObject> {
  const org = asObject((await readOrgSettings(context)).email);
  const own = await findNotificationSettings(context, userId);
  const mine = asObject(own.email);
  const kinds = Object.fromEntries(
    wishKinds.map((kind) => {
      const wanted = asObject(org[kind]);
      return [kind, wanted.locked === true || mine[kind] === undefined ? wanted : { ...asObject(mine[kind]), locked: false }];
    }),
  );
  return complete({ ...own, email: { ...mine, ...kinds, enabled: org.enabled === true && mine.enabled !== false } });
}

/** Reads which mails somebody wants, if any. */
export async function readWishes(context: Context, userId: string): Promise<Wishes> {
  const email = asObject((await readUserSettings(context, userId)).email);
  const wants = (kind: WishKind): boolean => asObject(email[kind]).enabled === true;
  return {
    email: email.enabled === true,
    reviews: wants('reviews'),
    taskReminders: wants('taskReminders'),
    connectorIssues: wants('connectorIssues'),
    system: wants('system'),
  };
}

/** Replaces the settings of everybody, or of one person. INVALID_ARGUMENT for a digest by day or week: all that is due together is one mail already. */
export function changeNotificationSettings(context: Context, userId: string, sent: JsonObject): Promise<void> {
  const violations: FieldViolation[] = ['email', 'slack', 'teams']
    .filter((channel) => asObject(asObject(sent[channel]).digest).enabled === true)
    .map((channel) => ({
      field: `channelSettings.${channel}.digest.enabled`,
      description: 'cannot be on: whatever is due together for one person is one mail already',
    }));
  refuseInvalid(violations);
  return inTransaction(context, async (inside) => {
    await lockChanges(inside, `notification_settings.${userId}`);
    const before = complete(await findNotificationSettings(inside, userId));
    const { fields } = compareDocuments(before, complete(sent));
    const targetOfChange = userId === everybody ? inside.tenantId : userId;
    await refuseStale(inside, {
      member: 'channelSettings',
      targetId: targetOfChange,
      kinds: ['notification_settings.updated'],
      before,
      fields,
    });
    await updateNotificationSettings(inside, userId, sent);
    const { tenantId } = inside;
    const target =
      userId === everybody ? ({ targetType: 'tenant', targetId: tenantId } as const) : ({ targetType: 'user', targetId: userId } as const);
    await recordEvent(inside, {
      kind: 'notification_settings.updated',
      ...target,
      data: { channelSettings: JSON.parse(JSON.stringify(sent)) },
    });
  });
}
