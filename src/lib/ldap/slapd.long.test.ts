/** A directory of 20,000 people, 300 groups in each other and one group of 5,000. Left out without slapd. How long it takes is in bench/sources/directory.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchDirectory } from '../../../test/support/fetch-directory.ts';
import { groupDn, hasSlapd, personDn, type Slapd, startSlapd, writeDirectory } from '../../../test/support/slapd.ts';

const people = 20_000;
const groupCount = 300;

/** Group 0 has 5,000 people; each other has 60, and lies in the one of half its number. */
const groups = Array.from({ length: groupCount }, (_, group) => {
  const members = Array.from({ length: group === 0 ? 5_000 : 60 }, (_none, n) => personDn((group * 61 + n) % people));
  return [...members, ...[2 * group + 1, 2 * group + 2].filter((inner) => inner < groupCount).map(groupDn)];
});

describe.runIf(hasSlapd)('a large directory', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(writeDirectory(people, groups));
  });
  afterAll(() => slapd.close());

  it('is fetched whole', async () => {
    const { people: persons, grants, facts } = await fetchDirectory({ url: slapd.url });
    expect(persons.length).toBe(people);
    expect(facts.warnings).toEqual([]);
    const direct = grants.filter(({ account, resource, granted_via: via }) => account !== '' && resource !== '' && via === '');
    expect(direct.length).toBe(5_000 + 60 * (groupCount - 1));
    expect(grants.filter(({ linked_from: link }) => link !== '').length).toBe(groupCount - 1);
    // Whoever is in a group is in all above it: the depth of group n is the number of halvings to 0.
    const depth = (group: number): number => (group === 0 ? 0 : 1 + depth(Math.floor((group - 1) / 2)));
    const inherited = grants.filter(({ granted_via: via }) => via !== '').length;
    expect(inherited).toBe(groups.reduce((sum, _, group) => sum + depth(group) * 60, 0));
  });
});
