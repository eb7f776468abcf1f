/**
 * Text of a mail about one review to one person: why they hear of it, how much waits for them and until when. Nothing where nothing is left to say:
 * the review is over, or they are done.
 */
import { asUtcMs, wallTimeAt } from '../../lib/wall-time.ts';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import {
  type AskingKind,
  type Facts,
  type NoticeKind,
  type NoticeRow,
  type RemovalKind,
  type ToldKind,
  isAsking,
} from './notices/index.ts';
import type { Section } from './mailers/index.ts';
import { sayRemovals } from './say-removals.ts';
import { countNoun, dayOf, listOfNames, plain, quoted, textIn } from './say-words.ts';

const longestInstructions = 20_000;
const dayMs = 86_400_000;

/** A section with what the subject of a mail that is about nothing else would be. */
export interface Said {
  readonly subject: string;
  readonly section: Section;
  /** The notices it says. */
  readonly notices: readonly NoticeRow[];
}

/** The name of a review, between quotation marks. */
export function reviewName(review: ReviewRow): string {
  return quoted(review.document.displayName ?? '');
}

/** Whole days from today to a moment's day, where the reader is; negative where it is past. */
function daysUntil(moment: Date, { now, timeZone }: Facts): number {
  const day = (at: Date): number => Math.floor(asUtcMs(wallTimeAt(at, timeZone)) / dayMs);
  return day(moment) - day(now);
}

/** Phrases the due date. */
function sayDue(review: ReviewRow, facts: Facts): { readonly line: string; readonly isOverdue: boolean } {
  const text = review.document.completionDate ?? '';
  if (text === '') {
    return { line: 'It has no due date.', isOverdue: false };
  }
  const due = new Date(text);
  const day = dayOf(due, facts.timeZone);
  const days = daysUntil(due, facts);
  if (days < 0) {
    return { line: `It was due on ${day}: ${countNoun(-days, 'day')} ago.`, isOverdue: true };
  }
  return {
    line: days === 0 ? `It is due today, ${day}.` : `It is due on ${day}: ${days === 1 ? 'tomorrow' : `in ${days} days`}.`,
    isOverdue: false,
  };
}

/** Reasons somebody who is asked hears of a review, in the order a mail says them. */
const reasons: Readonly<Record<AskingKind, string>> = {
  KICKOFF: 'The review has started, and you are asked to decide.',
  HANDED_OVER: 'Items of somebody who can no longer review were handed over to you.',
  ESCALATED: 'Items that waited too long were escalated to you.',
  ASSIGNED: 'Items were assigned to you.',
  REVIEW_REMINDED: 'An owner of the review reminds you of it.',
  TASK_REMINDED: 'An owner of the review reminds you of it.',
  REMINDER: 'This is a reminder.',
};

