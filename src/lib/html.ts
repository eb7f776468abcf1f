/** Text as HTML that can do nothing: escaped, and a small part of Markdown on top of that. What is not known stays as it was written. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text that means itself, in elements and in attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** True if safe to link to: nothing that a click could run. */
function isSafeLink(target: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s<>"'`\\]+$/i.test(target);
}

/**
 * Emphasis, code and links of one line that was escaped. Each pattern is bounded, so that no text makes it look for long. The code of a line is taken out
 * first and put back last, since nothing in it means anything.
 */
function renderInline(line: string): string {
  const codes: string[] = [];
  const withoutCode = line
    .replaceAll('\uE000', '')
    .replace(/`([^`]{1,500})`/g, (_all, code: string) => `\uE000${codes.push(escapeHtml(code)) - 1}\uE000`);
  return escapeHtml(withoutCode)
    .replace(/\[([^[\]]{1,300})\]\(([^()\s]{1,1000})\)/g, (all, label: string, escaped: string) => {
      const isPlain = !/&(?:quot|#39|lt|gt);/.test(escaped);
      return isPlain && isSafeLink(escaped) ? `<a href="${escaped}">${label}</a>` : all;
    })
    .replace(/\*\*([^*]{1,500})\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])\*([^*\s][^*]{0,500})\*(?=[\s).,;:!?]|$)/g, '$1<em>$2</em>')
    .replace(/(^|[\s(])_([^_\s][^_]{0,500})_(?=[\s).,;:!?]|$)/g, '$1<em>$2</em>')
    .replace(/\uE000(\d+)\uE000/g, (_all, index: string) => `<code>${codes[Number(index)] ?? ''}</code>`);
}

type Block = { readonly type: 'p' | 'ul' | 'ol' | 'pre'; readonly lines: string[] };

/**
 * Markdown as HTML: headings, paragraphs, lists, emphasis, code and links to http, https and mailto. Everything else, HTML among it, is shown as it was
 * written. Headings are one size, so that a text fits into a page of somebody else's.
 */
export function renderMarkdown(markdown: string): string {
  const done: string[] = [];
  let block: Block | undefined;
  const close = (): void => {
    if (block !== undefined) {
      done.push(renderBlock(block));
    }
    block = undefined;
  };
  const add = (type: Block['type'], line: string): void => {
    if (block?.type !== type) {
      close();
      block = { type, lines: [] };
    }
    block?.lines.push(line);
  };
  for (const line of markdown.replace(/\r\n?/g, '\n').split('\n')) {
    const heading = /^#{1,6}\s+(.{1,500})$/.exec(line);
    const item = /^\s{0,3}(?:([-*+])|\d{1,9}[.)])\s+(.*)$/.exec(line);
    if (/^```/.test(line)) {
      const isInside = block?.type === 'pre';
      close();
      block = isInside ? undefined : { type: 'pre', lines: [] };
    } else if (block?.type === 'pre') {
      block.lines.push(line);
    } else if (line.trim() === '') {
      close();
    } else if (heading !== null) {
      close();
      done.push(`<h3>${renderInline(heading[1] ?? '')}</h3>`);
    } else if (item === null) {
      add('p', line);
    } else {
      add(item[1] === undefined ? 'ol' : 'ul', item[2] ?? '');
    }
  }
  close();
  return done.join('\n');
}

function renderBlock({ type, lines }: Block): string {
  switch (type) {
    case 'pre':
      return `<pre>${escapeHtml(lines.join('\n'))}</pre>`;
    case 'p':
      return `<p>${lines.map(renderInline).join('<br>\n')}</p>`;
    default:
      return `<${type}>\n${lines.map((line) => `<li>${renderInline(line)}</li>`).join('\n')}\n</${type}>`;
  }
}
