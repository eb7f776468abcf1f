/** Warnings to whoever moves a review, which do not stop it. What stops it is check-record.ts and its neighbours. */
import { flaggedSources, nameSources } from '../evidence/index.ts';
import type { ReviewRow } from '../record/index.ts';

/** The mails that a review can ask for, by their names in `notificationConfig`, and what nobody is told without them. */
const mails = { sendKickoff: 'that it starts', sendReminders: 'that it is due', sendClose: 'that it is closed' } as const;

/** Warns that the review asks for mails although this installation sends none; `sendsMail`: whether it does. */
export function listMailWarnings({ document }: Pick<ReviewRow, 'document'>, sendsMail: boolean): string[] {
  const wanted = document.notificationConfig ?? {};
  const asked = (Object.keys(mails) as (keyof typeof mails)[]).filter((mail) => wanted[mail] === true).map((mail) => mails[mail]);
  return sendsMail || asked.length === 0
    ? []
    : [
        `This installation sends no mail. Nobody will be told ${asked.join(', nor ')}. Tell the reviewers yourself, or ask your operator to configure mail (--smtp-url).`,
      ];
}

/** Warns that a reminder reaches nobody. */
export const remindsNobody =
  'This installation sends no mail, so the reminder reaches nobody. Tell the reviewers yourself, or ask your operator to configure mail (--smtp-url).';

/** Warns that sources were not up to date at the snapshot of the review. */
export function listSourceWarnings({ accuracy }: Pick<ReviewRow, 'accuracy'>): string[] {
  const flagged = flaggedSources(accuracy);
  return flagged.length === 0
    ? []
    : [`At the snapshot, these sources were not up to date: ${nameSources(flagged)}. What the review asks may be outdated.`];
}
