/**
 * News for somebody, once: a notice. It is there before any mail, and whoever asks for it again finds it. Notices that are due together for one
 * person become one mail (compose-mails.ts).
 */
import type { Context } from '../../../context.ts';
import { callJobs } from '../../../jobs/index.ts';
import { askingKinds } from './store-notices.ts';

/** The kind of the job that makes mails of what is due; its subject is the tenant. */
export const notifyKind = 'notify';

/** A link that somebody asked for to sign in. It is a mail of its own, whatever else is due, and nothing turns it off. */
export const signInLinkKind = 'SIGN_IN_LINK';

/** An address that somebody has no longer. It is a mail of its own, too, and goes to the old address. */
export const addressChangedKind = 'ADDRESS_CHANGED';

/** Kinds that ask somebody to decide. */
export type AskingKind = (typeof askingKinds)[number];

/** Kinds about removals of access. */
export type RemovalKind = 'REMOVALS_TO_APPROVE' | 'REMOVALS_REQUESTED' | 'REMOVALS_OVERDUE' | 'REMOVALS_REAPPEARED';

/** Kinds that those learn who own a review or were asked by it. */
export type ToldKind =
  | 'CLOSED'
  | 'REPORT_READY'
  | 'PREPARE_FAILED'
  | 'START_FAILED'
  | 'START_HELD'
  | 'ACKNOWLEDGEMENT_MISSING'
  | 'UNASSIGNED'
  | Extract<RemovalKind, 'REMOVALS_OVERDUE' | 'REMOVALS_REAPPEARED'>;

/** Kinds about a source: what is wrong with it, and that a fetch works again. */
export type SourceKind =
  | 'SOURCE_FAILING'
  | 'SOURCE_HELD'
  | 'SOURCE_STALE'
  | 'SOURCE_RECOVERED'
  | 'SOURCE_CREDENTIAL_ENDS'
  | 'SOURCE_CREDENTIAL_UNUSED';

/** Kinds about something that is no review: a monitor, a template, an app with removals, a source, records of people. Each has who says it, in say-subjects.ts. */
export type SubjectKind =
  | 'CONFLICT_ACTIVE'
  | 'OCCURRENCE_MISSED'
  | 'OCCURRENCE_SKIPPED'
  | 'TRIGGER_FAILED'
  | 'SECOND_REVIEW_ASKED'
  | 'RECORDS_DISPUTED'
  | RemovalKind
  | SourceKind;

/** Any kind. */
export type NoticeKind = AskingKind | ToldKind | SubjectKind | typeof signInLinkKind | typeof addressChangedKind;

/** What a notice says beside its subject, as it was when it was written down. */
export interface NoticeData {
  readonly error?: string;
  /** Times of ISO 8601. */
  readonly occursAt?: string;
  readonly endsAt?: string;
  readonly clientId?: string;
  readonly failures?: number;
}

/** Notice apart from its recipient. */
export interface Notice {
  readonly kind: NoticeKind;
  /** The review, the task, the template. */
  readonly subjectId: string;
  /** Occasion it is for: the day of a reminder, the id of an event; '' for what happens once. */
  readonly slot: string;
  readonly reviewId: string;
  readonly data: NoticeData;
  /** From when on it may go out. */
  readonly dueAt: Date;
}

/** True if a notice asks somebody to decide something. */
export function isAsking(kind: NoticeKind): kind is AskingKind {
  return askingKinds.some((one) => one === kind);
}

/** Calls for the job that makes mails, once these notices are due. */
export function callNotify(context: Context, dueAt: Date): Promise<void> {
  const { db, tenantId, now } = context;
  return callJobs(db, [{ tenantId, kind: notifyKind, subjectId: tenantId, runAt: dueAt, calledAt: now }]);
}
