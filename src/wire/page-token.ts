/**
 * Page tokens: where a list goes on, encrypted and authenticated, so that a client can neither read, make nor move one. What the key
 * of a row is, is for the module; how a page is asked for is read in src/http.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { sortedJson } from '../lib/log/canonical-json.ts';
import { type AppError, invalidField } from '../errors.ts';

/** Facts a token is bound to; with any other of these it is refused. */
export interface PageBinding {
  readonly tenantId: string;
  /** Random bytes of the tenant that nobody outside the server knows; they outlive signing keys, so tokens survive their rotation. */
  readonly tenantSecret: Uint8Array;
  /** Full name of the method. */
  readonly operation: string;
  /** The request without what may differ from page to page; see `filterOf`. */
  readonly filter: string;
}

const lifeSeconds = 24 * 3600;
/** Clocks of several servers differ. */
const skewSeconds = 300;
const version = 1;
const nonceLength = 12;
const tagLength = 16;
const maxTokenLength = 4096;

const keys = new WeakMap<Uint8Array, KeyObject>();

/** The part of a request that must stay the same from page to page: all but page size, token and what to expand. */
export function filterOf(sent: JsonObject): string {
  const { pageSize: _size, pageToken: _token, expandMask: _expand, ...rest } = sent;
  return hash('sha256', sortedJson(rest), 'base64url');
}

/** The token of the page after the row with this key. */
export function sealPageToken(binding: PageBinding, key: readonly string[], now: Date): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', keyOf(binding.tenantSecret), nonce);
  cipher.setAAD(associatedData(binding));
  const content = JSON.stringify([Math.floor(now.getTime() / 1000), ...key]);
  const sealed = Buffer.concat([Buffer.of(version), nonce, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** The key inside a token; INVALID_ARGUMENT naming page_token for one that was not made for exactly this, or over 24 hours ago. */
export function openPageToken(binding: PageBinding, token: string, now: Date): readonly string[] {
  const content = decrypt(binding, token);
  if (content === undefined) {
    throw refused('is not the nextPageToken of the previous page of this same request');
  }
  const [madeAt, ...key] = JSON.parse(content) as [number, ...string[]];
  const age = now.getTime() / 1000 - madeAt;
  if (age > lifeSeconds || age < -skewSeconds) {
    throw refused('has expired after 24 hours; start again without one');
  }
  return key;
}

function refused(description: string): AppError {
  return invalidField('page_token', description);
}

function decrypt(binding: PageBinding, token: string): string | undefined {
  if (token.length > maxTokenLength || !/^[A-Za-z0-9_-]+$/.test(token)) {
    return undefined;
  }
  const sealed = Buffer.from(token, 'base64url');
  // The last character of base64 can be written in several ways; only ours is a token.
  if (sealed.length <= 1 + nonceLength + tagLength || sealed[0] !== version || sealed.toString('base64url') !== token) {
    return undefined;
  }
  const decipher = createDecipheriv('aes-256-gcm', keyOf(binding.tenantSecret), sealed.subarray(1, 1 + nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(associatedData(binding));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  try {
    return decipher.update(sealed.subarray(1 + nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

function associatedData({ tenantId, operation, filter }: PageBinding): Buffer {
  return Buffer.from(JSON.stringify([tenantId, operation, filter]));
}

function keyOf(secret: Uint8Array): KeyObject {
  let key = keys.get(secret);
  if (key === undefined) {
    key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'countersign page token 1', 32)));
    keys.set(secret, key);
  }
  return key;
}
