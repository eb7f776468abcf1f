/** Names that one of a kind has: distinguished whatever the spaces around them and the way their accents are written, and but for apps the case. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Loose, request, violatedFields } from '../support/api.ts';
import { type ServedTenant, useTestServer, type TestServer } from '../support/server.ts';

const composed = 'R\u00c9SEAU \u0421\u0415\u0422\u042c';
const decomposed = '  re\u0301seau \u0441\u0435\u0442\u044c ';
const without = 'Reseau \u0421\u0415\u0422\u042c';

describe('names', () => {
  let server: TestServer;
  let other: ServedTenant;
  let appId: string;
  const admin = (method: string, path: string, body?: unknown): Promise<Answer> => request(server, server.admin, method, path, body);
  const types = (): string => `/api/v1/apps/${appId}/resource_types`;

  /** Every kind with its own names: how it is made, renamed where it can be, and deleted. */
  const kinds: {
    kind: string;
    /** True if names in another case are others. */
    isCased?: true;
    /** Status of making one whose name is taken: 200 where it answers that one. */
    taken: number;
    longest: number;
    field: string;
    make: (name: string) => Promise<Answer>;
    idOf: (body: Loose) => string;
    rename?: (id: string, name: string) => Promise<Answer>;
    remove: (id: string) => Promise<Answer>;
  }[] = [
    {
      kind: 'an app',
      isCased: true,
      taken: 409,
      longest: 200,
      field: 'displayName',
      make: (displayName) => admin('POST', '/api/v1/apps', { displayName }),
      idOf: (body) => body.app.id,
      rename: (id, displayName) => admin('POST', `/api/v1/apps/${id}`, { app: { displayName } }),
      remove: (id) => admin('DELETE', `/api/v1/apps/${id}`),
    },
    {
      kind: 'a resource type',
      taken: 200,
      longest: 200,
      field: 'displayName',
      make: (displayName) => admin('POST', types(), { displayName }),
      idOf: (body) => body.appResourceType.id,
      rename: (id, displayName) => admin('POST', `${types()}/${id}`, { appResourceType: { displayName } }),
      remove: (id) => admin('DELETE', `${types()}/${id}`),
    },
    ...['risk_levels', 'compliance_frameworks'].map((path) => ({
      kind: `a value of ${path}`,
      taken: 409,
      longest: 200,
      field: 'value',
      make: (value: string) => admin('POST', `/api/v1/attributes/${path}`, { value }),
      idOf: (body: Loose) => body.value.id,
      remove: (id: string) => admin('DELETE', `/api/v1/attributes/${path}/${id}`),
    })),
  ];

  beforeAll(async () => {
    server = await useTestServer();
    other = await server.makeTenant('other');
    appId = (await admin('POST', '/api/v1/apps', { displayName: 'Around' })).body.app.id;
  });
  afterAll(() => server.stop());

  describe.each(kinds)('of $kind', ({ make, idOf, rename, remove, longest, field, isCased = false, taken: status }) => {
    const spelled = isCased ? `  ${composed.normalize('NFD')} ` : decomposed;

    it('are taken in every spelling, and free again once it is deleted', async () => {
      const made = await make(composed);
      expect(made.status).toBe(200);
      for (const taken of [composed, spelled, ...(isCased ? [] : [composed.toLowerCase()])]) {
        const second = await make(taken);
        expect([taken, second.status]).toEqual([taken, status]);
        expect(status === 200 ? idOf(second.body) : idOf(made.body)).toBe(idOf(made.body));
      }
      // Another letter is another name.
      const near = await make(without);
      expect(near.status).toBe(200);
      if (rename !== undefined) {
        expect((await rename(idOf(near.body), spelled)).status).toBe(409);
        // Its own name in another spelling is not another's.
        expect((await rename(idOf(near.body), without.toUpperCase())).status).toBe(200);
      }
      expect((await remove(idOf(made.body))).status).toBe(200);
      const again = await make(spelled);
      expect(again.status).toBe(200);
      expect(JSON.stringify(again.body)).toContain(JSON.stringify(spelled.trim()).slice(1, -1));
    });

    it('are neither empty nor too long, and the same with more white space between their words', async () => {
      for (const wrong of ['', '  ', 'x'.repeat(longest + 1)]) {
        const answer = await make(wrong);
        expect([wrong.length, answer.status, violatedFields(answer)]).toEqual([wrong.length, 400, [field]]);
      }
      expect((await make('x'.repeat(longest))).status).toBe(200);
      expect((await make('a  b')).status).toBe(200);
      expect((await make('a\u00a0b')).status).toBe(status);
    });

    it('are one of many who want it at once', async () => {
      const cased = ['Race', ' Race', 'Race\u00a0', '\ufeffRace', 'Race'];
      const racing = await Promise.all((isCased ? cased : ['Race', 'RACE', ' race', 'rAcE ', 'Race']).map(make));
      expect(racing.map((answer) => answer.status).sort()).toEqual([200, ...Array(4).fill(status)]);
      expect(new Set(racing.filter((answer) => answer.status === 200).map(({ body }) => idOf(body))).size).toBe(1);
    });
  });

  it('are quoted with what nobody sees in them written by its number', async () => {
    expect((await admin('POST', '/api/v1/apps', { displayName: 'Hid\u200bden' })).status).toBe(200);
    const { status, body } = await admin('POST', '/api/v1/apps', { displayName: 'Hid\u200bden' });
    expect([status, body.message]).toEqual([409, 'There is an app named "HidU+200Bden" already.']);
  });

  it('of apps in another case are of other apps, which stand among those that look the same', async () => {
    const [upper, lower] = [
      await admin('POST', '/api/v1/apps', { displayName: 'CASED' }),
      await admin('POST', '/api/v1/apps', { displayName: 'Cased' }),
    ];
    expect([upper.status, lower.status]).toEqual([200, 200]);
    const { list } = (await admin('GET', '/api/v1/identity/look_alikes?page_size=100')).body;
    const names = list.filter(({ kind }: Loose) => kind === 'LOOK_ALIKE_KIND_APP').map((one: Loose) => [one.count, one.names]);
    expect(names).toContainEqual(['2', ['"CASED"', '"Cased"']]);
    const found = (await admin('POST', '/api/v1/search/apps', { displayName: 'cased' })).body.list;
    expect(found.map(({ displayName }: Loose) => displayName)).toEqual(['CASED', 'Cased']);
  });

  it('are of one tenant, and of types of one app', async () => {
    const ask = (path: string, body: object) => request(other, other.admin, 'POST', path, body);
    expect((await ask('/api/v1/apps', { displayName: composed })).status).toBe(200);
    expect((await ask('/api/v1/attributes/risk_levels', { value: composed })).status).toBe(200);
    const { app } = (await admin('POST', '/api/v1/apps', { displayName: 'Beside' })).body;
    expect((await admin('POST', `/api/v1/apps/${app.id}/resource_types`, { displayName: composed })).status).toBe(200);
    // A risk level and a framework are not confused.
    for (const path of ['risk_levels', 'compliance_frameworks']) {
      expect((await admin('POST', `/api/v1/attributes/${path}`, { value: 'Of both' })).status).toBe(200);
    }
  });
});