/** Phrases the notices about one review that ask somebody. */
export function sayAsked(review: ReviewRow | undefined, notices: readonly NoticeRow[], facts: Facts): Said | undefined {
  if (review?.state !== 'OPEN' || review.closing) {
    return undefined;
  }
  const asking = notices.filter(
    ({ kind, subjectId, onBehalfId }) => isAsking(kind) && (kind !== 'TASK_REMINDED' || facts.asks(onBehalfId, subjectId)),
  );
  const places = [...new Set(asking.map(({ onBehalfId }) => onBehalfId))]
    .map((place) => ({ place, open: facts.open(place, review.id) }))
    .filter(({ open }) => open > 0);
  const left = asking.filter(({ onBehalfId }) => places.some(({ place }) => place === onBehalfId));
  if (left.length === 0) {
    return undefined;
  }
  const total = places.reduce((sum, { open }) => sum + open, 0);
  const { line: dueLine, isOverdue } = sayDue(review, facts);
  const kinds = new Set<string>(left.map(({ kind }) => kind));
  const isFirst = kinds.has('KICKOFF');
  const isNew = isFirst || kinds.has('ASSIGNED') || kinds.has('HANDED_OVER') || kinds.has('ESCALATED');
  const items = countNoun(total, 'item');
  const verb = total === 1 ? 'waits' : 'wait';
  const standing = places.flatMap(({ place, open }) => {
    const person = place === '' ? undefined : facts.people.get(place);
    return person === undefined
      ? []
      : [
          `${countNoun(open, 'item')} ${open === 1 ? 'waits' : 'wait'} for you as the delegate of ${plain(person.displayName || person.email)}.`,
        ];
  });
  const instructions = review.document.reviewInstructions ?? '';
  const isCut = instructions.length > longestInstructions;
  return {
    subject: isOverdue
      ? `Overdue: ${items} of the access review ${reviewName(review)} ${verb} for you`
      : isNew
        ? `${items} of the access review ${reviewName(review)} ${verb} for you`
        : `Reminder: ${items} of the access review ${reviewName(review)} ${verb} for you`,
    notices: left,
    section: {
      heading: `Access review ${reviewName(review)}`,
      lines: [
        ...Object.entries(reasons).flatMap(([kind, line]) => (kinds.has(kind) ? [line] : [])),
        `${items} ${verb} for your decision. ${dueLine}`,
        ...standing,
        ...saySigning(review, isNew),
        ...sayWaiting(facts.unsigned(review.id)),
      ].filter((line, index, all) => all.indexOf(line) === index),
      markdown: isNew ? instructions.slice(0, longestInstructions) + (isCut ? '\n\n[...]' : '') : '',
      link: { label: 'Review them', url: facts.linkTo(`/reviews/${review.id}`) },
    },
  };
}

/** Longest meaning of a signature that a mail repeats. */
const longestMeaning = 300;

/** Says that decisions have to be signed; to whoever hears of it for the first time, with which meaning and what that takes. */
function saySigning({ document }: ReviewRow, isNew: boolean): string[] {
  const { requireSignature = false, meaningOfSignature = '', stepUpProviderId = '' } = document.signatureConfig ?? {};
  if (!requireSignature) {
    return [];
  }
  const counts = 'The review asks for signatures: what you submit counts once you signed it.';
  const signIn = stepUpProviderId === '' ? [] : ['For each signature you sign in once more, with your own account.'];
  const isLong = meaningOfSignature.length > longestMeaning;
  const meaning = plain(isLong ? `${meaningOfSignature.slice(0, longestMeaning)}…` : meaningOfSignature);
  return isNew ? [counts, `Your signature means: “${meaning}”`, ...signIn] : [counts];
}

/** Says that what was submitted waits for the signature of whoever reads the mail. */
function sayWaiting(unsigned: number): string[] {
  return unsigned === 0
    ? []
    : [`You have submitted decisions about ${countNoun(unsigned, 'item')} and not signed them yet: sign them, or submit them anew.`];
}

interface Told {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly items?: readonly string[];
}

type Sentence = (review: ReviewRow, notice: NoticeRow, facts: Facts) => Told | undefined;

/** Phrases, for owners of a review, the removals that it asked for. */
const sayRemovalsOfReview =
  (kind: RemovalKind): Sentence =>
  (review, { subjectId }, { subjects }) => {
    const found = subjects.removalsOf(kind, subjectId);
    if (found === undefined) {
      return undefined;
    }
    const { subject, lines } = sayRemovals(kind, found.count);
    return { subject: `${subject} after the access review ${reviewName(review)}`, lines, items: listOfNames(found) };
  };

/** Effect of a close on items that nobody decided. */
const fates: Readonly<Record<string, (them: string) => string>> = {
  REVOKED: (them) => `The close revoked ${them}.`,
  SKIP: (them) => `The close skipped ${them}, and the access stays.`,
  NO_ACTION: (them) => `The close left ${them} without an outcome, and the access stays.`,
};

const pronoun = (count: number): string => (count === 1 ? 'it' : 'them');

