/**
 * Reads a course: a document that leads through the console in steps. A step is an item of a numbered list and says in a few fixed forms what to do
 * and what is seen then; blocks of shell are run, and a block without a language is what the one before it prints. Paragraphs explain, and hold no
 * labels, so that nothing that somebody is to press stands where nobody looks whether it is there.
 */

/** Something to press, and where it is in case several have its name: in the row of a table, or in the navigation. */
export interface Pressed {
  readonly label: string;
  readonly row?: string;
  readonly isOnTheLeft: boolean;
}

/** What one sentence of a step says. */
export type Act =
  | { readonly kind: 'press'; readonly all: readonly Pressed[] }
  | { readonly kind: 'type'; readonly words: string; readonly label: string; readonly choice?: string }
  | { readonly kind: 'put'; readonly file: string; readonly label: string }
  | { readonly kind: 'tick'; readonly label: string }
  | { readonly kind: 'see'; readonly words: readonly string[] }
  | { readonly kind: 'save'; readonly begin: string; readonly end: string }
  | { readonly kind: 'open' | 'leave' | 'enter' };

/** A part of a course, in the order of the page. */
export type CoursePart =
  | { readonly kind: 'sentence'; readonly section: string; readonly text: string; readonly act: Act }
  | {
      readonly kind: 'shell';
      readonly section: string;
      readonly text: string;
      /** Lines that it prints, among others. */
      readonly prints: readonly string[];
      /** Code that the paragraph below it names; 0 where it names none. */
      readonly code: number;
    };

/** The marks around a label, a piece to type and words on the screen. */
const spans = { label: /\*\*([^*]+)\*\*/g, piece: /`([^`]+)`/g, words: /"([^"]+)"/g } as const;
const spanned = new RegExp(
  Object.values(spans)
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Splits a step at the ends of its sentences, which are none within marks. */
function sentencesOf(step: string): string[] {
  const marked: string[] = [];
  const plain = step.replace(spanned, (span) => `⟨${marked.push(span) - 1}⟩`);
  return plain
    .split(/(?<=\.)\s+|(?<=You see [^.]*⟩)\s+(?=[A-Z])/)
    .map((sentence) => sentence.replace(/⟨(\d+)⟩/g, (_, index: string) => marked[Number(index)] ?? ''));
}

const allOf = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, inner = '']) => inner);

/** Labels, pieces to type and words on the screen of a sentence, each in its order. */
interface Found {
  readonly labels: readonly string[];
  readonly pieces: readonly string[];
  readonly words: readonly string[];
}

/** Each form of a sentence: its pattern, and what it says. */
const forms: readonly (readonly [string, (found: Found, sentence: string) => Act])[] = [
  [
    'Press {label}{place}(?:, then {label}{place})*(?:, once it is there)?\\.'.replaceAll(
      '{place}',
      '(?: in the row of {piece}| on the left)?',
    ),
    (_, sentence) => ({
      kind: 'press',
      all: [...sentence.matchAll(/\*\*([^*]+)\*\*(?: in the row of `([^`]+)`)?( on the left)?/g)].map(([, label = '', row, left]) => ({
        label,
        ...(row === undefined ? {} : { row }),
        isOnTheLeft: left !== undefined,
      })),
    }),
  ],
  [
    'Type {piece} into {label}(?:, and choose {label} in the list)?\\.',
    ({ labels: [label = '', choice], pieces: [words = ''] }) => ({
      kind: 'type',
      words,
      label,
      ...(choice === undefined ? {} : { choice }),
    }),
  ],
  ['Put the file {piece} into {label}\\.', ({ labels: [label = ''], pieces: [file = ''] }) => ({ kind: 'put', file, label })],
  ['Tick {label}\\.', ({ labels: [label = ''] }) => ({ kind: 'tick', label })],
  ['You see {words}(?:, {words})*(?: and {words})?\\.?', ({ words }) => ({ kind: 'see', words })],
  [
    'Your browser saves a file that begins with {piece} and ends with {piece}\\.',
    ({ pieces: [begin = '', end = ''] }) => ({ kind: 'save', begin, end }),
  ],
  ['Open the link that the server printed\\.', () => ({ kind: 'open' })],
  ['Open a private window, and open the link that you copied\\.', () => ({ kind: 'enter' })],
  ['Close the private window\\.', () => ({ kind: 'leave' })],
];

/** Returns what a sentence says; throws where it has none of the forms. */
function readSentence(sentence: string): Act {
  for (const [form, make] of forms) {
    const pattern = form.replaceAll(/\{(label|piece|words)\}/g, (_, of: keyof typeof spans) => spans[of].source);
    if (new RegExp(`^${pattern}$`).test(sentence)) {
      return make(
        { labels: allOf(spans.label, sentence), pieces: allOf(spans.piece, sentence), words: allOf(spans.words, sentence) },
        sentence,
      );
    }
  }
  throw new Error(`nobody understands this sentence of a step: ${sentence}`);
}

/** The pieces of a document between empty lines, blocks of code whole. */
function piecesOf(markdown: string): string[] {
  const pieces = markdown.split(/^(```\w*\n.*?^```)$/ms).flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n\s*\n/)));
  return pieces.map((piece) => piece.trim()).filter(Boolean);
}

/** Reads a document as a course; throws where a step cannot be understood, or a label stands outside of the steps. */
export function readCourse(markdown: string): CoursePart[] {
  const parts: CoursePart[] = [];
  let section = '';
  const pieces = piecesOf(markdown);
  for (const [index, piece] of pieces.entries()) {
    const [, block, body = ''] = /^```(\w*)\n(.*?)```$/s.exec(piece) ?? [];
    if (block === 'sh') {
      const next = pieces.findIndex((one, at) => at > index && /^(?:```sh|#|\d+\. )/.test(one));
      const about = pieces.slice(index + 1, next < 0 ? undefined : next).join('\n\n');
      const [, printed = ''] = /^```\n(.*?)^```$/ms.exec(about) ?? [];
      const [, code = '0'] = /ends with code (\d+)/.exec(about) ?? [];
      parts.push({ kind: 'shell', section, text: body, prints: printed.split('\n').filter(Boolean), code: Number(code) });
    } else if (/^#/.test(piece)) {
      section = piece.replace(/^#+ /, '');
    } else if (/^\d+\. /.test(piece)) {
      const steps = piece.split(/\n(?=\d+\. )/).map((step) => step.replace(/^\d+\. /, '').replaceAll(/\s+/g, ' '));
      parts.push(...steps.flatMap(sentencesOf).map((text) => ({ kind: 'sentence' as const, section, text, act: readSentence(text) })));
    } else if (block === undefined && /\*\*/.test(piece)) {
      throw new Error(`a label stands outside of the steps, where nothing holds it: ${piece}`);
    }
  }
  return parts;
}
