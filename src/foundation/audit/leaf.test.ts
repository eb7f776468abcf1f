/** The bytes of leaves, held to the published examples; and what stands for content that is gone or older than the format. */
import { describe, expect, it } from 'vitest';
import { readVectorJson } from '../../../test/support/evidence-vectors.ts';
import { commitment } from '../../lib/log/commitment.ts';
import { hashLeaf } from '../../lib/log/merkle.ts';
import { makeLeaf, type ReviewPlace } from './leaf.ts';
import type { SealableRow } from './store-log.ts';

interface Vectors {
  readonly tenant: string;
  readonly leaves: readonly {
    readonly event: Record<string, string> & { readonly data: object };
    readonly review: ReviewPlace | null;
    readonly content: string;
    readonly leaf: string;
    readonly leafHash: string;
  }[];
}

const { tenant, leaves } = readVectorJson<Vectors>('leaves.json');

function rowOf({ event }: Vectors['leaves'][number]): SealableRow {
  const { at = '', salt = '', data, ...texts } = event;
  return {
    ...texts,
    occurredAt: new Date(at),
    data: JSON.stringify(data),
    salt: Buffer.from(salt, 'hex'),
    contentHash: null,
  } as unknown as SealableRow;
}

describe('a leaf', () => {
  it.each(leaves.map((vector, position) => [position, vector] as const))('is what the example says: position %i', (_position, vector) => {
    const leaf = makeLeaf(tenant, rowOf(vector), vector.review ?? undefined);
    expect(leaf).toBe(vector.leaf);
    expect(hashLeaf(Buffer.from(leaf)).toString('hex')).toBe(vector.leafHash);
    expect(JSON.parse(leaf)).toMatchObject({ content: vector.content });
  });

  it('stays the same when the content is erased', () => {
    const vector = leaves[1] as Vectors['leaves'][number];
    const erased = { ...rowOf(vector), data: '{}', sourceIp: '', salt: null, contentHash: Buffer.from(vector.content, 'hex') };
    expect(makeLeaf(tenant, erased, vector.review ?? undefined)).toBe(vector.leaf);
    expect(() => makeLeaf(tenant, { ...erased, contentHash: null }, undefined)).toThrow('neither content');
  });

  it('takes data that has no canonical form as text: an old release wrote it', () => {
    const row = { ...rowOf(leaves[0] as Vectors['leaves'][number]), data: '{"share": 0.5}' };
    const content = commitment(row.salt as Buffer, { data: '{"share": 0.5}', ip: row.sourceIp }).toString('hex');
    expect(JSON.parse(makeLeaf(tenant, row, undefined))).toMatchObject({ content });
  });
});
