/** Encodings by their bytes: UTF-16 in either order, and texts that were encoded twice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNearName } from '../names/near-name.ts';
import { findTwiceEncoded, findUtf16 } from './text-encoding.ts';

describe('encodings', () => {
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

describe('texts that were encoded twice', () => {
  it.each(['Müller', 'Größe', 'Renée', 'Muñoz', 'L’Oréal', 'Ångström', 'à', 'Straße', '– “x”'])('are known: %s', (name) => {
    const twice = new TextDecoder('windows-1252').decode(Buffer.from(name));
    expect(findTwiceEncoded(`1;${twice};2`)).toMatchObject({ word: expect.stringMatching(/[ÃÂâ]/) });
    expect(findTwiceEncoded(`1;${name};2`)).toBeUndefined();
  });
  it('are no words in capitals, nor marks behind one', () => {
    expect(['SÃO PAULO', 'Ângela', 'crâne', 'MÃE', 'pâté', 'Ã; x'].map(findTwiceEncoded)).toEqual(Array(6).fill(undefined));
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
