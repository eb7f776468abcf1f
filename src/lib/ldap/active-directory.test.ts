/** Ways of Active Directory that differ, and answers that are no success: against a small server of ours, as slapd does none of these. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  type FakeAnswer,
  type FakeDirectory,
  type FakeEntry,
  type FakeQuery,
  startFakeDirectory,
  tlv,
} from '../../../test/support/fake-directory.ts';
import { describeGrants, fetchDirectory } from '../../../test/support/fetch-directory.ts';
import { baseDn } from '../../../test/support/slapd.ts';

let directory: FakeDirectory | undefined;
afterEach(() => directory?.close());

const personDn = (name: string): string => `CN=${name},OU=Staff,${baseDn}`;
const groupDn = (name: string): string => `CN=${name},OU=Groups,${baseDn}`;
const sid = (last: number): Buffer => {
  const bytes = Buffer.from('010500000000000515000000010000000200000003000000f4010000', 'hex');
  bytes.writeUInt32LE(last, 24);
  return bytes;
};
const person = (name: string, more: Readonly<Record<string, string>> = {}): FakeEntry => ({
  ...{
    dn: personDn(name),
    sAMAccountName: name,
    userPrincipalName: `${name}@example.com`,
    objectSid: [sid(500)],
    userAccountControl: '512',
  },
  ...more,
});

/** Answers the searches of a fetch: people, groups, and what is counted again. */
const company =
  (people: readonly FakeEntry[], groups: readonly FakeEntry[], special: (query: FakeQuery) => FakeAnswer | undefined = () => undefined) =>
  (query: FakeQuery): FakeAnswer => {
    const given = special(query);
    const isGroups = query.filter.includes('(objectclass=group)');
    return given ?? { entries: isGroups ? groups : query.filter.includes('person') ? people : [] };
  };
const isPeople = ({ filter, attributes }: FakeQuery): boolean => filter.includes('person') && attributes.length > 1;
const fetchFrom = async (answer: (query: FakeQuery) => FakeAnswer) => {
  directory = await startFakeDirectory(answer);
  return fetchDirectory({ url: directory.url });
};

describe('Active Directory', () => {
  it('says who is disabled, and what became of the last sign-in', async () => {
    const past = '133800000000000000';
    const people = [
      person('flag', { userAccountControl: '514' }),
      person('expired', { accountExpires: past }),
      person('zero', { userAccountControl: '0', lastLogonTimestamp: past, whenCreated: '20200101000000.0Z' }),
    ];
    const { people: rows, grants, facts } = await fetchFrom(company(people, []));
    expect(grants.map(({ account_status: status }) => status)).toEqual(['DISABLED', 'DISABLED', 'ENABLED']);
    expect(rows.map(({ employment_status: status }) => status)).toEqual(['TERMINATED', 'TERMINATED', 'ACTIVE']);
    expect(grants[2]).toMatchObject({
      account_used_at: '2024-12-30T02:40:00Z',
      account_created_at: '2020-01-01T00:00:00Z',
      email: 'zero@example.com',
    });
    expect(facts.warnings).toContainEqual(expect.stringContaining('lags up to 14 days'));
    // Else the other parts of its forest would be referred to, below each domain.
    expect(directory?.queries.every(({ isDomainScoped }) => isDomainScoped)).toBe(true);
  });

  it('gives a group of 5,000 in ranges, and all are read', async () => {
    const people = Array.from({ length: 5_000 }, (_, n) => person(`p${n}`));
    const names = people.map(({ dn }) => dn);
    const part = (from: number): FakeEntry => {
      const to = Math.min(from + 1_499, names.length - 1);
      const name = `member;range=${from}-${to === names.length - 1 ? '*' : to}`;
      return { dn: groupDn('big'), cn: 'big', [name]: names.slice(from, to + 1) };
    };
    const special = ({ base, attributes }: FakeQuery) =>
      base === groupDn('big') ? { entries: [part(Number(/range=(\d+)/.exec(attributes[0] ?? '')?.[1]))] } : undefined;
    const { grants } = await fetchFrom(company(people, [{ ...part(0), member: [] }], special));
    const held = grants.filter(({ account, resource }) => account !== '' && resource !== '');
    expect(held.length).toBe(5_000);
    expect(new Set(held.map(({ account }) => account)).size).toBe(5_000);
  });

  it('fails where a range does not go on', async () => {
    const group = { dn: groupDn('big'), 'member;range=0-1': [personDn('a'), personDn('b')] };
    const special = ({ base }: FakeQuery) => (base === groupDn('big') ? { entries: [{ ...group, dn: groupDn('big') }] } : undefined);
    await expect(fetchFrom(company([person('a')], [group], special))).rejects.toThrow('did not give those from number 2 on');
  });

  it('cuts groups that contain each other, and knows the primary group', async () => {
    const groups = [
      { dn: groupDn('A'), cn: 'A', objectGUID: [Buffer.alloc(16, 1)], member: [personDn('ann'), groupDn('B')] },
      { dn: groupDn('B'), cn: 'B', objectGUID: [Buffer.alloc(16, 2)], member: [groupDn('A')] },
      { dn: groupDn('Users'), cn: 'Users', objectGUID: [Buffer.alloc(16, 3)], objectSid: [sid(513)] },
    ];
    const { grants, facts } = await fetchFrom(company([person('ann', { primaryGroupID: '513' })], groups));
    expect(describeGrants(grants)).toEqual([
      ...['- A', '[group/B/member] A', 'ann A', 'ann B group/A/member', '- B', '[group/A/member] B', '- Users', 'ann Users'],
    ]);
    expect(facts.warnings).toContainEqual(expect.stringContaining('the circles are cut: 2.'));
  });
});

