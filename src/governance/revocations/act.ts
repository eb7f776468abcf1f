/** Things people do to a removal: say that it is done, confirm what somebody else said, start it anew. Never of their own access. */
import { sayState } from '../../lib/names/say-state.ts';
import { AppError } from '../../errors.ts';
import { inTransaction, type Actor, type Context } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { isBehind, isSuperAdmin, isSystem, seesEverything } from '../../foundation/authority/index.ts';
import { noteRemovalClaim, restartRemovalTask } from '../tasks/index.ts';
import {
  type RevocationEvent,
  type RevocationRow,
  describeRemoval,
  findLookAlike,
  findNextState,
  findRevocation,
  lockRevocation,
  nameSource,
  updateState,
} from './record/index.ts';
import { requestAnew } from './request.ts';
import { planSendings } from './sending/index.ts';
import { updateStarted } from './store-request.ts';

/** The longest comment. */
const maxComment = 10_000;

/** True if the caller reads every removal. */
export function seesAllRevocations(actor: Actor): boolean {
  return isSystem(actor) || seesEverything(actor);
}

/** The removal; NOT_FOUND where there is none, or where the caller may not know of it. */
export async function getRevocation(context: Context, id: string): Promise<RevocationRow> {
  const row = await findRevocation(context, id);
  const mayKnow =
    row !== undefined &&
    (seesAllRevocations(context.actor) || row.isReviewOwner || row.isAsked || (row.isAppOwner && row.state !== 'HELD'));
  if (!mayKnow) {
    throw new AppError('NOT_FOUND', 'There is no such revocation.');
  }
  return row;
}

function refuse(message: string): AppError {
  return new AppError('PERMISSION_DENIED', message);
}

/** Refuses those who may not act on a removal: whoever neither owns the app nor the review nor administers, and the person it is about. */
function requireActor({ actor }: Context, row: RevocationRow): void {
  if (!isSuperAdmin(actor) && !row.isAppOwner && !row.isReviewOwner) {
    throw refuse('Only owners of the app, owners of the review and Super Administrators may say what became of a removal.');
  }
  if (isBehind(actor, row.userId)) {
    throw refuse('This is your own access: somebody else has to say what became of it.');
  }
}

function checkComment(comment: string): void {
  if (comment.length > maxComment) {
    const description = `must have at most ${maxComment} characters`;
    throw new AppError('INVALID_ARGUMENT', `comment: ${description}`, { violations: [{ field: 'comment', description }] });
  }
}

interface Act {
  readonly id: string;
  readonly comment: string;
  readonly event: RevocationEvent;
  readonly kind: 'revocation.claimed' | 'revocation.confirmed' | 'revocation.retried';
  /** Act that cannot be done, in words: "be claimed". */
  readonly what: string;
}

async function act(
  context: Context,
  { id, comment, event, kind, what }: Act,
  change: (inner: Context, row: RevocationRow, note: string) => Promise<void>,
): Promise<RevocationRow> {
  checkComment(comment);
  return inTransaction(context, async (inner) => {
    await lockRevocation(inner, id);
    const row = await getRevocation(inner, id);
    requireActor(inner, row);
    if (findNextState(row.state, event) === undefined) {
      throw new AppError('FAILED_PRECONDITION', `This revocation cannot ${what}: it is ${sayState(row.state)} (${describeRemoval(row)}).`);
    }
    await change(inner, row, comment.trim());
    const data = {
      reviewId: row.reviewId,
      appId: row.appId,
      entitlementId: row.entitlementId,
      accountId: row.accountId,
      comment: comment.trim(),
    };
    await recordEvent(inner, { kind, targetId: id, data: { ...data, from: row.state } });
    return getRevocation(inner, id);
  });
}

async function move(context: Context, row: RevocationRow, event: RevocationEvent, note: string, isClaim = false): Promise<void> {
  await updateState(context, row.id, row.state, { state: findNextState(row.state, event) ?? row.state, note, isClaim });
}

/** Says that the access was removed. It proves nothing: a sync that begins later does, or a second person where no sync reports the access. */
export function claimRemoval(context: Context, id: string, comment: string): Promise<RevocationRow> {
  return act(context, { id, comment, event: 'CLAIM', kind: 'revocation.claimed', what: 'be claimed' }, async (inner, row, note) => {
    if (row.revokeTaskId !== '') {
      await noteRemovalClaim(inner, row.revokeTaskId, comment);
    }
    await move(inner, row, 'CLAIM', note, true);
  });
}

/** Confirms what somebody else said, of access that no sync reports. */
export function confirmRemoval(context: Context, id: string, comment: string): Promise<RevocationRow> {
  return act(context, { id, comment, event: 'CONFIRM', kind: 'revocation.confirmed', what: 'be confirmed' }, async (inner, row, note) => {
    const { actor } = inner;
    if (isBehind(actor, row.claimedById) || isBehind(actor, row.claimedIssuerId)) {
      throw refuse('You, or whoever issued what you act through, said that this access is removed: a second person has to confirm it.');
    }
    // What looks the same may be something else: then no sync will ever prove it, and two people say so.
    if (row.sourceNo !== 0 && findLookAlike(row) === undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `Only a sync of ${nameSource(row)} can prove this: it reports the access, so nobody attests it.`,
      );
    }
    if (row.isPresent) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'The access was given here and is still there: end it first, by removing the account from the entitlement.',
      );
    }
    await move(inner, row, 'CONFIRM', note);
  });
}

/** Starts a removal anew that failed, or whose access reappeared. */
export function retryRemoval(context: Context, id: string, comment: string): Promise<RevocationRow> {
  return act(context, { id, comment, event: 'RETRY', kind: 'revocation.retried', what: 'be started anew' }, async (inner, row, note) => {
    if (row.revokeTaskId !== '') {
      await restartRemovalTask(inner, row.revokeTaskId, comment);
    } else if ((await requestAnew(inner, row.appId, [row.id])) > 0) {
      return;
    }
    await updateStarted(inner, [row.id], 'RETRY', note);
    await planSendings(inner, [row.id]);
  });
}
