/** Ed25519 keys as they are written down: their 32 bytes. */
import { createPublicKey, type KeyObject } from 'node:crypto';

/** The bytes before a raw public key in its DER form (RFC 8410). */
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** The public key of 32 bytes, to verify with. */
export function readEd25519Key(bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });
}