/** Tells what a closed review leaves: what nobody decided, and for its owners what came into its scope after its snapshot. */
function sayLeft(review: ReviewRow, { recipient, undecided, unsigned }: Facts): string[] {
  const isOwner = review.ownerIds.includes(recipient.id);
  const left = undecided(review.id);
  const waited = unsigned(review.id);
  const later = isOwner ? (review.arrived ?? 0) : 0;
  const fate = fates[review.closeDecision]?.(pronoun(left)) ?? '';
  const lines = [
    ...(left === 0 ? [] : [`Nobody decided ${countNoun(left, 'item')} ${isOwner ? 'of the review' : 'that it asked you about'}. ${fate}`]),
    ...(waited === 0
      ? []
      : [
          `Of these, ${countNoun(waited, 'item')} ${waited === 1 ? 'was' : 'were'} in submissions that waited for ${isOwner ? 'a' : 'your'} signature. What is not signed is not decided.`,
        ]),
    ...(later === 0
      ? []
      : [
          `${countNoun(later, 'grant')} came into its scope after the snapshot, and it asked nobody about ${pronoun(later)}. A supplementary review can.`,
        ]),
  ];
  return lines.length === 0 ? ['There is nothing left to do for you.'] : lines;
}

/** Sentences for those who own a review or were asked by it. */
const sentences: Readonly<Partial<Record<NoticeKind, Sentence>> & Record<ToldKind, Sentence>> = {
  CLOSED: (review, _, facts) => ({
    subject: `The access review ${reviewName(review)} is closed`,
    lines: ['The review is closed. It takes no more decisions.', ...sayLeft(review, facts)],
  }),
  REPORT_READY: (review) => ({
    subject: `The report of the access review ${reviewName(review)} is ready`,
    lines: ['The report that the review asks for at its end is ready to be downloaded.'],
  }),
  PREPARE_FAILED: (review, notice) => ({
    subject: `The access review ${reviewName(review)} could not be prepared`,
    lines: [`Preparing the review failed: ${textIn(notice, 'error')}`, 'It is a draft again. Change what is wrong, and prepare it.'],
  }),
  START_FAILED: (review, notice) => ({
    subject: `The access review ${reviewName(review)} could not be started`,
    lines: [`Starting the review failed: ${textIn(notice, 'error')}`, 'It is staged. Change what is wrong, and start it.'],
  }),
  START_HELD: (review) => ({
    subject: `The start of the access review ${reviewName(review)} is held`,
    lines: [
      'The start date has come, but sources of the review are out of date or failed, and the review is set to wait.',
      'Bring the sources up to date, or start the review yourself.',
    ],
  }),
  UNASSIGNED: (review) => ({
    subject: `Items of the access review ${reviewName(review)} have no reviewer`,
    lines: ['Nobody is left who could decide some items of the review. Assign them to somebody.'],
  }),
  ACKNOWLEDGEMENT_MISSING: (review) => ({
    subject: `The access review ${reviewName(review)} waits for an acknowledgement`,
    lines: ['The review cannot close before one of those who were named for it acknowledges its results.'],
  }),
  REMOVALS_OVERDUE: sayRemovalsOfReview('REMOVALS_OVERDUE'),
  REMOVALS_REAPPEARED: sayRemovalsOfReview('REMOVALS_REAPPEARED'),
};

/** Phrases the other notices about one review; nothing of a kind that is not known, and of a review that is gone. */
export function sayTold(review: ReviewRow | undefined, notices: readonly NoticeRow[], facts: Facts): Said | undefined {
  if (review === undefined || review.state === 'DELETED') {
    return undefined;
  }
  const said = notices.flatMap((notice) => {
    const told = sentences[notice.kind]?.(review, notice, facts);
    return told === undefined ? [] : [{ notice, ...told }];
  });
  const [first] = said;
  return first === undefined
    ? undefined
    : {
        subject: first.subject,
        notices: said.map(({ notice }) => notice),
        section: {
          heading: `Access review ${reviewName(review)}`,
          lines: [...new Set(said.flatMap(({ lines }) => lines))],
          items: [...new Set(said.flatMap(({ items = [] }) => items))],
          markdown: '',
          link: { label: 'Open the review', url: facts.linkTo(`/reviews/${review.id}`) },
        },
      };
}
