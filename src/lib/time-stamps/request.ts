/** Requests for time stamps (RFC 3161): SHA-256 of the data, a nonce of 8 bytes, and the wish for the certificates of the server. */
import { hash, randomBytes } from 'node:crypto';

/** A request, and what its answer has to repeat. */
export interface TimeStampRequest {
  /** SHA-256 of the data. */
  readonly digest: Buffer;
  /** The 8 bytes of a positive integer that has no shorter form. */
  readonly nonce: Buffer;
  /** The DER form that is sent. */
  readonly bytes: Buffer;
}

/** A sequence of 67 bytes, version 1, and the imprint up to the digest: SHA-256 with the parameter NULL, 32 bytes. */
const beforeDigest = Buffer.from('3043020101303130' + '0d06096086480165030402010500' + '0420', 'hex');
const beforeNonce = Buffer.from('0208', 'hex');
/** `certReq`: true. */
const afterNonce = Buffer.from('0101ff', 'hex');

function createNonce(): Buffer {
  const nonce = randomBytes(8);
  // Neither negative nor shorter than 8 bytes.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return nonce;
}

/** Returns the request for data. Only a test names the nonce. */
export function createTimeStampRequest(data: Buffer, nonce = createNonce()): TimeStampRequest {
  const digest = hash('sha256', data, 'buffer');
  return { digest, nonce, bytes: Buffer.concat([beforeDigest, digest, beforeNonce, nonce, afterNonce]) };
}
