/**
 * A document of A4 pages (PDF 1.7): headings, paragraphs, facts and tables, one below the other. The same calls make the same bytes. It is made in
 * memory, so whoever writes one sets a limit to its pages.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { breakLines, printable, rightToLeft } from './printable.ts';

/** A column of a table; its share of the width is its weight over that of all. */
export interface PaperColumn {
  readonly heading: string;
  readonly weight: number;
}

/** A document that is being written. */
export interface Paper {
  title(text: string): void;
  heading(text: string): void;
  paragraph(text: string): void;
  /** Names on the left, values on the right; a value of several lines goes on below. */
  facts(rows: readonly (readonly [name: string, value: string])[]): void;
  /** Writes rows until they are over or have filled so many pages; returns how many were written. */
  table(columns: readonly PaperColumn[], rows: readonly (readonly string[])[], maxPages: number): number;
  /** Lines for signing by hand. */
  blanks(labels: readonly string[]): void;
  pages(): number;
  /** Characters that the font lacks, so far. */
  replaced(): number;
  /** Ends the document; nothing may be written after it. */
  finish(): Promise<Buffer>;
}

/** What stands outside of the pages' text. */
export interface PaperOptions {
  readonly title: string;
  /** Stands at the foot of each page, beside its number. */
  readonly foot: string;
  readonly createdAt: Date;
}

const margin = 48;
const footHeight = 28;
const size = { title: 18, heading: 12, text: 8.5, small: 7.5 } as const;
const lineHeight = 1.3;
const cellGap = 6;
const nameWidth = 140;
const colors = { ink: '#1a1a1a', quiet: '#5c5c5c', rule: '#c9c9c9' } as const;
/** Longest text that is looked at, and most lines of a cell, a fact and the title: what is longer is cut, and ends in an ellipsis. */
const maxCharacters = 4_000;
const maxCellLines = 6;
const maxFactLines = 12;
const maxTitleLines = 4;

type Face = 'regular' | 'bold';

const require = createRequire(import.meta.url);
const readFonts = (): Promise<[regular: Buffer, bold: Buffer]> =>
  Promise.all([
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
  ]);

