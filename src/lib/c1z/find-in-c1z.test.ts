/** Looking for single grants and accounts in files of connectors. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findInC1z } from './find-in-c1z.ts';

const vector = (name: string): Buffer => readFileSync(new URL(`../../../test/vectors/baton/${name}`, import.meta.url));
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

const frank = '2IC0WoaHVvl2GIQppXQH0flK1yJ';
const editor = 'role:2IC0WmaHecJdzo5jYnQiTh2BVlB:assignment';

describe('grants of a c1z', () => {
  it('are found as the connector wrote them, and accounts with their types', async () => {
    const found = await findInC1z(piecesOf(vector('demo-sdk-0.2.50.c1z')), [
      { kind: 'GRANT', account: frank, entitlement: editor },
      { kind: 'GRANT', account: 'nobody', entitlement: editor },
      { kind: 'ACCOUNT', account: frank },
      { kind: 'ACCOUNT', account: 'group:2IC0WjepYDBsRp6b7cqrumGsVGt' },
      { kind: 'ACCOUNT', account: 'nobody' },
    ]);
    expect(found).toEqual([
      { kind: 'GRANT', isDirect: true, isImmutable: false, bytes: new Uint8Array(vector('demo-grant.bin')) },
      undefined,
      { kind: 'ACCOUNT', type: 'user', id: frank, parentType: '', parentId: '' },
      { kind: 'ACCOUNT', type: 'group', id: '2IC0WjepYDBsRp6b7cqrumGsVGt', parentType: '', parentId: '' },
      undefined,
    ]);
  });

  it('are gone behind their removal', async () => {
    const [found] = await findInC1z(piecesOf(vector('demo-sdk-0.2.50-after-revoke.c1z')), [
      { kind: 'GRANT', account: frank, entitlement: editor },
    ]);
    expect(found).toBeUndefined();
  });
});
