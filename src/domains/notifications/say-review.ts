/**
 * What a mail says about one review to one person: why they hear of it, how much waits for them and until when. Nothing where nothing is left to say:
 * the review is over, or they are done.
 */
import { asObject } from '../../lib/json.ts';
import { asUtcMs, wallTimeAt } from '../../lib/wall-time.ts';
import type { ReviewRow } from '../reviews/index.ts';
import type { Facts } from './facts.ts';
import { isAsking, type NoticeKind } from './notices.ts';
import type { Section } from './render-mail.ts';
import { sayRemovals } from './say-others.ts';
import { countOf, dayOf, listOfNames, longestError, plain, quoted } from './say-words.ts';
import type { NoticeRow } from './store-notices.ts';

const longestInstructions = 20_000;
const dayMs = 86_400_000;

/** A section with what the subject of a mail that is about nothing else would be. */
export interface Said {
  readonly subject: string;
  readonly section: Section;
  /** The notices it says. */
  readonly notices: readonly NoticeRow[];
}

function textOf(review: ReviewRow, member: string): string {
  const value = review.document[member];
  return typeof value === 'string' ? value : '';
}

/** The name of a review, between quotation marks. */
export function nameOf(review: ReviewRow): string {
  return quoted(textOf(review, 'displayName'));
}

/** Whole days from today to a moment's day, where the tenant is; negative where it is past. */
function daysUntil(moment: Date, { now, timeZone }: Facts): number {
  const day = (at: Date): number => Math.floor(asUtcMs(wallTimeAt(at, timeZone)) / dayMs);
  return day(moment) - day(now);
}

/** How the due date stands. */
function sayDue(review: ReviewRow, facts: Facts): { readonly line: string; readonly isOverdue: boolean } {
  const text = textOf(review, 'completionDate');
  if (text === '') {
    return { line: 'It has no due date.', isOverdue: false };
  }
  const due = new Date(text);
  const day = dayOf(due, facts.timeZone);
  const days = daysUntil(due, facts);
  if (days < 0) {
    return { line: `It was due on ${day}: ${countOf(-days, 'day')} ago.`, isOverdue: true };
  }
  return {
    line: days === 0 ? `It is due today, ${day}.` : `It is due on ${day}: ${days === 1 ? 'tomorrow' : `in ${days} days`}.`,
    isOverdue: false,
  };
}

/** Why somebody who is asked hears of a review; the first that is among the notices. */
const reasons: readonly (readonly [NoticeKind, string])[] = [
  ['KICKOFF', 'The review has started, and you are asked to decide.'],
  ['HANDED_OVER', 'Items of somebody who can no longer review were handed over to you.'],
  ['ESCALATED', 'Items that waited too long were escalated to you.'],
  ['ASSIGNED', 'Items were assigned to you.'],
  ['REVIEW_REMINDED', 'An owner of the review reminds you of it.'],
  ['TASK_REMINDED', 'An owner of the review reminds you of it.'],
  ['REMINDER', 'This is a reminder.'],
];

/** What notices that ask somebody say about one review. */
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
  const kinds = new Set(left.map(({ kind }) => kind));
  const isFirst = kinds.has('KICKOFF');
  const isNew = isFirst || kinds.has('ASSIGNED') || kinds.has('HANDED_OVER') || kinds.has('ESCALATED');
  const items = countOf(total, 'item');
  const verb = total === 1 ? 'waits' : 'wait';
  const standing = places.flatMap(({ place, open }) => {
    const person = place === '' ? undefined : facts.people.get(place);
    return person === undefined
      ? []
      : [
          `${countOf(open, 'item')} ${open === 1 ? 'waits' : 'wait'} for you as the delegate of ${plain(person.displayName || person.email)}.`,
        ];
  });
  const instructions = textOf(review, 'reviewInstructions');
  const isCut = instructions.length > longestInstructions;
  return {
    subject: isOverdue
      ? `Overdue: ${items} of the access review ${nameOf(review)} ${verb} for you`
      : isNew
        ? `${items} of the access review ${nameOf(review)} ${verb} for you`
        : `Reminder: ${items} of the access review ${nameOf(review)} ${verb} for you`,
    notices: left,
    section: {
      heading: `Access review ${nameOf(review)}`,
      lines: [
        ...reasons.filter(([kind]) => kinds.has(kind)).map(([, line]) => line),
        `${items} ${verb} for your decision. ${dueLine}`,
        ...standing,
      ].filter((line, index, all) => all.indexOf(line) === index),
      markdown: isNew ? instructions.slice(0, longestInstructions) + (isCut ? '\n\n[...]' : '') : '',
      link: { label: 'Review them', url: facts.linkTo(`/reviews/${review.id}`) },
    },
  };
}

