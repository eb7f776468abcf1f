/** Signing what then happens in one transaction: only while everything stands as it did when the signature was prepared. */
import { AppError } from '../../errors.ts';
import { inTransaction, type Context } from '../../context.ts';
import { endSignatures } from './prepare.ts';
import { collectComponents, type Components, type Signed, type Signing } from './sign.ts';
import type { SignatureRow } from './store.ts';

/** Thrown by what a signature sets in motion where something changed since it was prepared. */
export class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/** Deed that a signature sets in motion. */
export interface SignedDeed<T> {
  /** Runs in a transaction of the moment after the time stamp. */
  act(context: Context, signed: Signed): Promise<T>;
  /** The sentence for whoever signs, where `act` throws a ChangedError. */
  readonly changed: string;
}

/**
 * Signs, and does what was signed. As `collectComponents` and `act` throw; CONFLICT where `act` says that something changed: nothing of it is done, and
 * the signature cannot be given any more.
 */
export async function signAndAct<T>(
  context: Context,
  signature: SignatureRow,
  sent: Components,
  signing: Signing,
  { act, changed }: SignedDeed<T>,
): Promise<T> {
  const signed = await collectComponents(context, signature, sent, signing);
  // The time stamp took its time.
  const now = signing.clock();
  try {
    return await inTransaction({ ...context, now }, (inside) => act(inside, signed));
  } catch (error) {
    if (!(error instanceof ChangedError)) {
      throw error;
    }
    await inTransaction(context, (inside) => endSignatures(inside, [signature], 'CHANGED'));
    throw new AppError('CONFLICT', changed);
  }
}