describe('a directory is read whole or not at all', () => {
  it('goes on behind a page without entries', async () => {
    const pages: Readonly<Record<string, FakeAnswer>> = {
      '': { entries: [person('a')], cookie: 'one' },
      one: { entries: [], cookie: 'two' },
      two: { entries: [person('b')], cookie: '' },
    };
    const { people } = await fetchFrom(
      company([], [], ({ filter, cookie }) => (filter.includes('person') ? pages[cookie ?? ''] : undefined)),
    );
    expect(people.map(({ username }) => username)).toEqual(['a', 'b']);
  });

  it.each([
    ['a limit of time', { code: 3 }, 'limit of time'],
    ['a limit of size', { code: 4 }, 'size=unlimited'],
    ['a limit of the administrator', { code: 11 }, 'limit of its administrator'],
    ['a referral', { code: 10 }, 'refers to another server'],
    ['a reference', { references: ['ldap://other.example.com/dc=x'] }, 'ldap://other.example.com'],
    ['no control', { cookie: null }, 'does not support paged results'],
    ['another result', { code: 80 }, 'result 80. The server says: said so'],
    ['a closed connection', { closes: true }, 'lost before everything was read'],
    ['an answer that is cut', { raw: Buffer.from([0x30, 0x20, 0x02, 0x01]), closes: false }, 'lost before everything was read'],
    [
      'an entry with a wrong length',
      { raw: tlv(0x30, tlv(0x02, Buffer.from([3])), tlv(0x64, tlv(0x04, 'cn=a'), Buffer.from([0x30, 0x7f]))) },
      'no LDAP',
    ],
    ['bytes of another protocol', { raw: Buffer.from('HTTP/1.1 400 Bad Request\r\n') }, 'no LDAP'],
    ['a message without an end', { raw: Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]) }, 'no LDAP'],
    [
      'a result for another request',
      { raw: tlv(0x30, tlv(0x02, Buffer.from([99])), tlv(0x65, tlv(0x0a, Buffer.from([0])), tlv(0x04), tlv(0x04))) },
      'another question',
    ],
  ])('fails by %s', async (name, wrong: FakeAnswer, words) => {
    directory = await startFakeDirectory(company([], [], (query) => (isPeople(query) ? { entries: [person('a')], ...wrong } : undefined)));
    const { url, close } = directory;
    if (name === 'an answer that is cut') {
      setTimeout(() => void close(), 100);
    }
    await expect(fetchDirectory({ url })).rejects.toThrow(words);
  });

  it.each([
    [100, 101, false],
    [100, 102, true],
    [100, 98, true],
  ])('compares what was read with a second count: %i, then %i', async (before, after, fails) => {
    const people = (count: number) => ({ entries: Array.from({ length: count }, (_, n) => person(`p${n}`)) });
    const answer = company([], [], (query) => (query.filter.includes('person') ? people(isPeople(query) ? before : after) : undefined));
    const fetched = fetchFrom(answer);
    await (fails ? expect(fetched).rejects.toThrow('The directory was changed while it was read') : fetched);
  });
});
