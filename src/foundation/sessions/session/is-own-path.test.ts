/** Addresses a browser may be sent to after signing in: whatever is let through stays on this service, however browsers read it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOwnPath, ownPathOr } from './is-own-path.ts';

const ours = 'https://reviews.example.com';

it.each(['/', '/home', '/r/1?show=todo&q=a%20b#x', '/sign-in?to=%2Fhome', '/a//b', '/:x', '/@evil.example'])('lets %j through', (to) => {
  expect(isOwnPath(to)).toBe(true);
});

it.each([
  ...['', 'home', '//evil.example', '///evil.example', '/\\evil.example', '\\/evil.example', 'https://evil.example', 'javascript:alert(1)'],
  ...[
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' /home',
    '/a b',
    '/\u0000',
    '/\u00e9',
    '/./\\evil',
    '/..//evil.example',
    `/${'x'.repeat(2_000)}`,
  ],
])('refuses %j', (to) => {
  expect([isOwnPath(to), ownPathOr(to)]).toEqual([false, '/']);
});

it('lets nothing through that a browser would take to another place', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '//',
    '.',
    '..',
    'evil.example',
    ':',
    '@',
    'https:',
    'javascript:',
    '\t',
    '\n',
    '%2f',
    '%5c',
    '?',
    '#',
    ' ',
    'a',
    '\u2028',
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (to) => {
      if (isOwnPath(to)) {
        const there = new URL(to, ours);
        expect([there.origin, there.pathname.startsWith('//')]).toEqual([ours, false]);
      }
    }),
    { numRuns: 5_000 },
  );
});
