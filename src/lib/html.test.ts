/** Text as HTML: what the small part of Markdown becomes, and that nothing a stranger writes becomes anything else. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml, renderMarkdown } from './html.ts';

it('renders headings, paragraphs, lists, emphasis, code and links', () => {
  const text =
    '# Read this\n\nCheck **all** of `a<b`,\nand *then* decide.\n\n- one\n- [two](https://example.com/?a=1&b=2)\n\n1. first\n2) second\n\n```\n<b>*raw*</b>\n```\nEnd';
  expect(renderMarkdown(text)).toBe(
    [
      '<h3>Read this</h3>',
      '<p>Check <strong>all</strong> of <code>a&lt;b</code>,<br>\nand <em>then</em> decide.</p>',
      '<ul>\n<li>one</li>\n<li><a href="https://example.com/?a=1&amp;b=2">two</a></li>\n</ul>',
      '<ol>\n<li>first</li>\n<li>second</li>\n</ol>',
      '<pre>&lt;b&gt;*raw*&lt;/b&gt;</pre>',
      '<p>End</p>',
    ].join('\n'),
  );
});

it.each([
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
  ['[x](data:text/html,1)', '<p>[x](data:text/html,1)</p>'],
  ['[x](https://a"onclick="b)', '<p>[x](https://a&quot;onclick=&quot;b)</p>'],
  ['snake_case_name and 2*3*4', '<p>snake_case_name and 2*3*4</p>'],
])('%s is harmless', (text, html) => {
  expect(renderMarkdown(text)).toBe(html);
});

it('never lets a tag through that it did not make', () => {
  const pieces = fc.constantFrom(
    '<b>',
    '**',
    '*',
    '_',
    '`',
    '[a](',
    'https://x',
    ')',
    '"',
    "'",
    '&',
    '\n',
    '- ',
    '1. ',
    '# ',
    '```',
    'text',
    ' ',
    '\u0000',
    '0',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const rest = renderMarkdown(parts.join('')).replace(
        /<\/?(?:h3|p|ul|ol|li|pre|strong|em|code|a)>|<br>|<a href="(?:https?:\/\/|mailto:)[^"<>]*">/g,
        '',
      );
      expect(rest).not.toMatch(/[<>]/);
    }),
    { numRuns: 1000 },
  );
  expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
});

it('takes no longer for a text made to take long', () => {
  for (const text of ['['.repeat(100_000), '*'.repeat(100_000), '`'.repeat(100_001), '_a '.repeat(40_000), '[a]('.repeat(30_000)]) {
    renderMarkdown(text);
  }
});
