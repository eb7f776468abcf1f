/**
 * The bytes of a leaf: what of an event goes into the tree. Formats carry `v: 1` and never change; the examples in test/vectors/evidence
 * hold this file to them.
 */
import { CanonicalJsonError } from '../../lib/log/canonical-json.ts';
import { commitment } from '../../lib/log/commitment.ts';
import type { SealableRow } from './store-log.ts';

/** An event's place among those of its review. */
export interface ReviewPlace {
  readonly id: string;
  /** From 1. */
  readonly number: number;
  /** The position of the review's event before, -1 for the first. */
  readonly previous: number;
}

/**
 * The leaf of an event, canonical JSON. Written by a template, which takes half the time of writing any value: members stand in order here,
 * and only texts need care.
 */
export function makeLeaf(tenantId: string, event: SealableRow, review: ReviewPlace | undefined): string {
  const q = JSON.stringify;
  const place = review === undefined ? 'null' : `{"id":${q(review.id)},"number":${review.number},"previous":${review.previous}}`;
  return (
    `{"actor":{"credential":${q(event.credentialId)},"id":${q(event.actorId)},"issuer":${q(event.issuerId)},"kind":${q(event.actorKind)}},` +
    `"at":"${event.occurredAt.toISOString()}","content":"${hashContent(event).toString('hex')}","id":${q(event.id)},"kind":${q(event.kind)},` +
    `"request":${q(event.requestId)},"review":${place},"target":{"id":${q(event.targetId)},"type":${q(event.targetType)}},` +
    `"tenant":${q(tenantId)},"v":1,"written":"${event.written}"}`
  );
}

/** The commitment to the part of an event that may be erased: its data and the address it came from. */
export function hashContent({ salt, data, sourceIp, contentHash, id }: SealableRow): Buffer {
  if (contentHash !== null) {
    return contentHash;
  }
  if (salt === null) {
    throw new Error(`the event ${id} has neither content nor the commitment to it`);
  }
  const value: unknown = JSON.parse(data);
  try {
    return commitment(salt, { data: value, ip: sourceIp });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) {
      throw error;
    }
    // Releases before the log took fractions; such data stands for itself as text, so that no row can stop the log.
    return commitment(salt, { data, ip: sourceIp });
  }
}
