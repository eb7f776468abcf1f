/** Events of the removal of access that was denied. */
import type { EventType } from './event-type.ts';
import { flag, maybe, text, texts, whole } from './members.ts';

const facts = { reviewId: text, appId: text, entitlementId: text, accountId: text, comment: text, from: text, taskId: maybe(text) };
const byConnector = { connectorId: text, connectorTaskId: text, hostId: text, hostname: text, program: text, version: text };
const grant = { reviewId: text, appId: text, entitlementId: text, accountId: text };
const piece = { count: whole, digest: text };
const begun = { verified: whole, refused: whole, started: whole };
const evidence = { ...piece, ids: texts, syncId: text, revision: whole };

export const removalsEvents = {
  'revocation.requested': {
    target: 'revocation',
    activity: 'other',
    data: { appId: text, entitlementId: text, accountId: text, personId: text, taskId: text, description: text, ...begun },
  },
  'revocation.approved': { target: 'revocation', activity: 'other', data: facts },
  'revocation.refused': { target: 'revocation', activity: 'other', isFailure: true, data: facts },
  'revocation.claimed': { target: 'revocation', activity: 'other', data: facts },
  'revocation.confirmed': { target: 'revocation', activity: 'other', data: facts },
  // By whoever says so, or by the connector that could not carry it out.
  'revocation.failed': {
    target: 'revocation',
    activity: 'other',
    isFailure: true,
    data: {
      ...facts,
      connectorId: maybe(text),
      connectorTaskId: maybe(text),
      hostId: maybe(text),
      hostname: maybe(text),
      program: maybe(text),
      version: maybe(text),
    },
  },
  'revocation.sent': { target: 'revocation', activity: 'other', data: { ...grant, ...byConnector, attempt: whole } },
  'revocation.carried_out': { target: 'revocation', activity: 'other', data: { ...grant, ...byConnector, wasGone: flag } },
  'revocations.left_to_people': {
    target: 'connector',
    activity: 'other',
    data: { appId: text, displayName: text, reason: text, ...piece, ids: texts },
  },
  'revocations.limited': { target: 'connector', activity: 'other', data: { appId: text, displayName: text, ...piece, ids: texts } },
  'revocations.released': { target: 'connector', activity: 'other', data: { appId: text, displayName: text, ...piece, ids: texts } },
  'revocation.retried': { target: 'revocation', activity: 'other', data: facts },
  'revocation.overdue': { target: 'tenant', activity: 'other', data: { ...piece, ids: texts, isEscalated: flag } },
  'revocations.requested': { target: 'access_review', activity: 'other', data: { ...piece, ...begun } },
  'revocations.requested_anew': { target: 'app', activity: 'other', data: { count: whole, ids: texts, ...begun } },
  'revocations.handed_over': {
    target: 'removal_tasks',
    activity: 'other',
    data: { disabledIds: texts, tasks: whole, nobodyLeft: flag, assignmentIds: texts, isOwn: maybe(flag) },
  },
  'revocations.policy_unusable': {
    target: 'policy',
    activity: 'other',
    data: { batchId: text, policyId: text, usedPolicyId: text, problems: texts },
  },
  'revocations.claimed': { target: 'app', activity: 'other', data: evidence },
  'revocations.verified': { target: 'app', activity: 'other', data: evidence },
  'revocations.still_present': { target: 'app', activity: 'other', data: evidence },
  'revocations.reappeared': { target: 'app', activity: 'other', data: evidence },
  'revocations.withdrawn': {
    target: ['access_review', 'app'],
    activity: 'other',
    data: { ...piece, ids: maybe(texts), syncId: maybe(text), revision: maybe(whole) },
  },
} as const satisfies Readonly<Record<string, EventType>>;
