/** PDF files as they are read back: what was written stands in them, tables stop, and the same calls make the same bytes. */
import { describe, expect, it, vi } from 'vitest';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { createPaper, type Paper } from './paper.ts';

const createdAt = new Date('2026-11-26T12:00:00Z');
const columns = [
  { heading: 'Task', weight: 1 },
  { heading: 'Why', weight: 3 },
];

async function make(write: (paper: Paper) => void): Promise<{ file: Buffer; pages: readonly string[] }> {
  const paper = await createPaper({ title: 'A title', foot: 'At the foot', createdAt });
  write(paper);
  const file = await paper.finish();
  return { file, pages: readPdf(file).map((texts) => texts.join(' ')) };
}

describe('a PDF file', () => {
  it('has headings, facts and paragraphs in their order, and a foot on each page', async () => {
    const { pages } = await make((paper) => {
      paper.title('Quarter');
      paper.heading('Counts');
      paper.facts([['Items', '12']]);
      paper.paragraph('Τέλος');
    });
    expect(pages).toEqual(['Quarter Counts Items 12 Τέλος Page 1 of 1 At the foot']);
  });

  it('has the same bytes whenever it is written', async () => {
    const write = (paper: Paper): void => {
      paper.title('Quarter 王');
      paper.table(columns, [['1', 'because']], 1);
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime('2026-11-27T08:00:00Z');
      const first = await make(write);
      vi.setSystemTime('2031-01-01T00:00:00Z');
      const second = await make(write);
      expect(second.file.equals(first.file)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('has no more pages of a table than it may, says how many rows it holds, and has its head on each page', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => [
      String(index + 1),
      'Nobody had decided when the review was closed. '.repeat(20),
    ]);
    let written = 0;
    const { pages } = await make((paper) => {
      written = paper.table(columns, rows, 3);
    });
    expect(pages).toHaveLength(3);
    expect(pages.every((page) => page.startsWith('Task Why '))).toBe(true);
    expect(written).toBeGreaterThan(10);
    expect(pages[2]).toContain(` ${written} Nobody`);
    expect(pages[2]).not.toContain(` ${written + 1} Nobody`);
  });

  it('cuts a fact that is too long, and says so', async () => {
    const { pages } = await make((paper) => paper.facts([['Comment', 'word '.repeat(3_000)]]));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/wor?d?… Page 1 of 1/);
  });

  it('counts the characters that its font lacks', async () => {
    let replaced = 0;
    await make((paper) => {
      paper.paragraph('王伟 and 😀 and Ђорђе');
      replaced = paper.replaced();
    });
    expect(replaced).toBe(2);
  });
});
