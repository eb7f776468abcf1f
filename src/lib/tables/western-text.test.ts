/** Texts in other encodings than UTF-8: western ones come back, all others are refused and not read as names that nobody has. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from './csv.ts';
import { findWesternDoubt, noWeights } from './western-text.ts';

/** The bytes of a text in an encoding that browsers know. */
function encode(text: string, label: string): Buffer {
  const chars = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from([...text].map((char) => (char.charCodeAt(0) < 128 ? char.charCodeAt(0) : chars.indexOf(char))));
}

/** What a DOS window in the west has from 0x80 on, as far as letters go. */
const dos = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº';
const encodeDos = (text: string): Buffer =>
  Buffer.from([...text].map((char) => (char.charCodeAt(0) < 128 ? char.charCodeAt(0) : char === 'ß' ? 0xe1 : 0x80 + dos.indexOf(char))));

async function read(bytes: Buffer): Promise<string[][]> {
  const rows: string[][] = [];
  const source = (async function* () {
    yield bytes;
  })();
  for await (const batch of readCsv(source, { maxRowBytes: 64 * 1024, batchBytes: 64 })) {
    rows.push(...batch.rows);
  }
  return rows;
}

async function refusal(bytes: Buffer): Promise<CsvError> {
  const error = await read(bytes).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(CsvError);
  return error as CsvError;
}

const names = [
  'Müller',
  'Größe',
  'Änne',
  'prénom',
  'Iñigo',
  'Ålesund',
  'naïve',
  'Straße',
  'señor',
  'Côté',
  'œuvre',
  'GRÖSSE',
  'Renée',
  'Þór',
  'Søren',
];
const alone = [
  'à',
  'é',
  'Ø',
  'ö',
  'å',
  '5 ¥',
  'm²',
  '4 × 3',
  '¶',
  '10 ÷ 2',
  '1 µm',
  '±5 °C',
  '« x »',
  '„x“',
  '‚x‘',
  '– x',
  '€5',
  '£7',
  '½',
  'l’eau',
  'col·lecció',
  '¿qué?',
  '§ 7',
  'n° 5',
  '†',
  'x…',
];

describe('a western text', () => {
  it('comes back from Windows-1252, with words of one letter and signs between its words', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 30 }),
        fc.array(fc.constantFrom(...alone), { maxLength: 15 }),
        async (words, signs) => {
          const rows = [['a', 'b'], ...words.map((word, at) => [word, signs[at] ?? 'x'])];
          expect(await read(encode(rows.map((row) => row.join(';')).join('\n'), 'windows-1252'))).toEqual(rows);
        },
      ),
    );
  });

  it.each(alone)('has no other sign than %s', async (sign) => {
    expect(await read(encode(`a;b\n${sign};1\n`, 'windows-1252'))).toEqual([
      ['a', 'b'],
      [sign, '1'],
    ]);
  });

  it('may hold a few odd places', async () => {
    const rows = [...Array.from({ length: 30 }, (_, at) => [`Müller ${at}`, 'x']), ['Mu–oz', '1ä']];
    expect(await read(encode(`a;b\n${rows.map((row) => row.join(';')).join('\n')}`, 'windows-1252'))).toEqual([['a', 'b'], ...rows]);
  });
});

