/** Sealing what is not submitted: it opens with the same key, under the same name, unchanged; and in no other case. */
import { describe, expect, it } from 'vitest';
import { importDraftKey, seal, unseal } from './draft-seal.ts';

const name = 'tenant/person/review/drafts/key';
const drafts = [{ taskId: 'one', comment: 'Left the team in März — not needed' }];
const keyOf = (fill: number) => importDraftKey(Buffer.alloc(32, fill).toString('base64url'));

describe('a sealed record', () => {
  it('opens with the key of the same person on another day', async () => {
    const sealed = await seal(await keyOf(0xfb), name, drafts);
    expect(await unseal(await keyOf(0xfb), name, sealed)).toEqual(drafts);
  });
  it('holds no word of what it seals, and never twice the same', async () => {
    const key = await keyOf(1);
    const [first, second] = [await seal(key, name, drafts), await seal(key, name, drafts)];
    expect(Buffer.from(first.content).toString('latin1')).not.toMatch(/taskId|Left/);
    expect(Buffer.from(first.content).equals(second.content)).toBe(false);
    expect(String(first.nonce)).not.toBe(String(second.nonce));
  });
  it('does not open with another key', async () => {
    const sealed = await seal(await keyOf(1), name, drafts);
    expect(await unseal(await keyOf(2), name, sealed)).toBeUndefined();
  });
  it('does not open once a bit of it was changed', async () => {
    const key = await keyOf(1);
    const sealed = await seal(key, name, drafts);
    const turned = (bytes: Uint8Array<ArrayBuffer>, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
    expect(await unseal(key, name, { ...sealed, content: turned(sealed.content, 3) })).toBeUndefined();
    expect(await unseal(key, name, { ...sealed, content: turned(sealed.content, sealed.content.length - 1) })).toBeUndefined();
    expect(await unseal(key, name, { ...sealed, nonce: turned(sealed.nonce, 0) })).toBeUndefined();
  });
  it('does not open as the record of another review, nor where it is none', async () => {
    const key = await keyOf(1);
    expect(await unseal(key, 'tenant/person/other/drafts/key', await seal(key, name, drafts))).toBeUndefined();
    expect(await unseal(key, name, drafts as never)).toBeUndefined();
  });
});

describe('a key', () => {
  it('cannot be taken out again, and its id tells it from another', async () => {
    const [one, other] = [await keyOf(1), await keyOf(2)];
    await expect(crypto.subtle.exportKey('raw', one.key)).rejects.toThrow();
    expect([one.id.length, one.id === (await keyOf(1)).id, one.id === other.id]).toEqual([16, true, false]);
  });
});
