import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCourse } from './read-course.ts';

const quickstart = readFileSync(join(import.meta.dirname, '../../../docs/quickstart.md'), 'utf8');

const actsOf = (step: string) => readCourse(`1. ${step}`).map((part) => (part.kind === 'sentence' ? part.act : undefined));

describe('a course', () => {
  it('is read in its order: sections, blocks of shell with what they print, and sentences', () => {
    const page =
      '## One\n\nSay it:\n\n```sh\necho 1\n```\n\nIt prints:\n\n```\n1\n```\n\nIt ends with code 3.\n\n1. Press **Go**.\n2. Tick **All**. You see\n   "it. All".\n';
    expect(readCourse(page)).toMatchObject([
      { kind: 'shell', section: 'One', text: 'echo 1\n', prints: ['1'], code: 3 },
      { kind: 'sentence', section: 'One', text: 'Press **Go**.' },
      { act: { kind: 'tick', label: 'All' } },
      { act: { kind: 'see', words: ['it. All'] } },
    ]);
  });

  it('says in each form what to do', () => {
    expect(actsOf('Press **A** on the left, then **B** in the row of `Mia`, once it is there. You see "x", "y" and "z".')).toEqual([
      {
        kind: 'press',
        all: [
          { label: 'A', isOnTheLeft: true },
          { label: 'B', row: 'Mia', isOnTheLeft: false },
        ],
      },
      { kind: 'see', words: ['x', 'y', 'z'] },
    ]);
    expect(actsOf('Type `Ledger` into **App**, and choose **New** in the list. Put the file `a.csv` into **Drop**.')).toEqual([
      { kind: 'type', words: 'Ledger', label: 'App', choice: 'New' },
      { kind: 'put', file: 'a.csv', label: 'Drop' },
    ]);
  });

  it('is refused where a sentence of a step has none of the forms, or a label stands elsewhere', () => {
    for (const step of [
      'Click **Go**.',
      'Press Go.',
      'Press **Go** quickly.',
      'You see it.',
      'Press **Go**. Then rest.',
      'You see "a" or "b".',
    ]) {
      expect(() => actsOf(step), step).toThrow('nobody understands');
    }
    expect(() => readCourse('Then press **Go**.')).toThrow('outside of the steps');
  });

  it('is docs/quickstart.md, whole', () => {
    const parts = readCourse(quickstart);
    const count = (mark: RegExp, text: string): number => text.match(mark)?.length ?? 0;
    const sentences = parts.flatMap((part) => (part.kind === 'sentence' ? [part.text] : [])).join('\n');
    expect(parts.filter(({ kind }) => kind === 'shell')).toHaveLength(count(/^```sh$/gm, quickstart));
    expect(count(/\*\*/g, sentences)).toBe(count(/\*\*/g, quickstart));
    expect(count(/"/g, sentences)).toBe(count(/"/g, quickstart));
    expect(parts.length).toBeGreaterThan(80);
  });
});
