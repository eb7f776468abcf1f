/** The nonce of a step-up: the provider signs it, and with it the record. */
import { createHash } from 'node:crypto';

/** Computes the nonce by which a provider signs a record (its SHA-256 in hex) in a transaction. */
export function nonceOf(transactionId: string, recordSha256: string): string {
  return createHash('sha256').update(`countersign.signature.v1\n${transactionId}\n${recordSha256}`).digest('base64url');
}
