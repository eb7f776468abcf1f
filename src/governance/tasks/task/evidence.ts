/**
 * Rows of evidence that this module writes, as their events vouch for them: one line for each action and each submission. The lines are written
 * here for the event, and again from the rows when the log is checked, so they never change.
 */
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../../context.ts';
import { commitment } from '../../../lib/log/commitment.ts';
import { digestLines, lineOf, type RowDigest } from '../../../lib/log/row-digest.ts';
import type { NewAction } from './store.ts';
import type { ActionData } from './task.ts';

/** An action as its event vouches for it. */
export interface ActionLine extends Omit<NewAction, 'data'> {
  readonly taskId: string;
  readonly reviewId: string;
  readonly actorId: string;
  readonly credentialId: string;
  readonly issuerId: string;
  readonly data: ActionData;
  /** '' where it belongs to none. */
  readonly submissionId: string;
  readonly createdAt: Date;
}

/** The actor of what nobody did. */
export const nobody = { actorId: '', credentialId: '', issuerId: '' } as const;

/** The form of the lines of actions; the first one, of the release 0.2, had the texts of comments. */
const actionForm = 2;

/** Bytes of the salt of a comment. */
const saltBytes = 16;

/**
 * The same action with a commitment to its comment, and the salt of that, in its data: so the text can be erased, and its event holds. Of a signed
 * decision the salt is the one that was signed with.
 */
export function commitComment<Action extends Pick<NewAction, 'comment' | 'data'>>(action: Action, salt = randomBytes(saltBytes)): Action {
  if (action.comment === '' || action.data.commentHash !== undefined) {
    return action;
  }
  const commentHash = commitment(salt, action.comment).toString('hex');
  return { ...action, data: { ...action.data, commentSalt: salt.toString('hex'), commentHash } };
}

/** The commitment to the comment that an action has now. That of an erased one stands in its data alone; null for no comment. */
function hashComment(comment: string, { commentSalt = '', commentHash }: ActionData): string | null {
  if (comment === '' || commentHash === undefined) {
    return commentHash ?? null;
  }
  const salt = Buffer.from(commentSalt, 'hex');
  // A salt that somebody changed is none.
  return salt.length === saltBytes ? commitment(salt, comment).toString('hex') : '';
}

/** The line of an action that an event recorded, as the bundle of evidence has it. */
export function lineOfAction(action: ActionLine, eventId: string): string {
  // As it is read back: members without a value are not there.
  const { commentSalt: _, commentHash: __, ...data } = JSON.parse(JSON.stringify(action.data)) as ActionData;
  return lineOf({
    action: action.id,
    at: action.createdAt.toISOString(),
    by: action.actorId,
    comment: hashComment(action.comment, action.data),
    credential: action.credentialId,
    data,
    event: eventId,
    issuer: action.issuerId,
    item: action.taskId,
    kind: action.kind,
    step: action.step,
    stepGeneration: action.stepGeneration,
    submission: action.submissionId,
  });
}

/**
 * True if a comment is the one that its action is committed to, or was emptied as erasure does: the line of an action has the commitment of the comment
 * as it is now, and of one that is gone the one that stands there. Actions of before commitments are another matter.
 */
export function isCommentKept({
  comment,
  data,
  emptiedAt,
}: Pick<ActionLine, 'comment' | 'data'> & { readonly emptiedAt: Date | null }): boolean {
  const { commentSalt, commentHash } = data;
  if (emptiedAt !== null) {
    return comment === '' && commentSalt === undefined && commentHash !== undefined;
  }
  return comment === '' ? commentSalt === undefined && commentHash === undefined : hashComment(comment, data) === (commentHash ?? '');
}

/** An action as the record of a signature has it; undefined for one that decides nothing. */
export function describeSigned({ id, taskId, kind, step, data }: ActionLine): JsonObject | undefined {
  const word = signedWords[kind === 'AMENDED' ? (data.decision ?? '') : kind];
  return word === undefined
    ? undefined
    : {
        ...{ action: id, comment: data.commentHash ?? null, decision: word, item: taskId, step },
        ...(data.certifyUntil === undefined ? {} : { until: data.certifyUntil }),
        ...(kind === 'AMENDED' ? { amends: true } : {}),
      };
}

/** The word of a record for an action, or for what an amendment decides. */
const signedWords: Readonly<Record<string, string>> = { APPROVED: 'CERTIFY', DENIED: 'DENY', APPROVE: 'CERTIFY', DENY: 'DENY' };

/** The line of an action as events of the release 0.2 recorded it. */
export function lineOfFormerAction(action: ActionLine): string {
  return lineOf({
    action: action.id,
    actor: action.actorId,
    at: action.createdAt.toISOString(),
    comment: action.comment,
    credential: action.credentialId,
    data: JSON.parse(JSON.stringify(action.data)) as object,
    issuer: action.issuerId,
    kind: action.kind,
    review: action.reviewId,
    step: action.step,
    stepGeneration: action.stepGeneration,
    submission: action.submissionId,
    task: action.taskId,
  });
}

/** A submission as its event vouches for it. */
export interface SubmissionLine {
  readonly id: string;
  readonly reviewId: string;
  readonly userId: string;
  readonly issuerId: string;
  readonly submitted: number;
  readonly certified: number;
  readonly denied: number;
  readonly refused: number;
  readonly createdAt: Date;
}

/** The line of a submission. */
export function lineOfSubmission(row: SubmissionLine): string {
  return lineOf({
    at: row.createdAt.toISOString(),
    certified: row.certified,
    denied: row.denied,
    issuer: row.issuerId,
    refused: row.refused,
    review: row.reviewId,
    submission: row.id,
    submitted: row.submitted,
    user: row.userId,
  });
}

/** An action of the actor of a context; one that nobody did has no actor (`getForActor`). */
export function actionBy(
  { actor, now }: Context,
  place: { readonly taskId: string; readonly reviewId: string; readonly submissionId?: string },
  action: NewAction,
): ActionLine {
  const isNobodys = (action.kind === 'ENDED' && action.data.reason !== 'CANCELLED') || action.data.bySystem === true;
  const by = isNobodys ? nobody : { actorId: actor.userId, credentialId: actor.credentialId, issuerId: actor.issuerId };
  return { submissionId: '', ...place, ...action, ...by, createdAt: now };
}

/** The digest that an event has of these actions. */
export function digestActions(eventId: string, actions: readonly ActionLine[]): RowDigest {
  const inOrder = actions.toSorted((one, other) =>
    one.taskId === other.taskId ? (one.id < other.id ? -1 : 1) : one.taskId < other.taskId ? -1 : 1,
  );
  return { ...digestLines(inOrder.map((action) => lineOfAction(action, eventId))), form: actionForm };
}
