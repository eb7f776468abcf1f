/** Whatever a name holds stands in every sentence as it is stored, in plain text and in texts with marked parts. */
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { texts as german } from 'virtual:texts/de';
import { texts as english } from 'virtual:texts/en';
import { Rich } from './rich.tsx';
import { hasNothingToSee, showHidden } from './quote-name.ts';
import { loadLanguage, type TextKey, text } from './text.ts';

/** A compiled message: words, and parameters as arrays of name, kind and cases. */
type Token = string | readonly [string, string?, Readonly<Record<string, unknown>>?];

const catalogues = { en: english, de: german };

/** Names that some part on the way could take for something else than a name. */
const hostile = [
  'CORP\\xabier',
  'CORP\\u0041dmin2',
  '\\x3Cb\\x3Ebold\\x3C/b\\x3E',
  '\\u005Cu0041',
  '\\\\u0041\\',
  '\\',
  '\\u',
  '%__lingui_octothorpe__%',
  '%25 100% %',
  '{name}',
  '{count, plural, one {#} other {#}}',
  "'{'",
  "it''s",
  '# #1',
  '<b>bold</b>',
  '</b><script>alert(1)</script>',
  '<0>x</0>',
  '\u{e000}a\u{e001}\u{e000}\u{e000}b',
  '\ud83d',
  '\udc00a\ud800',
  '\u202egnp.exe',
  '\u2066x',
  'שלום',
  '&lt;b&gt;&#92;',
  '$& $1 $$',
  'constructor',
  '\n\t',
  'null',
];

/** Random names of pieces that mean something to somebody. */
const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(
      fc.constantFrom(
        '\\',
        'x',
        'u',
        '41',
        '0041',
        '005C',
        '%',
        '__lingui_octothorpe__',
        '<',
        '>',
        'b',
        '/',
        '{',
        '}',
        '#',
        "'",
        '\u{e000}',
        '\ud800',
        '\u2069',
        'a',
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(...hostile),
);

/** The parameters of a message: those that stand for text, and those whose value chooses between cases. */
function parametersOf(message: unknown, found = { names: new Set<string>(), choices: new Map<string, string[]>() }) {
  for (const token of Array.isArray(message) ? (message as Token[]) : []) {
    if (typeof token !== 'string') {
      const [name, kind, cases = {}] = token;
      if (kind === undefined) {
        found.names.add(name);
      } else {
        found.choices.set(name, Object.keys(cases));
        for (const one of Object.values(cases)) {
          parametersOf(one, found);
        }
      }
    }
  }
  return found;
}

/** Every message with parameters that stand for text, with a value for each of the others. */
function listSentences(language: keyof typeof catalogues) {
  return Object.entries(catalogues[language]).flatMap(([key, message]) => {
    const { names, choices } = parametersOf(message);
    const own = [...names].filter((name) => !choices.has(name));
    const most = Math.max(1, ...[...choices.values()].map((cases) => cases.length));
    return own.length === 0
      ? []
      : Array.from({ length: most }, (_, at) => ({
          key: key as TextKey,
          names: own,
          chosen: Object.fromEntries(
            [...choices].map(([name, cases]) => {
              const chosen = cases[at % cases.length] ?? 'other';
              return [name, chosen === 'other' || chosen === 'one' ? (chosen === 'one' ? 1 : 7) : chosen.replace(/^=/, '')];
            }),
          ),
        }));
  });
}

type Sentence = ReturnType<typeof listSentences>[number];

const say = (key: TextKey, values: object): string => (text as (key: TextKey, values: object) => string)(key, values);

/** A name as a sentence may have it: one that nobody sees is written by its numbers, and whatever turns the direction of writing is between marks that keep it to itself. */
const turned = /[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C]|\p{Script=Hebrew}|\p{Script=Arabic}/u;
const shownAs = (name: string): string => (hasNothingToSee(name) ? showHidden(name) : turned.test(name) ? `\u2068${name}\u2069` : name);

/** What is said of words that nothing can mistake, with the names put in their places. */
function expected(sentence: string, names: readonly string[]): string {
  return sentence.replace(/QaZ(\d)QaZ/g, (_, at: string) => shownAs(names[Number(at)] ?? ''));
}

const valuesOf = ({ names, chosen }: Sentence, valueAt: (at: number) => string) => ({
  ...chosen,
  ...Object.fromEntries(names.map((name, at) => [name, valueAt(at)])),
});

const placeholder = (at: number): string => `QaZ${at}QaZ`;

/** The words of elements. */
const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

function checkPlain(sentence: Sentence, names: readonly string[]): void {
  const said = say(
    sentence.key,
    valuesOf(sentence, (at) => names[at] ?? ''),
  );
  expect(said, sentence.key).toBe(expected(say(sentence.key, valuesOf(sentence, placeholder)), names));
}

function checkRich(sentence: Sentence, names: readonly string[]): void {
  const model = say(sentence.key, valuesOf(sentence, placeholder));
  const tags = Object.fromEntries([...model.matchAll(/<([a-z]+)>/g)].map(([, tag = '']) => [tag, (inner: string) => <i>{inner}</i>]));
  const values = valuesOf(sentence, (at) => names[at] ?? '') as never;
  const words = wordsOf(renderToStaticMarkup(<Rich id={sentence.key} values={values} tags={tags} />));
  expect(words, sentence.key).toBe(expected(model.replace(/<\/?[a-z]+>/g, ''), names));
}

describe.each(['en', 'de'] as const)('a name in a sentence of %s', (language) => {
  const sentences = listSentences(language);

  beforeAll(async () => {
    vi.stubGlobal('document', { documentElement: { lang: '' } });
    await loadLanguage([language]);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  it('is asked of the whole catalogue', () => {
    expect(sentences.length).toBeGreaterThan(500);
  });

  it.each(hostile)('stays %j in each', (name) => {
    for (const sentence of sentences) {
      const names = sentence.names.map(() => name);
      checkPlain(sentence, names);
      checkRich(sentence, names);
    }
  });

  it('stays whatever it is', () => {
    const some = fc.tuple(fc.constantFrom(...sentences), fc.array(anyName, { minLength: 9, maxLength: 9 }));
    fc.assert(
      fc.property(some, ([sentence, names]) => {
        checkPlain(sentence, names);
        checkRich(sentence, names);
      }),
      { numRuns: 3000 },
    );
  });
});
