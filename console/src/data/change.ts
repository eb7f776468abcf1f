/**
 * Changing what others may change as well: the server hears what this page read of it, and refuses what would undo a change that nobody here has seen.
 */
import { call, ClientError, type Operation, type ReplyOf, type RequestOf, signedInAs } from './query.ts';

/** Sends a change, with the members of the request as they were read. Those that somebody changed since are refused; see `readChange`. */
export function change<K extends Operation>(
  operation: K,
  request: RequestOf<K>,
  asRead: { readonly [M in keyof RequestOf<K>]?: RequestOf<K>[M] | undefined },
): Promise<ReplyOf<K>> {
  return call(operation, { ...request, asRead } as RequestOf<K>);
}

/** Who was first, and when. */
export interface OtherChange {
  /** Their name; '' where it is not known. */
  readonly by: string;
  /** True if it was the same person, in another window. */
  readonly isOwn: boolean;
  readonly at: string | undefined;
}

/** Returns who changed what this page was about to change; undefined for every other error. */
export function readChange(error: unknown): OtherChange | undefined {
  if (!(error instanceof ClientError) || error.metadata['changed'] === undefined) {
    return undefined;
  }
  const { changedBy = '', changedById, changedAt } = error.metadata;
  return { by: changedBy, isOwn: changedById !== undefined && changedById === signedInAs(), at: changedAt };
}