/** The text that an event's data has under this name; '' for none. */
function dataText(notice: NoticeRow, member: string): string {
  const value = asObject(notice.data)[member];
  return typeof value === 'string' ? plain(value, longestError) : '';
}

interface Told {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly items?: readonly string[];
}

type Sentence = (review: ReviewRow, notice: NoticeRow, facts: Facts) => Told | undefined;

/** What owners of a review hear of the removals that it asked for. */
const sayRemovalsOfReview: Sentence = (review, { kind, subjectId }, { others }) => {
  const found = others.removalsOf(kind, subjectId);
  if (found === undefined) {
    return undefined;
  }
  const { subject, lines } = sayRemovals(kind, found.count);
  return { subject: `${subject} after the access review ${nameOf(review)}`, lines, items: listOfNames(found) };
};

/** What those hear who own a review or were asked by it. */
const sentences: Readonly<Partial<Record<string, Sentence>>> = {
  CLOSED: (review) => ({
    subject: `The access review ${nameOf(review)} is closed`,
    lines: ['The review is closed. There is nothing left to do for you.'],
  }),
  REPORT_READY: (review) => ({
    subject: `The report of the access review ${nameOf(review)} is ready`,
    lines: ['The report that the review asks for at its end is ready to be downloaded.'],
  }),
  PREPARE_FAILED: (review, notice) => ({
    subject: `The access review ${nameOf(review)} could not be prepared`,
    lines: [`Preparing the review failed: ${dataText(notice, 'error')}`, 'It is a draft again. Change what is wrong, and prepare it.'],
  }),
  START_FAILED: (review, notice) => ({
    subject: `The access review ${nameOf(review)} could not be started`,
    lines: [`Starting the review failed: ${dataText(notice, 'error')}`, 'It is staged. Change what is wrong, and start it.'],
  }),
  START_HELD: (review) => ({
    subject: `The start of the access review ${nameOf(review)} is held`,
    lines: [
      'The start date has come, but sources of the review are out of date or failed, and the review is set to wait.',
      'Bring the sources up to date, or start the review yourself.',
    ],
  }),
  UNASSIGNED: (review) => ({
    subject: `Items of the access review ${nameOf(review)} have no reviewer`,
    lines: ['Nobody is left who could decide some items of the review. Assign them to somebody.'],
  }),
  ACKNOWLEDGEMENT_MISSING: (review) => ({
    subject: `The access review ${nameOf(review)} waits for an acknowledgement`,
    lines: ['The review cannot close before one of those who were named for it acknowledges its results.'],
  }),
  REMOVALS_OVERDUE: sayRemovalsOfReview,
  REMOVALS_REAPPEARED: sayRemovalsOfReview,
};

/** What the other notices say about one review; nothing of a kind that is not known, and of a review that is gone. */
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
          heading: `Access review ${nameOf(review)}`,
          lines: [...new Set(said.flatMap(({ lines }) => lines))],
          items: [...new Set(said.flatMap(({ items = [] }) => items))],
          markdown: '',
          link: { label: 'Open the review', url: facts.linkTo(`/reviews/${review.id}`) },
        },
      };
}
