/** Events of reviews, their templates, second reviews, roll-forwards and reports. */
import type { EventType } from './event-type.ts';
import { counts, flag, group, groups, json, maybe, orNull, record, records, text, texts, whole } from './members.ts';

const failures = { counts: groups({ condition: text, count: whole }), examples: groups({ condition: text, id: text, error: text }) };
const listChange = { what: text, added: whole, removed: whole };
const owners = { added: texts, removed: texts, ownerIds: texts };
const occurrence = { generation: whole, number: whole, occursAt: text };
const triggers = group({ kinds: texts, condition: text });
/** SHA-256, in hex, of what was signed: the record, the ID token, the step-up, the reply of the time stamp server, the signature of the credential. */
const signed = {
  signatureId: maybe(text),
  record: maybe(text),
  idToken: maybe(text),
  stepUp: maybe(text),
  timestamp: maybe(text),
  credentialSignature: maybe(text),
};
const rolled = { firstReviewId: text, firstRevision: whole, secondRevision: whole };

export const reviewsEvents = {
  'review.created': {
    target: 'access_review',
    activity: 'create',
    data: { displayName: maybe(text), ownerIds: texts, duplicateFrom: text, accessReview: record },
  },
  'review.updated': { target: 'access_review', activity: 'update', data: { fields: texts, from: record, to: record } },
  'review.owners_changed': { target: 'access_review', activity: 'other', data: owners },
  'review.scope_changed': {
    target: 'access_review',
    activity: 'other',
    data: { ...listChange, scopingVersion: whole, scopeV2: maybe(orNull(record)) },
  },
  'review.independence_set': { target: 'access_review', activity: 'other', data: { blocked: texts, before: texts } },
  'review.acknowledgement_set': { target: 'access_review', activity: 'other', data: { required: flag, userIds: texts } },
  'review.acknowledged': {
    target: 'access_review',
    activity: 'other',
    data: { userId: text, counts, digest: text, comment: text, submissionId: maybe(text), ...signed },
  },
  'review.scheduled': { target: 'access_review', activity: 'other', data: { scheduledStartDate: text } },
  'review.unscheduled': { target: 'access_review', activity: 'other', data: {} },
  'review.prepare_requested': { target: 'access_review', activity: 'other', data: { generation: whole } },
  'review.snapshot_taken': {
    target: 'access_review',
    activity: 'other',
    data: {
      revision: whole,
      items: whole,
      fallbackSubjects: whole,
      unassignedSubjects: whole,
      peopleSources: maybe(groups({ sourceId: text, displayName: text, disputed: whole })),
    },
  },
  'review.reviewers_assigned': {
    target: 'access_review',
    activity: 'other',
    data: { policyId: text, stepKey: text, routeNo: whole, subjects: whole, fallbacks: whole, unassigned: whole, levels: counts },
  },
  'review.tasks_made': { target: 'access_review', activity: 'other', data: { count: whole, digest: text, from: record, to: record } },
  'review.conditions_failed': { target: 'access_review', activity: 'other', isFailure: true, data: failures },
  'review.approvers_failed': { target: 'access_review', activity: 'other', isFailure: true, data: failures },
  'review.prepared': {
    target: 'access_review',
    activity: 'update',
    data: {
      tasks: whole,
      unassigned: whole,
      carried: maybe(whole),
      carriedFrom: maybe(text),
      inputHash: text,
      itemsHash: text,
      brokenSums: maybe(texts),
    },
  },
  'review.prepare_failed': {
    target: 'access_review',
    activity: 'other',
    isFailure: true,
    data: { error: text, displayName: maybe(text), byDate: flag },
  },
  'review.reset': { target: 'access_review', activity: 'update', data: { from: text } },
  'review.dropped': {
    target: 'access_review',
    activity: 'other',
    data: { displayName: maybe(text), accessReviewTemplateId: text, reason: text },
  },
  'review.start_requested': { target: 'access_review', activity: 'other', data: { tasks: whole, flaggedSources: records } },
  'review.started': { target: 'access_review', activity: 'update', data: { tasks: whole } },
  'review.start_failed': { target: 'access_review', activity: 'other', isFailure: true, data: { error: text, byDate: maybe(flag) } },
  'review.start_held': { target: 'access_review', activity: 'other', data: { state: text, displayName: maybe(text), sources: records } },
  'review.reminded': {
    target: 'access_review',
    activity: 'other',
    data: {
      people: whole,
      tasks: whole,
      displayName: maybe(text),
      completionDate: text,
      userIds: maybe(texts),
      leftOutUserIds: maybe(texts),
    },
  },
  'review.reviewer_handed_over': {
    target: 'access_review',
    activity: 'other',
    data: { disabledIds: texts, tasks: whole, nobodyLeft: flag, assignmentIds: texts, isOwn: maybe(flag) },
  },
  'review.decisions_staged': { target: 'access_review', activity: 'other', data: { staged: whole } },
  'review.submitted': {
    target: 'access_review',
    activity: 'other',
    data: {
      submissionId: text,
      submitted: whole,
      certified: whole,
      denied: whole,
      refused: whole,
      written: whole,
      sha256: text,
      remediates: maybe(flag),
      hasCertifyUntil: maybe(flag),
      ...signed,
    },
  },
  'signature.prepared': {
    target: 'signature',
    activity: 'create',
    data: { reviewId: text, submissionId: text, record: text, certified: whole, denied: whole, kind: maybe(text) },
  },
  'signature.ended': { target: 'signature', activity: 'other', data: { reviewId: text, endedBy: text } },
  'signature.timestamp_unavailable': {
    target: 'signature',
    activity: 'other',
    isFailure: true,
    transaction: false,
    data: { reviewId: text, server: text, reason: text },
  },
  'signature.timestamp_refused': {
    target: 'signature',
    activity: 'other',
    isFailure: true,
    transaction: false,
    // The server's whole reply, in base64.
    data: { reviewId: text, server: text, reason: text, reply: text },
  },
  'review.signatures_ended': { target: 'access_review', activity: 'other', data: { count: whole, signatureIds: texts } },
  'review.tasks_ended': {
    target: 'access_review',
    activity: 'other',
    data: { count: whole, digest: text, outcome: text, reason: text, routeNo: maybe(whole), objectGone: maybe(whole) },
  },
  'review.pending_dropped': { target: 'access_review', activity: 'other', data: { count: whole } },
  'review.close_requested': { target: 'access_review', activity: 'other', data: { decision: text } },
  'review.close_held': { target: 'access_review', activity: 'other', data: { displayName: maybe(text), userIds: texts, since: text } },
  'review.closed': {
    target: 'access_review',
    activity: 'update',
    data: { decision: text, undecided: whole, unsigned: maybe(whole), arrived: maybe(whole), empty: maybe(text) },
  },
  'review.supplemented': { target: 'access_review', activity: 'other', data: { accessReviewId: text, items: whole, left: whole } },
  'review.certification_ended': {
    target: 'access_review',
    activity: 'other',
    data: { until: text, accessReviewId: text, items: whole, digest: text, accessEnded: whole },
  },
  'review.deleted': { target: 'access_review', activity: 'delete', data: { displayName: maybe(text), state: text, reason: text } },
  'template.created': {
    target: 'access_review_template',
    activity: 'create',
    data: { displayName: maybe(json), ownerIds: texts, template: record },
  },
  'template.updated': { target: 'access_review_template', activity: 'update', data: { fields: texts, from: record, to: record } },
  'template.owners_changed': { target: 'access_review_template', activity: 'other', data: owners },
  'template.scope_changed': { target: 'access_review_template', activity: 'other', data: { ...listChange, scope: maybe(json) } },
  'template.schedule_moved': { target: 'access_review_template', activity: 'other', data: { timeZone: text, nextAt: orNull(text) } },
  'template.triggers_set': { target: 'access_review_template', activity: 'other', data: { from: triggers, to: triggers } },
  'template.triggered': {
    target: 'access_review_template',
    activity: 'other',
    data: { accessReviewId: text, kinds: texts, people: whole, userIds: texts, startedAt: text },
  },
  'template.trigger_failed': { target: 'access_review_template', activity: 'other', isFailure: true, data: { people: whole, error: text } },
  'template.occurrence_made': {
    target: 'access_review_template',
    activity: 'other',
    data: { ...occurrence, displayName: maybe(json), accessReviewId: text, ownerIds: texts },
  },
  'template.occurrence_missed': { target: 'access_review_template', activity: 'other', data: occurrence },
  'template.occurrence_skipped': {
    target: 'access_review_template',
    activity: 'other',
    data: { ...occurrence, displayName: maybe(json), untouchedDraftId: text },
  },
  'template.deleted': { target: 'access_review_template', activity: 'delete', data: { displayName: maybe(json) } },
  'second_review.drawn': {
    target: 'access_review',
    activity: 'other',
    data: {
      displayName: maybe(text),
      seed: text,
      population: whole,
      populationSha256: text,
      sharePercent: text,
      number: whole,
      items: whole,
      itemsSha256: text,
      reviewerIds: texts,
    },
  },
  'second_review.answered': { target: 'access_review', activity: 'other', data: { answered: whole, sha256: text } },
  'second_review.ended': { target: 'access_review', activity: 'other', data: { items: whole, answered: whole, disagreements: whole } },
  'roll_forward.requested': { target: 'access_review', activity: 'other', data: rolled },
  'roll_forward.made': {
    target: 'access_review',
    activity: 'other',
    data: { ...rolled, firstPopulation: whole, lines: counts, secondPopulation: whole, difference: whole },
  },
  'roll_forward.failed': { target: 'access_review', activity: 'other', isFailure: true, data: { error: text } },
  'review.evidence_sealed': { target: 'access_review', activity: 'other', data: { manifest: text } },
  'report.requested': { target: 'access_review', activity: 'other', data: { reportId: text, format: text, columns: texts } },
  'report.generated': {
    target: 'access_review',
    activity: 'other',
    data: { reportId: text, format: text, sizeBytes: whole, hashes: group({ MD5: text, SHA256: text }) },
  },
  'report.failed': { target: 'access_review', activity: 'other', isFailure: true, data: { reportId: text, error: text } },
  'report.expired': { target: 'report', activity: 'other', data: { reviewId: text, days: whole, bytes: whole } },
} as const satisfies Readonly<Record<string, EventType>>;
