/** Text of a mail on a template to its owners. Nothing where nothing is left to say. */
import type { Facts, NoticeKind, NoticeRow } from './notices/index.ts';
import type { Said } from './say-review.ts';
import { countNoun, dayOf, listOfNames, quoted, section, textIn } from './say-words.ts';

/** Dates that a mail about a template names. */
const maxDates = 10;

/** The dates of notices, the earliest first. */
function datesOf(notices: readonly NoticeRow[], timeZone: string): string[] {
  const moments = notices.map((notice) => new Date(textIn(notice, 'occursAt'))).filter((date) => !Number.isNaN(date.getTime()));
  const days = moments.sort((one, other) => one.getTime() - other.getTime()).map((date) => dayOf(date, timeZone));
  return listOfNames({ count: days.length, names: days.slice(0, maxDates) });
}

/** Says on which dates a template made no review, and whose trigger failed. */
export function sayTemplate(templateId: string, notices: readonly NoticeRow[], { subjects, linkTo, timeZone }: Facts): Said | undefined {
  const name = subjects.nameOf(templateId);
  if (name === undefined) {
    return undefined;
  }
  const of = (kind: NoticeKind): NoticeRow[] => notices.filter((notice) => notice.kind === kind);
  const [missed, skipped, failed] = [of('OCCURRENCE_MISSED'), of('OCCURRENCE_SKIPPED'), of('TRIGGER_FAILED')];
  const unmade = [...missed, ...skipped];
  const error = failed.map((notice) => textIn(notice, 'error')).find((text) => text !== '');
  return {
    subject:
      unmade.length > 0
        ? `The template ${quoted(name)} made no review on ${countNoun(unmade.length, 'date')}`
        : `The trigger of the template ${quoted(name)} failed`,
    notices,
    section: section(
      `Template ${quoted(name)}`,
      [
        ...(missed.length > 0
          ? [
              `The service did not run on ${countNoun(missed.length, 'date')} of the schedule, so that no review was made. Only the latest review that is due is made afterwards.`,
            ]
          : []),
        ...(skipped.length > 0
          ? [
              `On ${countNoun(skipped.length, 'date')} no review was made, because nobody has looked at the draft of the one before. Prepare or delete that draft.`,
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
