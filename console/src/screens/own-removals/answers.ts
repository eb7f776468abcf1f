/** Answers to a removal that asks somebody, by its state: the words, and the operation on its task that says it. */
import { call, type ReplyOf } from '~/data/query.ts';
import type { ByValue } from '~/text/by-value.ts';
import type { PlainTextKey } from '~/text/text.ts';

export type Removal = NonNullable<ReplyOf<'RevocationService.List'>['list']>[number];

/** `allow` and `keep` where somebody has to approve it first; `done` and `cannot` where it is to be carried out; `again` where it came back. */
export type Answer = 'allow' | 'keep' | 'done' | 'cannot' | 'again';

/** The words of an answer, the operation, and whether it needs a reason. */
export const answers: Readonly<
  Record<
    Answer,
    {
      readonly label: PlainTextKey;
      readonly operation: 'TaskActionsService.Approve' | 'TaskActionsService.Deny' | 'TaskActionsService.RetryProvisioning';
      readonly needsReason: boolean;
    }
  >
> = {
  allow: { label: 'ownRemovals.allow', operation: 'TaskActionsService.Approve', needsReason: false },
  keep: { label: 'ownRemovals.keep', operation: 'TaskActionsService.Deny', needsReason: true },
  done: { label: 'ownRemovals.done', operation: 'TaskActionsService.Approve', needsReason: false },
  cannot: { label: 'ownRemovals.cannot', operation: 'TaskActionsService.Deny', needsReason: true },
  again: { label: 'ownRemovals.again', operation: 'TaskActionsService.RetryProvisioning', needsReason: false },
};

/** Answers by state. Nothing where somebody said that it is done: the next sync says more. */
const possible: ByValue<Removal['state'], readonly Answer[]> = {
  REVOCATION_STATE_HELD: [],
  REVOCATION_STATE_REQUESTED: ['allow', 'keep'],
  REVOCATION_STATE_REFUSED: [],
  REVOCATION_STATE_IN_PROGRESS: ['done', 'cannot'],
  REVOCATION_STATE_CLAIMED: [],
  REVOCATION_STATE_STILL_PRESENT: ['done', 'cannot'],
  REVOCATION_STATE_VERIFIED: [],
  REVOCATION_STATE_ATTESTED: [],
  REVOCATION_STATE_REAPPEARED: ['again'],
  REVOCATION_STATE_ERROR: [],
  REVOCATION_STATE_CANCELLED: [],
};

/** Answers possible now. */
export function possibleAnswers({ state }: Removal): readonly Answer[] {
  return possible[state ?? ''] ?? [];
}

/** Lists answers that all of them allow. */
export function answersOfAll(removals: readonly Removal[]): readonly Answer[] {
  return removals.length === 0
    ? []
    : possibleAnswers(removals[0] ?? {}).filter((one) => removals.every((removal) => possibleAnswers(removal).includes(one)));
}

/** Says it to one. */
export async function sayTo({ revokeTaskId = '' }: Removal, answer: Answer, comment: string): Promise<void> {
  await call(answers[answer].operation, { taskId: revokeTaskId, comment });
}
