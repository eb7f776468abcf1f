/** Decision about a task and what it comes to: the words that the rules of deciding share. */
import type { Context } from '../../../context.ts';
import type { Refusal } from '../task/index.ts';

/** Answer of a reviewer about one task. */
export interface Decision {
  readonly taskId: string;
  readonly decision: 'APPROVE' | 'DENY';
  readonly comment: string;
  /** Empty for the current step. */
  readonly policyStepId: string;
  /** Approved until then alone. */
  readonly certifyUntil?: Date | undefined;
  /** Changes the decision of the same person that closed the task. */
  readonly amend?: boolean;
  /** The id that its action gets, and the salt of the commitment to its comment in hex, where those were signed. */
  readonly actionId?: string | undefined;
  readonly commentSalt?: string | undefined;
  /** The step-up by which it was signed; empty for none. */
  readonly stepUpTransactionId?: string;
  /** Time it was first staged, where it was. */
  readonly stagedAt?: Date | undefined;
  /** Fingerprint of what was staged about the task when this was sent; empty for nothing. */
  readonly stagedAs?: string;
}

/** The answer to a decision that holds: the action that recorded it. */
export interface Decided {
  readonly actionId: string;
  /** True where this person had said the same before and nothing was written. */
  readonly repeated: boolean;
}

/** Response to a decision: refuse it, say it again, or write it. */
export type Verdict = { readonly refusal: Refusal } | { readonly repeats: string } | 'proceed';

/** The kind of the action that records a decision. */
export const decisionActions = { APPROVE: 'APPROVED', DENY: 'DENIED' } as const;

/** Result of a word about a removal: another step, that it may begin, that it is refused, said to be done, failed, or tried anew. */
export type RemovalTurn = 'STEP' | 'BEGIN' | 'REFUSE' | 'CLAIM' | 'FAIL' | 'RETRY';

/** The action that recorded a word about a removal, and what it means for the removal. */
export interface RemovalStep {
  readonly actionId: string;
  readonly turn: RemovalTurn;
  /** Policy's own reason to refuse it, behind an approval; undefined for a person's refusal. */
  readonly byPolicy?: string;
}

/**
 * Locks the removal of a task, has `say` record the word in its task, and moves the removal by what that came to, all in one transaction; returns the
 * id of the action. The module that keeps removals registers it, since tasks know nothing of them.
 */
export type FollowRemoval = (
  context: Context,
  said: { readonly taskId: string; readonly comment: string },
  say: (inner: Context) => Promise<RemovalStep>,
) => Promise<string>;
