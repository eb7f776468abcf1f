/**
 * The code by which a service knows its own events: who has the database alone cannot make it. Its two halves vouch for the event and for its
 * content, so that a check can say which of them was changed, and so that the first outlives an erasure.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Bytes of each half. */
const halfLength = 16;

/** Parts of an event its code covers, beside the content. */
export interface MacHeader {
  readonly tenantId: string;
  readonly id: string;
  readonly occurredAt: Date;
  readonly kind: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly credentialId: string;
  readonly issuerId: string;
  readonly requestId: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly reviewId: string;
}

/** The verdict of a code on an event: which part of it is as its writer wrote it. */
export interface MacVerdict {
  readonly header: boolean;
  readonly content: boolean;
}

/**
 * The key of codes: 32 bytes that follow from the log secret, the tenant and the generation of the log's key. A key object, since Node makes one of
 * bare bytes for each code, which takes four times as long as the code.
 */
export function deriveMacKey(secret: Buffer, tenantId: string, generation: number): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, tenantId, `countersign event mac ${generation}`, 32)));
}

/** The code of an event with this commitment to its content: 32 bytes. */
export function eventMac(key: KeyObject, header: MacHeader, contentHash: Buffer): Buffer {
  return Buffer.concat([half(key, headerText(header)), half(key, contentText(header, contentHash))]);
}

/** Compares a code with the event beside it. */
export function checkMac(key: KeyObject, header: MacHeader, contentHash: Buffer, mac: Buffer): MacVerdict {
  if (mac.length !== 2 * halfLength) {
    return { header: false, content: false };
  }
  const wanted = eventMac(key, header, contentHash);
  const equal = (from: number): boolean => timingSafeEqual(wanted.subarray(from, from + halfLength), mac.subarray(from, from + halfLength));
  return { header: equal(0), content: equal(halfLength) };
}

function half(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest().subarray(0, halfLength);
}

/** An array costs half of what an object would; its order never changes. */
function headerText({ occurredAt, ...header }: MacHeader): string {
  const { tenantId, id, kind, actorKind, actorId, credentialId, issuerId, requestId, targetType, targetId, reviewId } = header;
  const members = [tenantId, id, occurredAt.toISOString(), kind, actorKind, actorId, credentialId, issuerId, requestId];
  return `countersign-event-v1\n${canonicalJson([...members, targetType, targetId, reviewId])}`;
}

function contentText({ tenantId, id }: MacHeader, contentHash: Buffer): string {
  return `countersign-content-v1\n${canonicalJson([tenantId, id, contentHash.toString('hex')])}`;
}
