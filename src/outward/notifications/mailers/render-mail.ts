/** A mail as text and as HTML, from sections that say the same in both. What the sections say is in say-review.ts and its neighbours. */
import { escapeHtml, renderMarkdown } from '../../../lib/html.ts';

/** A part of a mail: about one review, or one other thing. */
export interface Section {
  readonly heading: string;
  /** Sentences, each a paragraph of its own. */
  readonly lines: readonly string[];
  /** A list behind them. */
  readonly items?: readonly string[];
  /** Markdown that somebody wrote for those who read this. */
  readonly markdown: string;
  readonly link: { readonly label: string; readonly url: string } | undefined;
}

/** Everything a mail says. */
export interface MailContent {
  readonly subject: string;
  readonly greeting: string;
  readonly sections: readonly Section[];
  /** Reasons they get it. */
  readonly footer: readonly string[];
}

/** Both parts of a mail. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const style = {
  body: 'font-family: system-ui, sans-serif; font-size: 15px; line-height: 1.5; color: #1c1c1c; max-width: 640px; margin: 0 auto; padding: 16px',
  quote: 'border-left: 3px solid #c8c8c8; margin: 12px 0; padding: 0 12px',
  footer: 'color: #5f5f5f; font-size: 13px',
} as const;

/** Renders it. Whatever people wrote is escaped; nothing is loaded from anywhere when the mail is read. */
export function renderMail(content: MailContent): RenderedMail {
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function renderText({ greeting, sections, footer }: MailContent): string {
  const parts = sections.map(({ heading, lines, items = [], markdown, link }) =>
    [
      `${heading}\n${'-'.repeat(Math.min(72, heading.length))}`,
      [...lines, ...items.map((item) => `  - ${item}`)].join('\n'),
      ...(markdown === '' ? [] : [markdown.replace(/^/gm, '> ')]),
      ...(link === undefined ? [] : [`${link.label}: ${link.url}`]),
    ].join('\n\n'),
  );
  return `${[greeting, ...parts, `-- \n${footer.join('\n')}`].join('\n\n')}\n`;
}

function renderHtml({ subject, greeting, sections, footer }: MailContent): string {
  const paragraph = (line: string): string => `<p>${escapeHtml(line)}</p>`;
  const parts = sections.map(({ heading, lines, items = [], markdown, link }) =>
    [
      `<h2>${escapeHtml(heading)}</h2>`,
      ...lines.map(paragraph),
      ...(items.length === 0 ? [] : [`<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`]),
      ...(markdown === '' ? [] : [`<div style="${style.quote}">${renderMarkdown(markdown)}</div>`]),
      ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`]),
    ].join('\n'),
  );
  return [
    '<!DOCTYPE html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${style.body}">`,
    paragraph(greeting),
    ...parts,
    `<p style="${style.footer}">${footer.map(escapeHtml).join('<br>\n')}</p>`,
    '</body></html>',
    '',
  ].join('\n');
}
