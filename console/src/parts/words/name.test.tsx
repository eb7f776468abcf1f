/** Names from outside: what nobody sees in them is shown, since two that look the same are two. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Name } from './name.tsx';

it('shows a character that nobody sees by its number', () => {
  expect(renderToStaticMarkup(<Name>{'t\u200bom'}</Name>)).toContain('>tU+200Bom<');
  expect(renderToStaticMarkup(<Name>{'\u3164'}</Name>)).toContain('>U+3164<');
  expect(renderToStaticMarkup(<Name>{undefined}</Name>)).not.toContain('undefined');
});
