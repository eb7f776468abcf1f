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
    ['ann@Bücher.example', 'ann@xn--BCHER-kva.example', true],
    ['ann@bücher.example', 'ann@bucher.example', false],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example', false],
    ['ann@b\u00fccher\u3002example', 'ann@xn--bcher-kva.example', false],
    ['ann@x.example', 'ann@\uff58.example', false],
    ['ann@bü%63her.example', 'ann@xn--bcher-kva.example', false],
    ['xn--bcher-kva@x.example', 'bücher@x.example', false],
    ['', 'ann@x.example', false],
  ])('%j and %j are one: %s', (left, right, isOne) => {
    expect(isSameAddress(left, right)).toBe(isOne);
  });
});
