/**
 * What somebody has to learn, once: a notice. It is there before any mail, and whoever asks for it again finds it. Notices that are due together
 * for one person become one mail (compose-mails.ts).
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { callJobs } from '../../jobs/index.ts';
import { askingKinds } from './store-notices.ts';

/** The kind of the job that makes mails of what is due; its subject is the tenant. */
export const notifyKind = 'notify';

/** A link that somebody asked for to sign in. It is a mail of its own, whatever else is due, and nothing turns it off. */
export const signInLinkKind = 'SIGN_IN_LINK';

/** Any kind. */
export type NoticeKind =
  | (typeof askingKinds)[number]
  | 'CLOSED'
  | 'REPORT_READY'
  | 'PREPARE_FAILED'
  | 'START_FAILED'
  | 'START_HELD'
  | 'ACKNOWLEDGEMENT_MISSING'
  | 'UNASSIGNED'
  | 'CONFLICT_ACTIVE'
  | 'OCCURRENCE_MISSED'
  | 'OCCURRENCE_SKIPPED'
  | 'TRIGGER_FAILED'
  | 'SECOND_REVIEW_ASKED'
  | 'REMOVALS_TO_APPROVE'
  | 'REMOVALS_REQUESTED'
  | 'REMOVALS_OVERDUE'
  | 'REMOVALS_REAPPEARED'
  | typeof signInLinkKind;

/** Somebody who is informed, and in whose place they are asked; '' where it is their own. */
export interface Addressee {
  readonly personId: string;
  readonly onBehalfId: string;
}

/** What is to be said, apart from to whom. */
export interface Notice {
  readonly kind: NoticeKind;
  /** The review, the task, the template. */
  readonly subjectId: string;
  /** Which time it is: the day of a reminder, the id of an event; '' for what happens once. */
  readonly slot: string;
  readonly reviewId: string;
  readonly data: JsonObject;
  /** From when on it may go out. */
  readonly dueAt: Date;
}

/** Whether a notice asks somebody to decide something. */
export function isAsking(kind: string): boolean {
  return (askingKinds as readonly string[]).includes(kind);
}

/** Calls for the job that makes mails, once these notices are due. */
export function callNotify(context: Context, dueAt: Date): Promise<void> {
  const { db, tenantId } = context;
  return callJobs(db, [{ tenantId, kind: notifyKind, subjectId: tenantId, runAt: dueAt }]);
}
