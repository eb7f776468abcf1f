/** Text of a mail to one person on what is no review: a part for each thing. Nothing of a thing where nothing is left to say. */
import type { Facts, NoticeKind, NoticeRow, SubjectKind } from './notices/index.ts';
import { sayRemovalsOfApp } from './say-removals.ts';
import type { Said } from './say-review.ts';
import { saySource } from './say-sources.ts';
import { sayTemplate } from './say-templates.ts';
import { countNoun, listOfNames, quoted, section } from './say-words.ts';

function sayConflict(monitorId: string, notices: readonly NoticeRow[], { subjects, linkTo }: Facts): Said | undefined {
  const name = subjects.nameOf(monitorId);
  const found = subjects.conflictsOf(monitorId);
  if (name === undefined || found === undefined) {
    return undefined;
  }
  const who = countNoun(found.count, 'person or account is', 'people or accounts are');
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
function saySecondReview(reviewId: string, notices: readonly NoticeRow[], { subjects, linkTo }: Facts): Said | undefined {
  const name = subjects.nameOf(reviewId);
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

function sayRecords(_tenantId: string, notices: readonly NoticeRow[], { subjects, linkTo }: Facts): Said | undefined {
  if (subjects.disputed === 0) {
    return undefined;
  }
  const who = countNoun(subjects.disputed, 'record of a person waits', 'records of people wait');
  return {
    subject: `${who} for you: who is this?`,
    notices,
    section: section(
      'Who is this?',
      [`${who} for an answer. What the source says contradicts itself, so no person was made or changed.`],
      [],
      'Say who it is',
      linkTo('/quality/disputed'),
    ),
  };
}

/** Says what there is to say of one thing by its id. */
export type SaySubject = (id: string, notices: readonly NoticeRow[], facts: Facts) => Said | undefined;

/** Sayer of each kind. Notices about one thing that the same says become one part. */
const sayers: Readonly<Partial<Record<NoticeKind, SaySubject>> & Record<SubjectKind, SaySubject>> = {
  SECOND_REVIEW_ASKED: saySecondReview,
  RECORDS_DISPUTED: sayRecords,
  CONFLICT_ACTIVE: sayConflict,
  REMOVALS_TO_APPROVE: sayRemovalsOfApp('REMOVALS_TO_APPROVE'),
  REMOVALS_REQUESTED: sayRemovalsOfApp('REMOVALS_REQUESTED'),
  REMOVALS_OVERDUE: sayRemovalsOfApp('REMOVALS_OVERDUE'),
  REMOVALS_REAPPEARED: sayRemovalsOfApp('REMOVALS_REAPPEARED'),
  OCCURRENCE_MISSED: sayTemplate,
  OCCURRENCE_SKIPPED: sayTemplate,
  TRIGGER_FAILED: sayTemplate,
  SOURCE_FAILING: saySource,
  SOURCE_HELD: saySource,
  SOURCE_STALE: saySource,
  SOURCE_RECOVERED: saySource,
  SOURCE_CREDENTIAL_ENDS: saySource,
  SOURCE_CREDENTIAL_UNUSED: saySource,
};

/** Says what these notices, which are about no review, are about. */
export function saySubjects(notices: readonly NoticeRow[], facts: Facts): Said[] {
  return [...new Set<SaySubject>(Object.values(sayers))]
    .flatMap((say) => {
      const mine = notices.filter(({ kind }) => sayers[kind] === say);
      return [...Map.groupBy(mine, ({ subjectId }) => subjectId)].map(([id, some]) => say(id, some, facts));
    })
    .filter((one) => one !== undefined)
    .sort((one, other) => (one.section.heading < other.section.heading ? -1 : one.section.heading > other.section.heading ? 1 : 0));
}
