/** Reasons signing in failed: every code has a sentence, and what an address brings besides is not shown. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ClientError } from '~/data/query.ts';
import { loadLanguage } from '~/text/text.ts';
import { errorText, failureText } from './words.ts';

beforeAll(async () => {
  // There is no page here whose language could be set.
  (globalThis as { document?: unknown }).document ??= { documentElement: {} };
  await loadLanguage(['en']);
});

const other = 'Signing in did not work. Try again.';

describe('a code', () => {
  it.each(['state', 'denied', 'provider', 'unknown', 'unverified', 'claims', 'disabled', 'address', 'busy'])(
    '%s has a sentence',
    (code) => {
      const words = errorText(code);
      expect(words).not.toBe(other);
      expect(words).toMatch(/^[A-Z].*\.$/);
      expect(words).not.toContain('signIn.');
    },
  );

  it.each(['', 'nonsense', 'constructor', '__proto__', 'toString', '<b>state</b>', 'state '])(
    '%s that is not ours says nothing of itself',
    (code) => {
      expect(errorText(code)).toBe(other);
    },
  );
});

describe('a refused request', () => {
  const refusal = (status: number, message: string) => new ClientError(message, { status, code: 'INTERNAL' });

  it('is said in the words of the server', () => {
    expect(failureText(refusal(401, 'This link was used before.'))).toBe('This link was used before.');
    expect(failureText(refusal(429, 'Too many requests.'))).toBe('Too many requests.');
  });

  it('is said in ours where the server had a fault, or did not answer', () => {
    expect(failureText(refusal(500, 'internal error at line 7'))).toBe(other);
    expect(failureText(refusal(0, 'fetch failed'))).toBe('The server does not answer');
    expect(failureText(new Error('Cannot read properties of undefined'))).toBe(other);
  });
});
