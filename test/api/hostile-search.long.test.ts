/**
 * Text search finds characters that mean something to a database, a regular expression or a shell: themselves, and nothing else. How words are
 * found is tested in src/foundation/search.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request } from '../support/api.ts';
import { useTestServer, type TestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

/** Names that differ in one character, by that character. */
const marks = ['%', '_', '\\', "'", '"', '*', '.', '$', '(', '[', '|', '&', '~', '\u{1f600}', 'x'];
const nameOf = (mark: string): string => `ma${mark}rk`;
const csv = (cells: readonly string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
const never = [
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  'ma.rk.*|ma',
  '.*',
  '^ma',
  '(ma',
  'ma(?=',
  '%%',
  '__',
  '\\\\',
  '$1',
  '$(ma)',
  'm%rk',
  'm_%rk',
  'ma\\_rk',
  '\u202ekr',
];

/** Searches by what they are sent to, and the field that is looked by. */
const searches: readonly [path: string, field: string][] = [
  ['/api/v1/search/apps', 'query'],
  ['/api/v1/search/apps', 'displayName'],
  ['/api/v1/search/users', 'query'],
  ['/api/v1/search/app_users', 'query'],
  ['/api/v1/search/entitlements', 'query'],
  ['/api/v1/search/entitlements', 'displayName'],
  ['/api/v1/search/app_resource_types', 'query'],
  ['/api/v1/search/app_resources', 'query'],
  ['/api/v1/search/attributes', 'query'],
  ['/api/v1/search/policies', 'query'],
  ['/api/v1/search/policies', 'displayName'],
];

describe('a search for characters that mean something elsewhere', () => {
  let server: TestServer;
  const admin = async (method: string, path: string, body?: unknown): Promise<Loose> => {
    const answer: Answer = await request(server, server.admin, method, path, body);
    expect([path, answer.status, answer.body.message]).toEqual([path, 200, undefined]);
    return answer.body;
  };

  beforeAll(async () => {
    server = await useTestServer();
    const header = 'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at';
    const grants = marks.map((mark) => csv([nameOf(mark), '', 'USER', 'ENABLED', nameOf(mark), nameOf(mark), nameOf(mark), '', '']));
    expect((await sendFile(server, server.admin, '/api/v1/imports/grants?app=Plain', [header, ...grants].join('\n'))).status).toBe(200);
    const people = marks.map((mark, index) => csv([`p${index}@s.example`, nameOf(mark), '', '', '', 'ACTIVE']));
    const peopleHeader = 'email,display_name,manager_email,department,job_title,employment_status';
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', [peopleHeader, ...people].join('\n'))).status).toBe(200);
    const { list } = await admin('GET', '/api/v1/attributes/types');
    for (const mark of marks) {
      await admin('POST', '/api/v1/apps', { displayName: nameOf(mark) });
      await admin('POST', '/api/v1/attributes', { attributeTypeId: list[0].id, value: nameOf(mark) });
      await admin('POST', '/api/v1/policies', {
        displayName: nameOf(mark),
        policyType: 'POLICY_TYPE_CERTIFY',
        policySteps: { certify: { steps: [{ approval: { manager: {} } }] } },
      });
    }
  });
  afterAll(() => server.stop());

  /** The names of this test among what was found. */
  const namesIn = (list: Loose[]): string[] =>
    marks.map(nameOf).filter((name) => list.some((one) => JSON.stringify(one).includes(JSON.stringify(name).slice(1, -1))));

  it.each(searches)('at %s by %s finds them as they are', async (path, field) => {
    const search = async (text: string): Promise<Loose[]> => (await admin('POST', path, { [field]: text, pageSize: 100 })).list;
    // A name is found whole, words anywhere.
    const isWhole = field === 'displayName';
    expect(namesIn(await search('ma'))).toEqual(isWhole ? [] : marks.map(nameOf));
    for (const mark of marks) {
      // Imported entitlements are named after their resource and themselves.
      const whole = isWhole && path.endsWith('entitlements') ? `${nameOf(mark)} ${nameOf(mark)}` : nameOf(mark);
      expect([mark, namesIn(await search(whole))]).toEqual([mark, [nameOf(mark)]]);
      if (isWhole) {
        expect([mark, namesIn(await search(mark))]).toEqual([mark, []]);
        continue;
      }
      expect([mark, namesIn(await search(mark))]).toEqual([
        mark,
        mark === '.' || mark === 'x' ? expect.arrayContaining([nameOf(mark)]) : [nameOf(mark)],
      ]);
    }
    for (const text of never) {
      expect([text, namesIn(await search(text))]).toEqual([text, []]);
    }
  });

  it.each(searches)('at %s by %s refuses what is no text, and takes what is only odd', async (path, field) => {
    for (const text of ['\0', 'a\0b', '\ud800', 'x\udfff']) {
      const { status, body } = await request(server, server.admin, 'POST', path, { [field]: text });
      expect([JSON.stringify(text), status, JSON.stringify(body)]).toEqual([JSON.stringify(text), 400, expect.stringContaining(field)]);
    }
    for (const text of ['\u202e', '\ufeff', '\u200b', '\uffff', '\u0301', ' '.repeat(1000), '\t\n\r', 'İ', 'ß'.repeat(500)]) {
      expect(Array.isArray((await admin('POST', path, { [field]: text })).list)).toBe(true);
    }
  });
});
