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

/** Wishes by which people may be spared mails, by the names of the contract. */
export type WishKind = 'reviews' | 'taskReminders' | 'connectorIssues' | 'system';

/**
 * Whom a notice still concerns when its mail leaves: owners of the review, of the template or of the source, whom the monitor names, Super
 * Administrators, or whoever is asked by what is counted then. An owner of a source, and a Super Administrator, hears of a source.
 */
export type Ground = 'REVIEW' | 'TEMPLATE' | 'SOURCE' | 'MONITOR' | 'ADMINISTRATORS' | 'COUNTED';

/** What differs from kind to kind. */
export const noticeKinds: Readonly<Record<NoticeKind, { readonly wish: WishKind; readonly ground: Ground }>> = {
  KICKOFF: { wish: 'reviews', ground: 'COUNTED' },
  REMINDER: { wish: 'taskReminders', ground: 'COUNTED' },
  REVIEW_REMINDED: { wish: 'taskReminders', ground: 'COUNTED' },
  TASK_REMINDED: { wish: 'taskReminders', ground: 'COUNTED' },
  ASSIGNED: { wish: 'reviews', ground: 'COUNTED' },
  HANDED_OVER: { wish: 'reviews', ground: 'COUNTED' },
  ESCALATED: { wish: 'reviews', ground: 'COUNTED' },
  CLOSED: { wish: 'reviews', ground: 'COUNTED' },
  REPORT_READY: { wish: 'system', ground: 'REVIEW' },
  PREPARE_FAILED: { wish: 'system', ground: 'REVIEW' },
  START_FAILED: { wish: 'system', ground: 'REVIEW' },
  START_HELD: { wish: 'system', ground: 'REVIEW' },
  ACKNOWLEDGEMENT_MISSING: { wish: 'system', ground: 'COUNTED' },
  UNASSIGNED: { wish: 'system', ground: 'COUNTED' },
  CONFLICT_ACTIVE: { wish: 'system', ground: 'MONITOR' },
  OCCURRENCE_MISSED: { wish: 'system', ground: 'TEMPLATE' },
  OCCURRENCE_SKIPPED: { wish: 'system', ground: 'TEMPLATE' },
  TRIGGER_FAILED: { wish: 'system', ground: 'TEMPLATE' },
  SECOND_REVIEW_ASKED: { wish: 'system', ground: 'COUNTED' },
  RECORDS_DISPUTED: { wish: 'system', ground: 'ADMINISTRATORS' },
  REMOVALS_TO_APPROVE: { wish: 'system', ground: 'COUNTED' },
  REMOVALS_REQUESTED: { wish: 'system', ground: 'COUNTED' },
  REMOVALS_OVERDUE: { wish: 'system', ground: 'COUNTED' },
  REMOVALS_REAPPEARED: { wish: 'system', ground: 'COUNTED' },
  SOURCE_FAILING: { wish: 'connectorIssues', ground: 'SOURCE' },
  SOURCE_HELD: { wish: 'connectorIssues', ground: 'SOURCE' },
  SOURCE_STALE: { wish: 'connectorIssues', ground: 'SOURCE' },
  SOURCE_RECOVERED: { wish: 'connectorIssues', ground: 'SOURCE' },
  SOURCE_CREDENTIAL_ENDS: { wish: 'connectorIssues', ground: 'SOURCE' },
  SOURCE_CREDENTIAL_UNUSED: { wish: 'connectorIssues', ground: 'SOURCE' },
  // Each is a mail of its own, which nothing turns off.
  SIGN_IN_LINK: { wish: 'system', ground: 'COUNTED' },
  ADDRESS_CHANGED: { wish: 'system', ground: 'COUNTED' },
};

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
