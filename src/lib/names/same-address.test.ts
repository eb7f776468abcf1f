/** Which addresses are one. */
import { describe, expect, it } from 'vitest';
import { isSameAddress } from './same-address.ts';

describe('addresses', () => {
  it.each([
    ['ann@x.example', 'ANN@X.example', true],
    [' ann@x.example ', 'ann@x.example', true],
    ['kate@x.example', '\u212aate@x.example', false],
    ['ivan@x.example', '\u0131van@x.example', false],
    ['ann@x.example', 'an\u200bn@x.example', false],
    ['ann@x.example', 'ann@x.example.evil', false],
    ['', 'ann@x.example', false],
  ])('%j and %j are one: %s', (left, right, isOne) => {
    expect(isSameAddress(left, right)).toBe(isOne);
  });
});