describe('a text in another encoding', () => {
  const texts: readonly (readonly [name: string, bytes: Buffer, word: string])[] = [
    ['a DOS window, German', encodeDos('a;b\nMüller;1\n'), 'ller'],
    ['a DOS window, ö', encodeDos('a;b\nBjörn;1\n'), 'Bj”rn'],
    ['a DOS window, ä', encodeDos('a;b\nJäger;1\n'), 'J„ger'],
    ['a DOS window, French', encodeDos('a;b\nAndré;1\n'), 'Andr‚'],
    ['a DOS window, è', encodeDos('a;b\nHélène;1\n'), 'H‚lŠne'],
    ['a DOS window, capitals', encodeDos('a;b\nÄrzte;1\n'), 'Žrzte'],
    ['a DOS window, Ö', encodeDos('a;b\nÖzil;1\n'), '™zil'],
    ['an old Mac, German', encode('a;b\nMüller;1\n', 'macintosh'), 'MŸller'],
    ['an old Mac, ö', encode('a;b\nKöln;1\n', 'macintosh'), 'Kšln'],
    ['an old Mac, é', encode('a;b\nRené;1\n', 'macintosh'), 'RenŽ'],
    ['an old Mac, ñ', encode('a;b\nMuñoz;1\n', 'macintosh'), 'Mu–oz'],
    ['an old Mac, ß', encode('a;b\nGroße;1\n', 'macintosh'), 'Gro§e'],
    ['Russian', encode('a;b\nПетров;1\n', 'windows-1251'), 'Ïåòðîâ'],
    ['Russian, KOI8-R', encode('a;b\nПетров;1\n', 'koi8-r'), 'ðÅÔÒÏ×'],
    ['Greek', encode('a;b\nΓιώργος;1\n', 'windows-1253'), 'Ãéþñãïò'],
    ['Polish', encode('a;b\nPaweł;1\nŁukasz;2\nWoźniak;3\n', 'windows-1250'), '£ukasz'],
    ['Polish, ISO-8859-2', encode('a;b\nWoźniak;1\nśw;2\n', 'iso-8859-2'), ''],
    ['Czech', encode('a;b\nDvořák;1\nKovářová Šárka;2\nčíž;3\n', 'windows-1250'), ''],
    ['Croatian', encode('a;b\nŠarić;1\nKovačević;2\n', 'windows-1250'), ''],
    ['Turkish', encode('a;b\nYıldız;1\nErdoğan;2\nGüneş;3\n', 'windows-1254'), ''],
    ['the western one with the euro', encode('a;b\ncœur;1\n', 'iso-8859-15'), 'c½ur'],
  ];
  it.each(texts)('is refused with a word and the way out: %s', async (_name, bytes, word) => {
    const { line, message } = await refusal(bytes);
    expect(line).toBeGreaterThan(1);
    expect(message).toContain(word);
    expect(message).toContain('save the file as UTF-8 ("CSV UTF-8" in Excel)');
    // Where the word can be shown, somebody may know better.
    expect(message.includes('pass encoding=windows-1252 if the word is right')).toBe(!message.includes('\ufffd'));
  });

  it('is refused as broken UTF-8 on its line, where it is UTF-8 elsewhere', async () => {
    const good = Buffer.from('a;b\nMüller;1\nRenée;2\nSøren;3\n');
    for (const cut of [Buffer.from([0xc3]), Buffer.from([0xfc]), Buffer.from([0xe2, 0x82])]) {
      const { line, message } = await refusal(Buffer.concat([good, Buffer.from('Bj'), cut, Buffer.from('rn;4\n'), good.subarray(4)]));
      expect([line, message]).toEqual([5, expect.stringContaining('the text is not UTF-8 here: a character is cut off')]);
    }
  });

  it('is refused where it begins, if Windows-1252 came before', async () => {
    const western = encode(`a;b\n${'Müller;1\n'.repeat(40)}`, 'windows-1252');
    const { line } = await refusal(Buffer.concat([western, Buffer.from('Jürgen;2\nRenée;3\nBjörn;4\n')]));
    expect(line).toBeGreaterThanOrEqual(42);
  });

  it.each([
    ['Japanese', [0x82, 0xa0, 0x82, 0xa2, 0x41]],
    ['a control character', [0x4d, 0xfc, 0x6c, 0x01]],
    ['a byte without a character', [0x4d, 0xfc, 0x6c, 0x81]],
    ['a letter behind a digit', [0x31, 0xe4, 0x0a]],
    ['a letter that is no word', [0x0a, 0xe4, 0x0a]],
  ])('is none: %s', (_name, bytes) => {
    expect(findWesternDoubt(Buffer.from(bytes), noWeights())).toBeDefined();
  });
});
