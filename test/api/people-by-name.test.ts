/** People by their names over HTTP: in every size of page, under every filter, and in the order that a reader expects of names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type TestServer, useTestServer } from '../support/server.ts';
import { sendFile } from '../support/world.ts';

/** As they are to stand; a row has a name, or an address alone. */
const ordered = [
  "'); DROP TABLE users; --",
  '007',
  '42',
  '1234567890123',
  '<b>Bold</b>',
  '__proto__',
  'anna Sample',
  'Ánna Sample',
  'Anna Sample',
  'Anna Sample 2',
  'Anna Sample 10',
  'constructor',
  'Öhm',
  'Ørsted',
  'Oz',
  'ßample',
  'Zoë Sample',
  'zoe.address@x.example',
];

describe('people by name', () => {
  let server: TestServer;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const page = async (body: object): Promise<{ names: string[]; next: string }> => {
    const answer = await admin('POST', '/api/v1/search/users', { sort: 'NAME', ...body });
    expect([body, answer.status]).toEqual([body, 200]);
    return {
      names: answer.body.list.map(({ user }: Loose) => user.displayName || user.email),
      next: answer.body.nextPageToken,
    };
  };
  const all = async (body: object): Promise<string[]> => {
    const names: string[] = [];
    for (let pageToken = ''; ; ) {
      const read = await page({ ...body, pageToken });
      names.push(...read.names);
      if (read.next === '') {
        return names;
      }
      pageToken = read.next;
    }
  };
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

  beforeAll(async () => {
    server = await useTestServer();
    const hostile = ordered.map((name, at) => (name.includes('@') ? `${name},,Odd` : `odd${at}@x.example,${quoted(name)},Odd`));
    // As many as need several pages, of which the first by id is not the first by name.
    const crowd = Array.from({ length: 230 }, (_, at) => `crowd${at}@x.example,Crowd ${(at * 97) % 230},Many`);
    const file = ['email,display_name,department', ...hostile.toReversed(), ...crowd].join('\n');
    expect((await sendFile(server, server.admin, '/api/v1/imports/people', file)).status).toBe(200);
  });
  afterAll(() => server.stop());

  const crowd = Array.from({ length: 230 }, (_, at) => `Crowd ${at}`);

  it.each([10, 100, 500])('come in pages of %d', async (pageSize) => {
    expect(await all({ departments: ['Many'], pageSize })).toEqual(crowd);
  });

  it('have an order whatever is in their names', async () => {
    const found = await all({ departments: ['Odd'], pageSize: 10 });
    // Those that fold alike stand side by side, by their ids.
    const alike = (name: string): string => (/^[AaÁ]nna Sample$/.test(name) ? 'anna sample' : name);
    expect(found.map(alike)).toEqual(
      [...ordered].map(alike).toSorted((a, b) => ordered.map(alike).indexOf(a) - ordered.map(alike).indexOf(b)),
    );
    expect(found.toSorted()).toEqual([...ordered].toSorted());
  });

  it('are found by a text that many have, and by one that few have', async () => {
    expect(await all({ query: 'crowd', pageSize: 50 })).toEqual(crowd);
    expect(await all({ query: 'Sample, Anna', pageSize: 10 })).toEqual(expect.arrayContaining(['Anna Sample 2', 'Anna Sample 10']));
  });

  it('stand in the order of ids where nobody asks for another', async () => {
    const { body } = await admin('POST', '/api/v1/search/users', { pageSize: 500 });
    const ids = body.list.map(({ user }: Loose) => user.id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('have page tokens of their own', async () => {
    const { next } = await page({ pageSize: 10 });
    expect(violatedFields(await admin('POST', '/api/v1/search/users', { pageSize: 10, pageToken: next }))).toEqual(['page_token']);
    expect((await admin('POST', '/api/v1/search/users', { sort: 'SIZE' })).status).toBe(400);
  });
});
