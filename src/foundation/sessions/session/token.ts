/** The secrets of signing in: what browsers and links carry, and the digests that are kept of them. No storage here. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as text; nobody guesses one. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** True if a text can be a secret of ours; nothing else is looked for. */
export function isSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Computes what is kept of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** True if this is the secret that the digest was kept of; the time it takes says nothing. */
export function matchesDigest(secret: string, digest: Buffer): boolean {
  const own = hashSecret(secret);
  return own.length === digest.length && timingSafeEqual(own, digest);
}
