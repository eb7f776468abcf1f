/** What a mail says of access conflicts, templates and the removals of apps to one person. Nothing where nothing is left to say. */
import { asObject } from '../../lib/json.ts';
import type { Facts } from './facts.ts';
import { removalKinds, templateKinds } from './other-facts.ts';
import type { Section } from './render-mail.ts';
import type { Said } from './say-review.ts';
import { countOf, dayOf, listOfNames, longestError, plain, quoted } from './say-words.ts';
import type { NoticeRow } from './store-notices.ts';

/** Dates that a mail about a template names. */
const mostDates = 10;

function textIn(notice: NoticeRow, member: string): string {
  const value = asObject(notice.data)[member];
  return typeof value === 'string' ? plain(value, longestError) : '';
}

const section = (heading: string, lines: readonly string[], items: readonly string[], label: string, url: string): Section => ({
  heading,
  lines,
  items,
  markdown: '',
  link: { label, url },
});

function sayConflict(monitorId: string, notices: readonly NoticeRow[], { others, linkTo }: Facts): Said | undefined {
  const name = others.nameOf(monitorId);
  const found = others.conflictsOf(monitorId);
  if (name === undefined || found === undefined) {
    return undefined;
  }
  const who = countOf(found.count, 'person or account is', 'people or accounts are');
  return {
    subject: `${who} in the access conflict ${quoted(name)}`,
    notices,
    section: section(
      `Access conflict ${quoted(name)}`,
      [`${who} newly in conflict:`],
      listOfNames(found),
      'See who holds what',
      linkTo(`/conflicts/${monitorId}`),
    ),
  };
}

/** Nothing of what was decided first: those who are asked must not know it. */
function saySecondReview(reviewId: string, notices: readonly NoticeRow[], { others, linkTo }: Facts): Said | undefined {
  const name = others.nameOf(reviewId);
  if (name === undefined) {
    return undefined;
  }
  return {
    subject: `The access review ${quoted(name)} asks for your second opinion`,
    notices,
    section: section(
      `Second review of ${quoted(name)}`,
      [
        'A random part of this review is asked again of others, and you are one of them. Decide as if nobody had decided before: what was decided first is not shown. Your answers change no outcome.',
      ],
      [],
      'Open the review',
      linkTo(`/reviews/${reviewId}`),
    ),
  };
}

/** The dates of notices, the earliest first. */
function datesOf(notices: readonly NoticeRow[], timeZone: string): string[] {
  const moments = notices.map((notice) => new Date(textIn(notice, 'occursAt'))).filter((date) => !Number.isNaN(date.getTime()));
  const days = moments.sort((one, other) => one.getTime() - other.getTime()).map((date) => dayOf(date, timeZone));
  return listOfNames({ count: days.length, names: days.slice(0, mostDates) });
}

function sayTemplate(templateId: string, notices: readonly NoticeRow[], { others, linkTo, timeZone }: Facts): Said | undefined {
  const name = others.nameOf(templateId);
  if (name === undefined) {
    return undefined;
  }
  const of = (kind: string): NoticeRow[] => notices.filter((notice) => notice.kind === kind);
  const [missed, skipped, failed] = [of('OCCURRENCE_MISSED'), of('OCCURRENCE_SKIPPED'), of('TRIGGER_FAILED')];
  const unmade = [...missed, ...skipped];
  const error = failed.map((notice) => textIn(notice, 'error')).find((text) => text !== '');
  return {
    subject:
      unmade.length > 0
        ? `The template ${quoted(name)} made no review on ${countOf(unmade.length, 'date')}`
        : `The trigger of the template ${quoted(name)} failed`,
    notices,
    section: section(
      `Template ${quoted(name)}`,
      [
        ...(missed.length > 0
          ? [
              `The service did not run on ${countOf(missed.length, 'date')} of the schedule, so that no review was made. Only the latest review that is due is made afterwards.`,
            ]
          : []),
        ...(skipped.length > 0
          ? [
              `On ${countOf(skipped.length, 'date')} no review was made, because nobody has looked at the draft of the one before. Prepare or delete that draft.`,
            ]
          : []),
        ...(failed.length > 0
          ? [
              `The condition of the trigger could not be evaluated for some people, who get no review${error === undefined ? '.' : `: ${error}`}`,
            ]
          : []),
      ],
      datesOf(unmade, timeZone),
      'Open the template',
      linkTo(`/templates/${templateId}`),
    ),
  };
}

/** What a kind of notice says of some removals: a subject without its place, and sentences. */
export function sayRemovals(kind: string, count: number): { readonly subject: string; readonly lines: readonly string[] } {
  const removals = countOf(count, 'removal');
  const are = count === 1 ? 'is' : 'are';
  switch (kind) {
    case 'REMOVALS_OVERDUE':
      return {
        subject: `${removals} ${are} overdue`,
        lines: [`${removals} of denied access ${are} overdue. The access stays until somebody removes it.`],
      };
    case 'REMOVALS_REAPPEARED':
      return {
        subject: `${countOf(count, 'removed grant')} ${are} back`,
        lines: [`${removals} ${count === 1 ? 'was' : 'were'} proven, and a later sync has the access again. Find out who granted it.`],
      };
    case 'REMOVALS_TO_APPROVE':
      return {
        subject: `${removals} ${count === 1 ? 'waits' : 'wait'} for your approval`,
        lines: [`${removals} of access ${count === 1 ? 'begins' : 'begin'} only when you approve. Nobody removes the access before.`],
      };
    default:
      return {
        subject: `${removals} ${count === 1 ? 'waits' : 'wait'} for you`,
        lines: [
          `Access was denied, and ${removals} ${count === 1 ? 'waits' : 'wait'} for you. Remove the access in the app; a later sync proves that it is gone.`,
        ],
      };
  }
}

function sayRemovalsOfApp(appId: string, kind: string, notices: readonly NoticeRow[], { others, linkTo }: Facts): Said | undefined {
  const name = others.nameOf(appId);
  const found = others.removalsOf(kind, appId);
  if (name === undefined || found === undefined) {
    return undefined;
  }
  const { subject, lines } = sayRemovals(kind, found.count);
  return {
    subject: `${subject} in ${quoted(name)}`,
    notices,
    section: section(`Removals in ${quoted(name)}`, lines, listOfNames(found), 'See the removals', linkTo(`/revocations?app=${appId}`)),
  };
}

/** What these notices, which are about no review, say: a part for each thing. */
export function sayOthers(notices: readonly NoticeRow[], facts: Facts): Said[] {
  const parts = (kinds: readonly string[], say: (id: string, mine: readonly NoticeRow[]) => Said | undefined): Said[] => {
    const mine = notices.filter(({ kind }) => kinds.includes(kind));
    const ids = [...new Set(mine.map(({ subjectId }) => subjectId))];
    return ids
      .map((id) =>
        say(
          id,
          mine.filter(({ subjectId }) => subjectId === id),
        ),
      )
      .filter((one) => one !== undefined);
  };
  return [
    ...parts(['SECOND_REVIEW_ASKED'], (id, mine) => saySecondReview(id, mine, facts)),
    ...parts(['CONFLICT_ACTIVE'], (id, mine) => sayConflict(id, mine, facts)),
    ...removalKinds.flatMap((kind) => parts([kind], (id, mine) => sayRemovalsOfApp(id, kind, mine, facts))),
    ...parts(templateKinds, (id, mine) => sayTemplate(id, mine, facts)),
  ].sort((one, other) => (one.section.heading < other.section.heading ? -1 : one.section.heading > other.section.heading ? 1 : 0));
}
