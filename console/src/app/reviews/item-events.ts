/** Story of an item, from its audits: one line for each act, with its comment, its sentence and whom it names. */
import type { ReplyOf } from '~/data/query.ts';
import type { IconName } from '~/parts/words/icon.tsx';
import type { ByValue } from '~/text/by-value.ts';
import { date } from '~/text/format.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

type Audit = NonNullable<ReplyOf<'TaskService.List'>['list']>[number];
type Outcome = NonNullable<Audit['certifyOutcome']>['outcome'];
type Action = NonNullable<NonNullable<Audit['actionSubmitted']>['action']>['actionType'];
type Person = { readonly displayName?: string; readonly email?: string };

/** One line of an item's story. */
export interface ItemEvent {
  readonly id: string;
  readonly at: string;
  readonly icon: IconName;
  readonly who: string;
  readonly whoId: string;
  readonly what: string;
  readonly comment: string;
}

const nameOf = (person: Person | undefined): string => person?.displayName || person?.email || '';
const namesOf = (people: readonly Person[] | undefined): string => (people ?? []).map(nameOf).filter(Boolean).join(', ');

/** The acts that are called by what they decide. */
const actions: Partial<ByValue<Action, readonly [PlainTextKey, IconName]>> = {
  TASK_ACTION_TYPE_APPROVE: ['item.certified', 'check'],
  TASK_ACTION_TYPE_DENY: ['item.denied', 'cross'],
};
const outcomes: ByValue<Outcome, PlainTextKey> = {
  CERTIFY_OUTCOME_CERTIFIED: 'item.endedCertified',
  CERTIFY_OUTCOME_DECERTIFIED: 'item.endedDenied',
  CERTIFY_OUTCOME_CANCELLED: 'item.endedCancelled',
  CERTIFY_OUTCOME_ERROR: 'item.ended',
  CERTIFY_OUTCOME_WAIT_TIMED_OUT: 'item.ended',
};

/** Words of an audit, and its sign; undefined for one that only repeats the one before it. */
function sayAudit(audit: Audit): readonly [string, IconName] | undefined {
  if (audit.taskCreated) {
    return [text('item.created'), 'plus'];
  }
  if (audit.actionSubmitted) {
    const [key, icon] = actions[audit.actionSubmitted.action?.actionType ?? ''] ?? (['item.acted', 'info'] as const);
    return [text(key), icon];
  }
  if (audit.comment) {
    return [text('item.commented'), 'comment'];
  }
  if (audit.approvalReassigned) {
    return [text('item.passedTo', { names: namesOf(audit.approvalReassigned.users) || text('item.somebody') }), 'swap'];
  }
  if (audit.reassignedToDelegate) {
    return [text('item.inPlaceOf', { name: nameOf(audit.reassignedToDelegate.originalAssigneeUser) || text('item.somebody') }), 'people'];
  }
  if (audit.approvalAutoAcceptedByPolicy) {
    return [text('item.acceptedByPolicy'), 'check'];
  }
  if (audit.approvalAutoRejectedByPolicy) {
    return [text('item.rejectedByPolicy'), 'cross'];
  }
  if (audit.certifyOutcome) {
    return [text(outcomes[audit.certifyOutcome.outcome ?? ''] ?? 'item.ended'), 'flag'];
  }
  if (audit.stepSkipped) {
    return [text('item.skipped'), 'right'];
  }
  if (audit.taskRestarted || audit.hardReset) {
    return [text('item.restarted'), 'sync'];
  }
  // The sentence of the server: why it ended, that somebody was reminded, until when it was certified.
  const sentence = audit.policyEvaluationStep?.stepComment ?? '';
  return sentence === '' ? undefined : [sayUntil(sentence) ?? sentence, 'info'];
}

/** Until when something was certified, by the reader's calendar; undefined for another sentence. */
function sayUntil(sentence: string): string | undefined {
  const [, moment] = /^Certified until (\d{4}-\d\d-\d\dT[\d:.]+Z)\.$/.exec(sentence) ?? [];
  return moment === undefined ? undefined : text('people.certifiedUntil', { date: date(moment) });
}

/** The lines of an item's story, oldest first. A comment stands with the act that it was written for. */
export function readItemEvents(audits: readonly Audit[]): ItemEvent[] {
  const events: ItemEvent[] = [];
  for (const audit of audits) {
    const last = events.at(-1);
    // The acts of one moment by one person share the first part of their ids.
    const isOfLast = last !== undefined && (audit.id ?? '').startsWith(`${last.id}-`);
    if (audit.comment && isOfLast) {
      events[events.length - 1] = { ...last, comment: audit.comment.comment ?? '' };
      continue;
    }
    const said = sayAudit(audit);
    if (said !== undefined) {
      const [what, icon] = said;
      const comment = audit.comment?.comment ?? '';
      events.push({
        id: audit.id ?? '',
        at: audit.created ?? '',
        icon,
        who: isOfLast ? '' : nameOf(audit.metadata?.user),
        whoId: audit.userId ?? '',
        what,
        comment,
      });
    }
  }
  return events;
}
