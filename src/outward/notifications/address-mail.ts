/**
 * The mail to an address that somebody has no longer: whoever reads it may be the only one who knows that the change is wrong. It goes to the old address,
 * whatever settings turn off.
 */
import type { Context } from '../../context.ts';
import { callAgain, type JobKind } from '../../jobs/index.ts';
import { newId } from '../../wire/ids.ts';
import { enqueueDelivery } from '../../foundation/deliveries/index.ts';
import {
  type AddressChange,
  findAddressChange,
  lockUntoldChanges,
  settlingMs,
  updateToldChanges,
} from '../../foundation/sessions/index.ts';
import { type RenderedMail, insertMailOfNotice, mailDeliveryKind, renderMail, updatePace } from './mailers/index.ts';
import type { IsConfigured } from './notice-jobs.ts';
import { addressChangedKind } from './notices/index.ts';
import { plain } from './say-words.ts';

/** The kind of job; its subject is the tenant. */
export const addressChangesJobKind = 'mail.address-changes';
/** Mails of one transaction. */
const mailsPerChunk = 200;

const subjectOf = ({ userId, changedAt }: AddressChange): string => `${userId} ${changedAt.toISOString()}`;

/** Makes a mail for each change that no mail reports yet. Where no mail leaves, nothing is written down. */
export function createAddressChangesJob(isConfigured: IsConfigured, perMinute: number): JobKind {
  return {
    maxAttempts: Number.MAX_SAFE_INTEGER,
    async handler(context) {
      const changes = await lockUntoldChanges(context, mailsPerChunk);
      if (changes.length > 0 && (await isConfigured(context))) {
        await makeMails(context, changes, 60_000 / perMinute);
      }
      await updateToldChanges(context, changes);
      if (changes.length === mailsPerChunk) {
        const { tenantId, now } = context;
        await callAgain(context.db, { tenantId, kind: addressChangesJobKind, subjectId: tenantId, runAt: now }, now);
      }
      return 'finished';
    },
  };
}

async function makeMails(context: Context, changes: readonly AddressChange[], gapMs: number): Promise<void> {
  const first = await updatePace(context, changes.length, gapMs);
  for (const [index, change] of changes.entries()) {
    const id = newId(context.now);
    if (await insertMailOfNotice(context, id, { kind: addressChangedKind, subjectId: subjectOf(change), personId: change.userId })) {
      const runAt = new Date(first.getTime() + index * gapMs);
      await enqueueDelivery(context, { kind: mailDeliveryKind, subjectId: id, idempotencyKey: id, runAt });
    }
  }
}

/** The words of the mail. */
export function renderAddressMail(name: string, change: AddressChange, place: { base: string; host: string }): RenderedMail {
  const from = new Date(change.changedAt.getTime() + settlingMs).toISOString().slice(0, 16).replace('T', ' ');
  return renderMail({
    subject: `Your address at ${place.host} was changed`,
    greeting: `Hello ${plain(name)},`,
    sections: [
      {
        heading: 'Your address was changed',
        lines: [
          `Countersign now has another mail address for you: ${plain(change.newAddress) || '(none)'}. This address, ${plain(change.oldAddress)}, is no longer yours there.`,
          `Links and sessions by mail have ended. No sign-in link is sent to the new address until ${from} UTC.`,
          'If you did not expect this, report it to an administrator of Countersign now.',
        ],
        markdown: '',
        link: { label: 'Open Countersign', url: `${place.base.replace(/\/$/, '')}/` },
      },
    ],
    footer: [`Countersign sends you this from ${place.host}.`],
  });
}

/** The mail about a change, and the address it goes to; undefined where the change is forgotten. */
export async function writeAddressMail(
  context: Context,
  subjectId: string,
  recipient: { displayName: string },
  place: { base: string; host: string },
): Promise<(RenderedMail & { readonly address: string }) | undefined> {
  const [userId = '', changedAt = ''] = subjectId.split(' ');
  const change = await findAddressChange(context, userId, new Date(changedAt));
  return change === undefined
    ? undefined
    : { ...renderAddressMail(recipient.displayName || change.oldAddress, change, place), address: change.oldAddress };
}
