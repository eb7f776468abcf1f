/** Encodings by their bytes: western texts come back, other alphabets and files that are no text are not taken for one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNearName } from '../names/near-name.ts';
import { decodeWestern, findUtf16, looksWestern } from './text-encoding.ts';

const word = fc.constantFrom(
  'Müller',
  'Größe',
  'Änne',
  'prénom',
  'Iñigo',
  'Ålesund',
  'naïve',
  'Sample',
  'Straße',
  'señor',
  'Côté',
  'œuvre',
);

describe('encodings', () => {
  it('know a western text in Windows-1252 and give it back', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        const text = `é;Müller\n${words.join(';')}\n– „x“ €5\n`.replace('é;', 'né;');
        const encode: Record<string, number> = { '–': 0x96, '„': 0x84, '“': 0x93, '€': 0x80, œ: 0x9c };
        const bytes = Buffer.from([...text].map((char) => encode[char] ?? char.charCodeAt(0)));
        expect(looksWestern(bytes)).toBe(true);
        expect(decodeWestern(bytes)).toBe(text);
      }),
    );
  });

  it.each([
    ['Russian', [0xcf, 0xe5, 0xf2, 0xf0, 0xee, 0xe2, 0x3b, 0x31]],
    ['Polish', [0x4b, 0x61, 0x73, 0x69, 0xb1, 0x3b, 0xb3]],
    ['Japanese', [0x82, 0xa0, 0x82, 0xa2, 0x41]],
    ['a control character', [0x4d, 0xfc, 0x6c, 0x01]],
    ['a byte without a character', [0x4d, 0xfc, 0x6c, 0x81]],
    ['a letter alone', [0x31, 0xe4, 0x0a]],
  ])('do not take %s for one', (_name, bytes) => {
    expect(looksWestern(Buffer.from(bytes))).toBe(false);
  });

  it('know UTF-16 in either order, and never take UTF-8 for it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ';', '\n', '7', 'é'), minLength: 12 });
    fc.assert(
      fc.property(text, fc.boolean(), (one, hasMark) => {
        const bytes = Buffer.from(`${hasMark ? '\ufeff' : ''}header;${one}`, 'utf16le');
        expect(findUtf16(bytes)).toBe('UTF-16LE');
        expect(findUtf16(Buffer.from(bytes).swap16())).toBe('UTF-16BE');
        expect(findUtf16(Buffer.from(`${hasMark ? '\ufeff' : ''}header;${one}`))).toBeUndefined();
      }),
    );
  });
});

describe('names', () => {
  it.each([
    ['Slak', 'Slack', true],
    ['slack', 'Slack!', true],
    ['Salesfroce', 'Salesforce', true],
    ['Jira', 'Jura', true],
    ['CRM', 'CMS', false],
    ['Slack', 'Stack Overflow', false],
    ['GitHub', 'GitLab', false],
  ])('%s and %s: near is %s', (a, b, isNear) => {
    expect([isNearName(a, b), isNearName(b, a)]).toEqual([isNear, isNear]);
  });
});
