/** Events of the questions that reviews and removals ask, one by one. */
import type { EventType } from './event-type.ts';
import { flag, maybe, text, texts, whole } from './members.ts';

const action = { reviewId: text, actionId: text };
const decision = {
  ...action,
  policyStepId: text,
  outcome: text,
  personReviewedId: text,
  delegatorId: text,
  relations: maybe(texts),
  remediates: maybe(flag),
  certifyUntil: maybe(text),
};
const reopened = { ...action, previousOutcome: text, policyId: maybe(text), version: maybe(whole) };
const removal = {
  ...action,
  revocationId: text,
  policyStepId: text,
  appId: text,
  entitlementId: text,
  personReviewedId: text,
  comment: text,
};
const wait = { reviewId: text, policyStepId: text };

export const tasksEvents = {
  'task.approved': { target: 'task', activity: 'other', transaction: false, data: decision },
  'task.denied': { target: 'task', activity: 'other', transaction: false, data: decision },
  'task.amended': {
    target: 'task',
    activity: 'other',
    data: { ...action, decision: text, previousOutcome: text, outcome: text, personReviewedId: text },
  },
  'task.commented': { target: 'task', activity: 'other', transaction: false, data: action },
  'task.reminded': { target: 'task', activity: 'other', data: { ...action, userIds: texts } },
  'task.reassigned': {
    target: 'task',
    activity: 'update',
    data: { ...action, oldUserIds: texts, newUserIds: texts, newPolicyStepId: text },
  },
  'task.reviewer_fallback': { target: 'task', activity: 'other', data: { step: whole, passed: text, reason: text } },
  'task.step_skipped': { target: 'task', activity: 'other', data: { ...action, policyStepId: text, outcome: text } },
  'task.escalated': {
    target: 'task',
    activity: 'other',
    data: { ...action, how: text, outcome: text, oldUserIds: texts, newUserIds: texts },
  },
  'task.wait_passed': { target: 'task', activity: 'other', data: { ...wait, outcome: text } },
  'task.wait_timed_out': { target: 'task', activity: 'other', data: wait },
  'task.timer_failed': { target: 'task', activity: 'other', isFailure: true, data: { reviewId: text, error: text } },
  'task.restarted': { target: 'task', activity: 'other', data: reopened },
  'task.hard_reset': { target: 'task', activity: 'other', data: reopened },
  'task.cancelled': { target: 'task', activity: 'other', data: action },
  'task.removal_approved': { target: 'task', activity: 'other', data: removal },
  'task.removal_refused': { target: 'task', activity: 'other', isFailure: true, data: removal },
  'task.removal_done': { target: 'task', activity: 'other', data: removal },
  'task.removal_failed': { target: 'task', activity: 'other', isFailure: true, data: removal },
  'task.removal_retried': { target: 'task', activity: 'other', data: removal },
} as const satisfies Readonly<Record<string, EventType>>;
