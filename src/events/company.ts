/** Events of the company itself: the tenant, its settings, the samples, mails, deliveries and the log. */
import type { EventType } from './event-type.ts';
import { flag, group, maybe, record, records, text, texts, whole } from './members.ts';

const sessionLimits = group({ idleSeconds: whole, lengthSeconds: whole });
const retention = group({ reportDays: whole, eventYears: whole, reviewYears: maybe(whole) });
/** A mail; its text is not here, only the digest of it. */
const mail = { personId: text, address: text, subject: text, digest: text, attempts: whole, answer: text };
const delivery = { kind: text, subjectId: text, attempts: whole, error: text };

/** Standing of an epoch of the event log. */
const logHead = group({ origin: text, size: whole, root: text });
const logSettings = group({ publishLog: flag, anchors: maybe(records) });

export const companyEvents = {
  'tenant.created': { target: 'tenant', activity: 'create', data: { host: text, displayName: text } },
  'tenant.deleted': { target: 'tenant', activity: 'delete', data: { host: text, displayName: text } },
  'tenant.renamed': { target: 'tenant', activity: 'other', data: { from: text, to: text } },
  'tenant.time_zone_changed': { target: 'tenant', activity: 'other', data: { from: text, to: text } },
  'tenant.restore_takes_changed': { target: 'tenant', activity: 'other', data: { from: text, to: text } },
  'tenant.issued_answers_changed': { target: 'tenant', activity: 'other', data: { from: text, to: text } },
  'tenant.mail_sign_in_changed': { target: 'tenant', activity: 'other', data: { from: text, to: text } },
  'tenant.session_limits_changed': { target: 'tenant', activity: 'other', data: { from: sessionLimits, to: sessionLimits } },
  'session_settings.updated': { target: 'tenant', activity: 'update', data: { fields: texts, from: record, to: record } },
  'notification_settings.updated': { target: ['tenant', 'user'], activity: 'update', data: { channelSettings: record } },
  'email_provider.updated': { target: 'tenant', activity: 'update', data: { fromName: text, fromAddress: text, replyToAddress: text } },
  'email_provider.tested': { target: 'tenant', activity: 'other', data: { address: text, outcome: text, answer: text } },
  'retention.updated': { target: 'tenant', activity: 'update', data: { from: retention, to: retention } },
  'second_person.asked': {
    target: 'second_person_request',
    activity: 'create',
    data: { kind: text, subjectId: text, reason: text, change: record, by: text, expiresAt: text },
  },
  'second_person.confirmed': { target: 'second_person_request', activity: 'update', data: { kind: text, subjectId: text, by: text } },
  'second_person.rejected': { target: 'second_person_request', activity: 'update', data: { kind: text, subjectId: text, by: text } },
  'legal_hold.set': { target: 'legal_hold', activity: 'create', data: { reviewId: text, reason: text } },
  'legal_hold.lifted': { target: 'legal_hold', activity: 'delete', data: { reviewId: text, reason: text, askedById: text } },
  'reviews.emptied': { target: 'tenant', activity: 'other', data: { reviewId: text } },
  'events.emptied': { target: 'tenant', activity: 'other', data: { month: text, count: whole } },
  'samples.marked': { target: 'tenant', activity: 'other', data: { marked: whole } },
  'samples.removed': {
    target: 'tenant',
    activity: 'delete',
    data: { people: whole, apps: whole, reviews: whole, monitors: whole, userIds: texts, sourceIds: texts },
  },
  'signing_key.created': { target: 'signing_key', activity: 'create', data: {} },
  'log.late': { target: 'tenant', activity: 'other', transaction: false, data: { count: whole, firstPosition: whole, eventUids: texts } },
  'log.behind': {
    target: 'tenant',
    activity: 'other',
    isFailure: true,
    transaction: false,
    data: { size: whole, root: text, checkpointSize: whole, checkpointRoot: text },
  },
  'log.key_rotated': { target: 'tenant', activity: 'other', data: { generation: whole, source: text, formerKey: text, key: text } },
  'log.restarted': {
    target: 'tenant',
    activity: 'other',
    data: {
      reason: text,
      former: logHead,
      epoch: whole,
      origin: text,
      base: whole,
      checkpointSize: whole,
      checkpointRoot: text,
      key: text,
    },
  },
  'log.settings_updated': { target: 'tenant', activity: 'update', data: { from: logSettings, to: logSettings } },
  'log.anchor_failing': {
    target: 'tenant',
    activity: 'other',
    isFailure: true,
    data: { anchor: text, place: text, since: text, error: text },
  },
  'log.check_failed': {
    target: 'tenant',
    activity: 'other',
    isFailure: true,
    transaction: false,
    data: { size: whole, findings: whole, sentences: texts },
  },
  'mail.not_configured': { target: 'access_review', activity: 'other', data: { asked: texts } },
  'mail.sent': { target: 'mail', activity: 'other', data: mail },
  'mail.failed': { target: 'mail', activity: 'other', isFailure: true, data: { ...mail, isFinal: maybe(flag) } },
  'mail.unsure': { target: 'mail', activity: 'other', data: mail },
  'mail.dropped': { target: 'mail', activity: 'other', data: mail },
  'delivery.dead': { target: 'delivery', activity: 'other', data: delivery },
  'delivery.discarded': { target: 'delivery', activity: 'other', data: { ...delivery, reason: text } },
  'delivery.repeated': {
    target: ['delivery', 'delivery_kind'],
    activity: 'other',
    data: {
      kind: text,
      subjectId: maybe(text),
      attempts: maybe(whole),
      error: maybe(text),
      count: maybe(whole),
      firstId: maybe(text),
      lastId: maybe(text),
    },
  },
} as const satisfies Readonly<Record<string, EventType>>;
