/**
 * Texts that must be read again and yet not lie open in the database or a backup of it alone: encrypted and authenticated with a key derived
 * from a secret and a purpose. Where the secret comes from is for the caller.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 1;
const nonceLength = 12;
const tagLength = 16;

function keyOf(secret: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `countersign sealed text: ${purpose}`, 32));
}

/** The sealed text; what it belongs to (`about`) cannot be exchanged. */
export function sealText(secret: Uint8Array, purpose: string, about: string, text: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce);
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([Buffer.of(version), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** The text; undefined where it was not sealed with exactly this. */
export function openText(secret: Uint8Array, purpose: string, about: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 1 + nonceLength + tagLength || bytes[0] !== version) {
    return undefined;
  }
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), bytes.subarray(1, 1 + nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    return decipher.update(bytes.subarray(1 + nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
