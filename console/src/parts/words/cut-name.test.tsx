/** Names in one line: what they end with stays, and they are whole for whoever reads or copies them. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CutName } from './cut-name.tsx';

const partsOf = (name: string): string[] =>
  [...renderToStaticMarkup(<CutName>{name}</CutName>).matchAll(/>([^<]+)</g)].map(([, part = '']) => part);

it.each([
  ['Jonas Sample', ['Jonas Sample']],
  ['Service account of payments 1', ['Service account of pa', 'yments 1']],
  ['Service account of payments 2', ['Service account of pa', 'yments 2']],
  // What people see as one sign is not taken apart.
  ['The family of somebody 👩‍👩‍👧‍👦1234567', ['The family of somebody ', '👩‍👩‍👧‍👦1234567']],
  ['x'.repeat(500), ['x'.repeat(492), 'x'.repeat(8)]],
])('%s', (name, parts) => {
  expect(partsOf(name)).toEqual(parts);
  expect(parts.join('')).toBe(name);
});

it('has the whole name as its title where it may be cut', () => {
  expect(renderToStaticMarkup(<CutName>{'Service account of payments 1'}</CutName>)).toContain('title="Service account of payments 1"');
  expect(renderToStaticMarkup(<CutName>{undefined}</CutName>)).not.toContain('title');
});
