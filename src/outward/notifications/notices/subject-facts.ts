/** Facts of access conflicts, templates, removals and sources for a mail's sections, read in one go as they are when the mail leaves. */
import type { Context } from '../../../context.ts';
import { listTroubles, type Trouble } from '../../../inventory/fetches/index.ts';
import { countDisputed } from '../../../inventory/people/index.ts';
import type { NoticeKind, RemovalKind, SubjectKind } from './notices.ts';
import type { NoticeRow } from './store-notices.ts';
import { listRemovals } from './store-removal-notices.ts';
import { type Counted, listNames, listNewConflicts, type NamedThing } from './store-subject-notices.ts';

/** As many of a kind as a mail names; the rest is counted. */
const maxNames = 10;

const isOfRemovals = (kind: NoticeKind): kind is RemovalKind => kind.startsWith('REMOVALS_');

/** Thing a mail about each kind names. */
const named: Readonly<Partial<Record<NoticeKind, NamedThing>> & Record<Exclude<SubjectKind, 'RECORDS_DISPUTED'>, NamedThing>> = {
  CONFLICT_ACTIVE: 'monitor',
  OCCURRENCE_MISSED: 'template',
  OCCURRENCE_SKIPPED: 'template',
  TRIGGER_FAILED: 'template',
  SECOND_REVIEW_ASKED: 'second review',
  REMOVALS_TO_APPROVE: 'app',
  REMOVALS_REQUESTED: 'app',
  REMOVALS_OVERDUE: 'app',
  REMOVALS_REAPPEARED: 'app',
  SOURCE_FAILING: 'source',
  SOURCE_HELD: 'source',
  SOURCE_STALE: 'source',
  SOURCE_RECOVERED: 'source',
  SOURCE_CREDENTIAL_ENDS: 'source',
  SOURCE_CREDENTIAL_UNUSED: 'source',
};

/** The names of the things that notices are about, by id. */
async function readNames(context: Context, notices: readonly NoticeRow[]): Promise<ReadonlyMap<string, string>> {
  const ofSubjects = notices.filter(({ reviewId }) => reviewId === '');
  const byThing = Map.groupBy(ofSubjects, ({ kind }) => named[kind]);
  const names = new Map<string, string>();
  for (const [thing, some] of byThing) {
    const ids = [...new Set(some.map(({ subjectId }) => subjectId))];
    for (const [id, name] of thing === undefined ? [] : await listNames(context, thing, ids)) {
      names.set(id, name);
    }
  }
  return names;
}

/** Facts about what is no review. */
export interface SubjectFacts {
  /** The name of a monitor, template or app that is there. */
  nameOf(id: string): string | undefined;
  /** Counts those newly in conflict by a monitor and still so. */
  conflictsOf(monitorId: string): Counted | undefined;
  /** The removals of an app or review that a kind of notice is about. */
  removalsOf(kind: RemovalKind, subjectId: string): Counted | undefined;
  /** Trouble with a source; undefined where it is paused or gone. */
  troubleOf(sourceId: string): Trouble | undefined;
  /** Number of records of people that wait for somebody to say who they are. */
  readonly disputed: number;
}

/** Reads what these notices to somebody are about. */
export async function readSubjectFacts(context: Context, personId: string, notices: readonly NoticeRow[]): Promise<SubjectFacts> {
  const names = await readNames(context, notices);
  const conflicts = await listNewConflicts(
    context,
    notices.filter(({ kind }) => kind === 'CONFLICT_ACTIVE').map(({ slot }) => slot),
    maxNames,
  );
  const questions = new Map(
    notices.flatMap(({ kind, subjectId }) => (isOfRemovals(kind) ? [[`${kind} ${subjectId}`, { kind, subjectId }] as const] : [])),
  );
  const found = await listRemovals(context, personId, [...questions.values()], maxNames);
  const sourceIds = notices.filter(({ kind }) => kind.startsWith('SOURCE_')).map(({ subjectId }) => subjectId);
  const troubles = new Map(
    (sourceIds.length === 0 ? [] : await listTroubles(context, [...new Set(sourceIds)])).map((one) => [one.sourceId, one]),
  );
  const disputed = notices.some(({ kind }) => kind === 'RECORDS_DISPUTED') ? await countDisputed(context) : 0;
  return {
    nameOf: (id) => names.get(id),
    conflictsOf: (monitorId) => conflicts.get(monitorId),
    removalsOf: (kind, subjectId) => found.get(`${kind} ${subjectId}`),
    troubleOf: (sourceId) => troubles.get(sourceId),
    disputed,
  };
}