/** Begins a document. The library and its fonts are loaded by the first that is written. */
export async function createPaper({ title, foot, createdAt }: PaperOptions): Promise<Paper> {
  const [{ default: PdfDocument }, [regular, bold]] = await Promise.all([import('pdfkit'), readFonts()]);
  const pieces: Buffer[] = [];
  const doc = new PdfDocument({
    size: 'A4',
    margin,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    // None: the first would be one that is not embedded.
    font: '',
    info: { Title: title, Creator: 'Countersign', Producer: 'Countersign', CreationDate: createdAt, ModDate: createdAt },
  });
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
  doc.registerFont('regular', regular as unknown as string).registerFont('bold', bold as unknown as string);

  const width = doc.page.width - 2 * margin;
  const bottom = doc.page.height - margin - footHeight;
  let replaced = 0;
  let y: number = margin;

  const choose = (face: Face, points: number): void => {
    doc.font(face).fontSize(points);
  };
  const hasGlyph = (codePoint: number): boolean =>
    (doc as unknown as { _font: { font: { hasGlyphForCodePoint(one: number): boolean } } })._font.font.hasGlyphForCodePoint(codePoint);
  const measure = (text: string): number => doc.widthOfString(text);
  const linesOf = (text: string, space: number, maxLines?: number): string[] => {
    const isLong = text.length > maxCharacters;
    const shown = printable(isLong ? text.slice(0, maxCharacters) : text, hasGlyph);
    replaced += shown.replaced;
    return breakLines(isLong ? `${shown.text}…` : shown.text, space, measure, maxLines);
  };
  const heightOf = (lines: number, points: number): number => lines * points * lineHeight;
  const draw = (lines: readonly string[], x: number, top: number, points: number, color: string = colors.ink): void => {
    doc.fillColor(color);
    for (const [index, line] of lines.entries()) {
      // A word that runs from right to left would have the blank behind it on its wrong side.
      const words = rightToLeft.test(line) ? line.split(' ') : [line];
      let at = x;
      for (const word of words) {
        doc.text(word, at, top + index * points * lineHeight, { lineBreak: false });
        at += measure(`${word} `);
      }
    }
  };
  const rule = (at: number): void => {
    doc
      .moveTo(margin, at)
      .lineTo(margin + width, at)
      .lineWidth(0.5)
      .strokeColor(colors.rule)
      .stroke();
  };
  const turnPage = (): void => {
    doc.addPage();
    y = margin;
  };
  const reserve = (height: number): void => {
    if (y + height > bottom) {
      turnPage();
    }
  };
  /** Lines of running text, over as many pages as they take. */
  const write = (text: string, face: Face, points: number, { color, maxLines }: { color?: string; maxLines?: number } = {}): void => {
    choose(face, points);
    for (const line of linesOf(text, width, maxLines)) {
      reserve(heightOf(1, points));
      choose(face, points);
      draw([line], margin, y, points, color);
      y += heightOf(1, points);
    }
  };

  return {
    title(text) {
      write(text, 'bold', size.title, { maxLines: maxTitleLines });
      y += 6;
    },
    heading(text) {
      y += y === margin ? 0 : 16;
      // Never alone at the end of a page.
      reserve(70);
      write(text, 'bold', size.heading);
      rule(y + 2);
      y += 8;
    },
    paragraph(text) {
      write(text, 'regular', size.text, { color: colors.quiet });
      y += 5;
    },
    facts(rows) {
      for (const [name, value] of rows) {
        choose('regular', size.text);
        const names = linesOf(name, nameWidth - cellGap);
        const values = linesOf(value, width - nameWidth, maxFactLines);
        reserve(heightOf(Math.min(Math.max(names.length, values.length), 4), size.text));
        draw(names, margin, y, size.text, colors.quiet);
        const nameEnd = y + heightOf(names.length, size.text);
        for (const line of values) {
          reserve(heightOf(1, size.text));
          choose('regular', size.text);
          draw([line], margin + nameWidth, y, size.text);
          y += heightOf(1, size.text);
        }
        y = Math.max(y, Math.min(nameEnd, bottom)) + 3;
      }
    },
    table(columns, rows, maxPages) {
      const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
      const spaces = columns.map(({ weight }) => (width * weight) / weights);
      const row = (cells: readonly string[], face: Face, mayTurn: boolean): boolean => {
        choose(face, size.small);
        const broken = cells.map((cell, index) => linesOf(cell, (spaces[index] ?? 0) - cellGap, maxCellLines));
        const height = heightOf(Math.max(1, ...broken.map(({ length }) => length)), size.small) + 4;
        if (y + height > bottom) {
          if (!mayTurn) {
            return false;
          }
          turnPage();
          head();
        }
        choose(face, size.small);
        let x = margin;
        for (const [index, lines] of broken.entries()) {
          draw(lines, x, y, size.small);
          x += spaces[index] ?? 0;
        }
        y += height;
        rule(y - 2);
        return true;
      };
      const head = (): void => {
        row(
          columns.map(({ heading }) => heading),
          'bold',
          false,
        );
      };
      reserve(60);
      let pages = 1;
      head();
      for (const [index, cells] of rows.entries()) {
        const before = doc.bufferedPageRange().count;
        if (!row(cells, 'regular', pages < maxPages)) {
          return index;
        }
        pages += doc.bufferedPageRange().count - before;
      }
      return rows.length;
    },
    blanks(labels) {
      for (const label of labels) {
        reserve(34);
        y += 24;
        doc
          .moveTo(margin + nameWidth, y)
          .lineTo(margin + width, y)
          .lineWidth(0.5)
          .strokeColor(colors.ink)
          .stroke();
        choose('regular', size.text);
        draw([label], margin, y - size.text, size.text, colors.quiet);
        y += 6;
      }
    },
    pages: () => doc.bufferedPageRange().count,
    replaced: () => replaced,
    async finish() {
      const { count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        // The foot stands in the margin, where text would begin another page.
        doc.page.margins.bottom = 0;
        choose('regular', size.small);
        const number = `Page ${page + 1} of ${count}`;
        const top = doc.page.height - margin - size.small;
        draw([number], margin + width - measure(number), top, size.small, colors.quiet);
        draw(linesOf(foot, width - 90, 1), margin, top, size.small, colors.quiet);
      }
      doc.end();
      await ended;
      return Buffer.concat(pieces);
    },
  };
}
