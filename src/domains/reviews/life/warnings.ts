/** Warnings to whoever moves a review, which do not stop it. What stops it is check-record.ts and its neighbours. */
import { flaggedSources, nameSources } from '../evidence/index.ts';
import type { ReviewRow } from '../record/index.ts';

/** The mails that a review can ask for, by their names in `notificationConfig`. */
const mails = ['sendKickoff', 'sendReminders', 'sendClose'] as const;

/** Warns that the review asks for mails although this installation sends none; `sendsMail`: whether it does. */
export function listMailWarnings({ document }: Pick<ReviewRow, 'document'>, sendsMail: boolean): string[] {
  const wanted = document.notificationConfig ?? {};
  const asked = mails.filter((mail) => wanted[mail] === true).map((mail) => `notificationConfig.${mail}`);
  return sendsMail || asked.length === 0
    ? []
    : [
        `This installation sends no mail, so nobody gets what the review asks for: ${asked.join(', ')}. Ask your operator to configure mail (--smtp-url), or inform the reviewers yourself.`,
      ];
}

/** Warns that sources were not up to date at the snapshot of the review. */
export function listSourceWarnings({ accuracy }: Pick<ReviewRow, 'accuracy'>): string[] {
  const flagged = flaggedSources(accuracy);
  return flagged.length === 0
    ? []
    : [`At the snapshot, these sources were not up to date: ${nameSources(flagged)}. What the review asks may be outdated.`];
}
