/** Kinds of mails, as people and the company choose among them. */
import type { ReplyOf } from '~/data/query.ts';
import type { PlainTextKey } from '~/text/text.ts';

type UserSettings = NonNullable<ReplyOf<'UserNotificationSettingsService.Get'>['userNotificationSettings']>;
export type Channels = NonNullable<UserSettings['channelSettings']>;

/** The kinds of which the server sends mails, in the order in which they matter. */
export const mailKinds = [
  { id: 'reviews', label: 'mails.reviews', hint: 'mails.reviewsHint' },
  { id: 'taskReminders', label: 'mails.reminders', hint: 'mails.remindersHint' },
  { id: 'connectorIssues', label: 'mails.sources', hint: 'mails.sourcesHint' },
  { id: 'system', label: 'mails.system', hint: 'mails.systemHint' },
] as const satisfies readonly { id: string; label: PlainTextKey; hint: PlainTextKey }[];

export type MailKind = (typeof mailKinds)[number]['id'];

/** Choice on a kind, and whether the company decided it for everybody. */
export interface Wish {
  readonly enabled: boolean;
  readonly locked: boolean;
}

export function mailWish({ email }: Channels, kind: MailKind): Wish {
  return { enabled: email?.[kind]?.enabled === true, locked: email?.[kind]?.locked === true };
}

/**
 * The channels with something of the mails changed. What the company decided for everybody is left out of what a person sends: it would stay theirs
 * after the company lets them choose again.
 */
export function changeOwn(
  channels: Channels,
  change: { readonly enabled?: boolean; readonly kinds?: Partial<Record<MailKind, boolean>> },
): Channels {
  const kinds = mailKinds
    .filter(({ id }) => !mailWish(channels, id).locked)
    .map(({ id }) => [id, { enabled: change.kinds?.[id] ?? mailWish(channels, id).enabled }] as const);
  return { ...channels, email: { enabled: change.enabled ?? channels.email?.enabled === true, ...Object.fromEntries(kinds) } };
}

/** Applies a change that is on its way: as it was asked for. */
export function withPending(channels: Channels, pending: Channels | undefined): Channels {
  return pending === undefined ? channels : { ...channels, email: { ...channels.email, ...pending.email } };
}
