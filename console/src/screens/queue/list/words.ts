/** Words of a queue: rows as they are read out, marks, why one is asked. */
import { listSignals } from '~/app/reviews/signals.ts';
import type { QueueRow, Section } from '~/data/queue/queue-rows.ts';
import { holderOf, type MarkState, rightOf } from '~/data/queue/state/standing.ts';
import { relative } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

/** Time of its last use. */
export function lastUsedWords(row: QueueRow): string {
  return row.lastUsedAt ? relative(row.lastUsedAt, 3650) : text('queue.notKnown');
}

const marks: Readonly<Record<MarkState, PlainTextKey>> = {
  undecided: 'queue.markUndecided',
  certified: 'queue.markCertified',
  until: 'queue.markUntil',
  denied: 'queue.markDenied',
  reassigned: 'queue.markReassigned',
  gone: 'queue.markGone',
};

/** The word of a mark. */
export function markWord(mark: MarkState): string {
  return text(marks[mark]);
}

const sectionNames: Readonly<Record<Section, PlainTextKey>> = {
  CLOSER: 'queue.sectionCloser',
  NEW: 'queue.sectionNew',
  CHANGED: 'queue.sectionChanged',
  UNCHANGED: 'queue.sectionUnchanged',
  OTHER: 'queue.sectionOther',
};

/** The name of a section. */
export function sectionName(section: Section): string {
  return text(sectionNames[section]);
}

/** A row as it is read out: who, what, what stands out, when it was used, how it stands, and its place. */
export function nameRow(row: QueueRow, mark: MarkState, place: number, all: number): string {
  const used = row.lastUsedAt ? text('queue.usedWhen', { when: relative(row.lastUsedAt, 3650) }) : text('queue.useNotKnown');
  const parts = [holderOf(row), rightOf(row), ...listSignals(row).map(({ label }) => label), used, markWord(mark)];
  return text('queue.rowName', { parts: parts.join(', '), place, all });
}

const reasons: Readonly<Record<string, PlainTextKey>> = {
  MANAGER: 'queue.askedManager',
  APP_OWNERS: 'queue.askedAppOwners',
  ENTITLEMENT_OWNERS: 'queue.askedEntitlementOwners',
  RESOURCE_OWNERS: 'queue.askedResourceOwners',
  USERS: 'queue.askedUsers',
  GROUP: 'queue.askedGroup',
  EXPRESSION: 'queue.askedExpression',
  SELF: 'queue.askedSelf',
  FALLBACK_GROUPS: 'queue.askedFallback',
  FALLBACK_USERS: 'queue.askedFallback',
  FALLBACK_APP_OWNERS: 'queue.askedFallback',
  REVIEW_OWNERS: 'queue.askedReviewOwners',
  ADMINISTRATORS: 'queue.askedAdministrators',
  REASSIGNED: 'queue.askedReassigned',
  HANDED_OVER: 'queue.askedHandedOver',
  ESCALATED: 'queue.askedEscalated',
};

/** Reason one is asked; undefined for a reason that is not known here. */
export function reasonName(reason: string): string | undefined {
  const key = reasons[reason];
  return key === undefined ? undefined : text(key);
}
