/** Texts with marked parts: the tags of a message become elements, and whatever comes in by a parameter stays words. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { enrich } from './rich.tsx';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '<b>bold</b>',
  '</b><script>alert(1)</script>',
  '{name} <code>x</code>',
  '"><svg/onload=alert(1)>',
  '\u{e000}b\u{e001}x\u{e000}/b\u{e001}',
  '\u{e000}ob\u{e000}cx\u{e000}o/b\u{e000}c',
];

const keep = (name: string): string =>
  renderToStaticMarkup(enrich((values) => `Should <b>${String(values['name'])}</b> keep <code>x</code>?`, { name }));

describe('a text with marked parts', () => {
  it('makes elements of its own tags', () => {
    expect(keep('Jonas')).toBe('Should <strong>Jonas</strong> keep <code>x</code>?');
    const link = enrich(
      ({ name }) => `See <rule>${String(name)}</rule>.`,
      { name: 'Jonas' },
      { rule: (inner) => <a href="/x">{inner}</a> },
    );
    expect(renderToStaticMarkup(link)).toBe('See <a href="/x">Jonas</a>.');
  });

  it('shows a tag that it does not know as it is written', () => {
    expect(renderToStaticMarkup(enrich(({ name }) => `See <rule>${String(name)}</rule>.`, { name: 'Jonas' }))).toBe(
      'See &lt;rule&gt;Jonas&lt;/rule&gt;.',
    );
  });

  it.each(hostile)('keeps the name %s a name', (name) => {
    const shown = keep(name);
    expect(shown.match(/<[a-z]+/g)).toEqual(['<strong', '<code']);
    // Every sign of it is there, that of our own which stands for brackets, too.
    const words = shown
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"');
    expect(words).toBe(`Should ${name} keep x?`);
  });
});
