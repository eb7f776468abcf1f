/** Markdown as elements: what it marks is an element, and no markup of its own gets through. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

describe('a text in Markdown', () => {
  it('has headings, lists, bold and code as elements', () => {
    const html = renderToStaticMarkup(<Markdown source={'## Summary\n\n- **5 items:** 3 certified\n- `id`\n\nThat is all.'} />);
    expect(html).toContain('<ul><li><b>5 items:</b> 3 certified</li><li><code>id</code></li></ul>');
    expect(html).toContain('<p>That is all.</p>');
    expect(html).not.toContain('#');
  });

  it('never becomes markup', () => {
    expect(renderToStaticMarkup(<Markdown source="<img src=x onerror=1> **<b>x</b>**" />)).not.toMatch(/<img|<b><b>/);
  });
});
