/** Commitments against the vectors; with them the leaves of a log, whose text is canonical and holds a commitment. */
import { describe, expect, it } from 'vitest';
import { readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { canonicalJson } from './canonical-json.ts';
import { commitment } from './commitment.ts';
import { hashLeaf } from './merkle.ts';

interface LeafVector {
  readonly event: Readonly<Record<string, string>> & { readonly data: unknown };
  readonly review: unknown;
  readonly content: string;
  readonly leaf: string;
  readonly leafHash: string;
}

const { cases } = readVectorJson<{ cases: { salt: string; value: unknown; commitment: string }[] }>('commitments.json');
const { tenant, leaves } = readVectorJson<{ tenant: string; leaves: LeafVector[] }>('leaves.json');

describe('a commitment', () => {
  it.each(cases)('of $value under $salt', ({ salt, value, commitment: expected }) => {
    expect(commitment(Buffer.from(salt, 'hex'), value).toString('hex')).toBe(expected);
  });

  it('needs a whole salt and a canonical value', () => {
    expect(() => commitment(Buffer.alloc(15), {})).toThrow('a salt has 16 bytes, not 15');
    expect(() => commitment(Buffer.alloc(16), { share: 0.5 })).toThrow('share: 0.5 is not a whole number');
  });
});

it.each(leaves)('the leaf of $event.kind is canonical, with a commitment to its content', ({ event, review, content, leaf, leafHash }) => {
  const committed = commitment(Buffer.from(event['salt']!, 'hex'), { data: event.data, ip: event['sourceIp'] }).toString('hex');
  expect(committed).toBe(content);
  const text = canonicalJson({
    v: 1,
    tenant,
    id: event['id'],
    kind: event['kind'],
    at: event['at'],
    written: event['written'],
    request: event['requestId'],
    actor: { kind: event['actorKind'], id: event['actorId'], credential: event['credentialId'], issuer: event['issuerId'] },
    target: { type: event['targetType'], id: event['targetId'] },
    review,
    content: committed,
  });
  expect(text).toBe(leaf);
  expect(hashLeaf(Buffer.from(text)).toString('hex')).toBe(leafHash);
});
