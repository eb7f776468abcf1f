/** What the sections of a mail say of access conflicts, templates and removals, read in one go as it is when the mail leaves. */
import type { Context } from '../../context.ts';
import type { NoticeKind } from './notices.ts';
import type { NoticeRow } from './store-notices.ts';
import { type Counted, listNames, listNewConflicts, listRemovals } from './store-others.ts';

/** As many of a kind as a mail names; the rest is counted. */
const mostNames = 10;

/** The kinds of notices about removals. */
export const removalKinds: readonly NoticeKind[] = ['REMOVALS_TO_APPROVE', 'REMOVALS_REQUESTED', 'REMOVALS_OVERDUE', 'REMOVALS_REAPPEARED'];

/** The kinds of notices about templates. */
export const templateKinds: readonly NoticeKind[] = ['OCCURRENCE_MISSED', 'OCCURRENCE_SKIPPED', 'TRIGGER_FAILED'];

/** Facts about what is no review. */
export interface OtherFacts {
  /** The name of a monitor, template or app that is there. */
  nameOf(id: string): string | undefined;
  /** Who came into conflict by a monitor and is still. */
  conflictsOf(monitorId: string): Counted | undefined;
  /** The removals of an app or review that a kind of notice is about. */
  removalsOf(kind: string, subjectId: string): Counted | undefined;
}

/** Reads what these notices to somebody are about. */
export async function readOtherFacts(context: Context, personId: string, notices: readonly NoticeRow[]): Promise<OtherFacts> {
  const of = (kinds: readonly string[]): NoticeRow[] => notices.filter(({ kind }) => kinds.includes(kind));
  const ids = (kinds: readonly string[]): string[] => [...new Set(of(kinds).map(({ subjectId }) => subjectId))];
  const removals = of(removalKinds);
  const names = new Map([
    ...(await listNames(context, 'monitor', ids(['CONFLICT_ACTIVE']))),
    ...(await listNames(context, 'template', ids(templateKinds))),
    ...(await listNames(context, 'second review', ids(['SECOND_REVIEW_ASKED']))),
    ...(await listNames(context, 'app', [...new Set(removals.flatMap((one) => (one.reviewId === '' ? [one.subjectId] : [])))])),
  ]);
  const conflicts = await listNewConflicts(
    context,
    of(['CONFLICT_ACTIVE']).map(({ slot }) => slot),
    mostNames,
  );
  const questions = new Map(
    removals.map(({ kind, subjectId }) => [`${kind} ${subjectId}`, { kind: kind as NoticeKind, subjectId }] as const),
  );
  const found = await listRemovals(context, personId, [...questions.values()], mostNames);
  return {
    nameOf: (id) => names.get(id),
    conflictsOf: (monitorId) => conflicts.get(monitorId),
    removalsOf: (kind, subjectId) => found.get(`${kind} ${subjectId}`),
  };
}
