/** Insights about a task, in words: every code that the server can write has a text, and a text asks for nothing that the server does not send. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { changeTexts, insightTexts, peerTexts, sayChange, sayInsight, sayPeers } from './insight-words.ts';
import { loadLanguage } from '~/text/text.ts';
import { changeCodes, insightCodes } from '../../../../../src/governance/tasks/views/insight-codes.ts';

beforeAll(() => void vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterAll(() => void vi.unstubAllGlobals());

const samples: Readonly<Record<string, string>> = {
  person: 'Jonas Sample',
  date: '2026-07-14',
  comment: 'Stands in for Tara.',
  days: '214',
  level: 'High',
  with: '3',
  of: '11',
  title: 'Clerk',
  department: 'Finance',
  departmentWas: 'Shops',
  departmentIs: 'Finance',
  rule: 'Nobody prepares and releases payments',
  through: 'Staff › Payments',
  others: '2',
};

const sampleOf = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (samples[name] === undefined ? [] : [[name, samples[name]]])));

/** True if a sentence is one: no key of the catalogue, no parameter that was not filled in. */
const isSaid = (sentence: string): boolean => sentence !== '' && !/insight\.|[{}]|undefined|NaN|Invalid/.test(sentence);

describe.each(['en', 'de'])('what stands out, in %s', (language) => {
  beforeAll(() => loadLanguage([language]));

  it('has a text for every code that the server can write, and no other', () => {
    expect(Object.keys(insightTexts).sort()).toEqual(Object.keys(insightCodes).sort());
    expect(Object.keys(changeTexts).sort()).toEqual([...changeCodes].sort());
  });

  it.each(Object.entries(insightCodes))('says %s with what the server sends, and where most of it is not known', (code, names) => {
    const said = sayInsight({ code, parameters: sampleOf(names), sentence: 'In English.' });
    expect(isSaid(said), said).toBe(true);
    expect(said).not.toBe('In English.');
    const numbers = Object.fromEntries(
      Object.entries(sampleOf(names)).filter(([name]) =>
        ['days', 'with', 'of', 'others', 'level', 'title', 'department', 'through', 'rule'].includes(name),
      ),
    );
    const bare = sayInsight({ code, parameters: numbers, sentence: 'In English.' });
    expect(isSaid(bare), bare).toBe(true);
  });

  it.each(changeCodes)('says that %s changed, also from nothing', (code) => {
    expect(isSaid(sayChange({ code, was: 'a', is: 'b' }))).toBe(true);
    expect(isSaid(sayChange({ code, was: '', is: 'b' }))).toBe(true);
  });

  it.each(Object.keys(peerTexts))('compares by %s', (by) => {
    const said = sayPeers({ by, with: '3', of: '11', title: 'Clerk', department: 'Finance' }) ?? '';
    expect(isSaid(said), said).toBe(true);
    expect(said).toMatch(/3\D+11/);
  });
});

describe('an insight', () => {
  beforeAll(() => loadLanguage(['de']));

  it('is said in the language of the reader, with its numbers, names and comment', () => {
    const parameters = { person: 'Elif Sample', date: '2026-07-14', comment: 'Payroll is done by the clerks.' };
    expect(sayInsight({ code: 'DENIED_BEFORE', parameters, sentence: '' })).toBe(
      'Abgelehnt von Elif Sample am 14. Juli 2026 und immer noch da. „Payroll is done by the clerks.“',
    );
    expect(sayInsight({ code: 'DORMANT', parameters: { days: '1214' }, sentence: '' })).toBe('Seit 1.214 Tagen nicht benutzt.');
    expect(sayInsight({ code: 'MOVER', parameters: { titleWas: 'Clerk', titleIs: 'Controller' }, sentence: '' })).toBe(
      'Die Person hat seit der letzten Prüfung gewechselt. Stelle war Clerk, jetzt Controller.',
    );
    expect(sayChange({ code: 'ACCOUNT_STATUS', was: 'ENABLED', is: 'DISABLED' })).toBe('Kontostatus war aktiv, jetzt gesperrt.');
  });

  it('is said as the server says it where its code is of a later release', () => {
    expect(sayInsight({ code: 'FULL_MOON', parameters: {}, sentence: 'The moon was full.' })).toBe('The moon was full.');
    expect(sayInsight({ code: '', parameters: {}, sentence: 'The moon was full.' })).toBe('The moon was full.');
    expect([sayChange({ code: 'SHOE_SIZE', was: '42', is: '43' }), sayPeers({ by: 'MOON', with: '1', of: '2' }), sayPeers({})]).toEqual([
      '',
      undefined,
      undefined,
    ]);
  });
});
