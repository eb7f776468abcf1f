/** Sealed texts: read again with what they were sealed with, and with nothing else. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openText, sealText } from './seal-text.ts';

const secret = randomBytes(32);

it('reads again what was sealed, in whatever letters', () => {
  for (const text of ['', 'a', 'größer ✓', 'x'.repeat(5_000)]) {
    expect(openText(secret, 'p', 'one', sealText(secret, 'p', 'one', text))).toBe(text);
  }
});

it('seals the same text to another one each time, which does not show it', () => {
  const [first, second] = [sealText(secret, 'p', 'one', 'open sesame'), sealText(secret, 'p', 'one', 'open sesame')];
  expect(first).not.toBe(second);
  expect(Buffer.from(first, 'base64url').includes('sesame')).toBe(false);
});

it('does not open for another secret, purpose or thing, or when anything of it changed', () => {
  const sealed = sealText(secret, 'p', 'one', 'text');
  expect(openText(randomBytes(32), 'p', 'one', sealed)).toBeUndefined();
  expect(openText(secret, 'q', 'one', sealed)).toBeUndefined();
  expect(openText(secret, 'p', 'two', sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect([at, openText(secret, 'p', 'one', changed.toString('base64url'))]).toEqual([at, undefined]);
  }
  for (const none of ['', 'x', sealed.slice(0, 20)]) {
    expect(openText(secret, 'p', 'one', none)).toBeUndefined();
  }
});
