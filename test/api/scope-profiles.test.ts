/** Grants the access profiles of a scope keep, over HTTP: every way to name them, and who is covered by one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Company, startCompany } from '../support/small-company.ts';

describe('a filter of access profiles', () => {
  let company: Company;
  const profiles: Record<string, string> = {};
  beforeAll(async () => {
    company = await startCompany();
    const { appId, ids, call } = company;
    // Ann alone holds grp and rep; rep is also held by an unowned account. Cyn, who is disabled, holds sub as Ann does.
    for (const [name, given] of Object.entries({ crew: ['grp', 'rep'], rep: ['rep'], sub: ['sub'], none: ['grp', 'rep', 'app'] })) {
      const made = await call('POST', '/api/v1/catalogs', { displayName: name });
      profiles[name] = made.requestCatalogView.requestCatalog.id;
      const appEntitlements = given.map((one) => ({ appId, id: ids[one] }));
      await call('POST', `/api/v1/catalogs/${profiles[name]}/requestable_entries`, { appEntitlements });
    }
    await call('DELETE', `/api/v1/catalogs/${profiles.none}`);
  });
  afterAll(() => company.server.stop());

  const all = ['a1 grp', 'a1 pay', 'a1 rep', 'a1 sub', 'a2 pay', 'a3 sub', 's1 rep'];
  const without = (...left: string[]) => all.filter((one) => !left.includes(one));
  const cases: [string, { type?: string; included?: string[]; excluded?: string[] }, string[]][] = [
    ['INCLUDE_ALL keeps all', { type: 'INCLUDE_ALL' }, all],
    ['EXCLUDE_ALL keeps what none covers', { type: 'EXCLUDE_ALL' }, ['a1 pay', 'a2 pay', 's1 rep']],
    ['INCLUDE_SPECIFIC keeps what one covers', { type: 'INCLUDE_SPECIFIC', included: ['crew'] }, ['a1 grp', 'a1 rep']],
    [
      'INCLUDE_SPECIFIC of two keeps what either covers',
      { type: 'INCLUDE_SPECIFIC', included: ['rep', 'sub'] },
      ['a1 rep', 'a1 sub', 'a3 sub'],
    ],
    ['EXCLUDE_SPECIFIC keeps what none of them covers', { type: 'EXCLUDE_SPECIFIC', excluded: ['crew'] }, without('a1 grp', 'a1 rep')],
    ['people who are disabled are covered too', { type: 'EXCLUDE_SPECIFIC', excluded: ['sub'] }, without('a1 sub', 'a3 sub')],
    ['no type and one list: that list', { included: ['rep'] }, ['a1 rep']],
    ['no type and both lists: both', { type: 'UNSPECIFIED', included: ['crew'], excluded: ['rep'] }, ['a1 grp']],
  ];
  it.each(cases)('%s', async (_name, { type, included = [], excluded = [] }, items) => {
    const filter = {
      ...(type === undefined ? {} : { filterType: `ACCESS_PROFILE_FILTER_TYPE_${type}` }),
      includedAccessProfileIds: included.map((name) => profiles[name]),
      excludedAccessProfileIds: excluded.map((name) => profiles[name]),
    };
    const id = await company.draft({
      singleApp: { appId: company.appId },
      scopeV2: { grantsByCriteria: { accessProfileFilter: filter, daysSinceAdded: '0' } },
    });
    expect((await company.preview(id)).items).toBe(String(items.length));
    await company.act(id, 'prepare', 'REVIEW');
    expect(company.itemsOf((await company.selections(id)).list)).toEqual(items);
  });
});
