/** The signature of an item in a report, where its review asks for signatures. */
import { type ItemSignature, judgeSigned } from '../../../governance/tasks/index.ts';
import type { GivenSignature } from '../../../foundation/signatures/index.ts';
import type { Decision } from './item-history.ts';
import type { ReviewItemRow } from './store-items.ts';

/** Judges an item by the last of its decisions that counts; null while it is open. */
export function judgeItem(
  row: Pick<ReviewItemRow, 'state' | 'endReason' | 'decidedById'>,
  decisions: readonly Decision[],
): ItemSignature | null {
  const last = decisions.findLast(({ by, isAmended, isWithdrawn }) => by !== undefined && !isAmended && !isWithdrawn);
  return row.state === 'OPEN' ? null : judgeSigned(row, last?.signature);
}

/** Printed name, time, meaning and id of a signature, as 21 CFR 11.50 asks beside what is signed. */
function tellGiven({ id, printedName, meaning, signedAt }: GivenSignature): string {
  return `Signed by ${printedName || 'somebody who was erased'} on ${signedAt}: ${meaning} (signature ${id})`;
}

/** Tells whether what became of an item is signed; empty while it is open, and where nobody asked for that. */
export function tellSignature(signature: ItemSignature | null | undefined): string {
  if (!signature) {
    return '';
  }
  if (signature.state === 'SIGNED') {
    return tellGiven(signature);
  }
  return signature.state === 'NOT_SIGNED' ? 'NOT SIGNED, although a person is said to have decided it' : 'Not signed by a person';
}

/** The same of one decision among others, in a few words: they name the signature alone. Empty where nobody asked for signatures. */
export function noteSignature({ by, signature }: Pick<Decision, 'by' | 'signature'>): string {
  if (signature === undefined) {
    return '';
  }
  return signature !== null ? `signature ${signature.id}` : by === undefined ? 'not signed by a person' : 'NOT SIGNED';
}
