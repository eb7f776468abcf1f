/** A directory of OpenLDAP, fetched. Left out on a machine without slapd. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeGrants, fetchDirectory } from '../../../test/support/fetch-directory.ts';
import { adminDn, baseDn, groupDn, hasSlapd, personDn, type Slapd, startSlapd, writeDirectory } from '../../../test/support/slapd.ts';

const people = 600;
const outside = 'cn=far,dc=other,dc=com';
// A chain of three groups, one that nobody is in but a group, one in circles.
const groups = [
  [personDn(1), personDn(2), outside],
  [groupDn(0), personDn(2)],
  [groupDn(1)],
  [groupDn(2), groupDn(3), `ou=people,${baseDn}`],
];
const special = `dn: uid=robot,ou=people,${baseDn}
objectClass: inetOrgPerson
uid: robot
cn: Robot
sn: Robot
mail: U5@example.com

dn: uid=second,ou=people,${baseDn}
objectClass: inetOrgPerson
uid: second
cn: Sample, Ann
sn: Second
mail: u5@EXAMPLE.com
employeeType: left

dn: cn=posix,ou=groups,${baseDn}
objectClass: posixGroup
cn: posix
gidNumber: 7
memberUid: u3
memberUid: nobody

dn: cn=unique,ou=groups,${baseDn}
objectClass: groupOfUniqueNames
cn: unique
uniqueMember: UID=U4, OU=people,${baseDn}
uniqueMember: ${personDn(5)}#'0101'B
`;

describe.runIf(hasSlapd)('a directory of OpenLDAP', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(`${writeDirectory(people, groups)}\n${special}`, [`limits dn.exact="cn=small,${baseDn}" size=500`]);
  });
  afterAll(() => slapd.close());

  it('becomes people with their managers, and accounts with their groups', async () => {
    const settings = { url: slapd.url, serviceFilter: '(uid=robot)', attributes: ['sn'], disabledWhen: ['employeeType=left'] };
    const { people: persons, grants, facts } = await fetchDirectory(settings);
    // Neither the service account, nor the second account with the address of another.
    expect(persons.length).toBe(people);
    expect(persons[37]).toEqual({
      ...{ email: 'U37@example.com', display_name: 'Person 37', manager_email: 'U3@example.com', department: 'D37', job_title: 'Title 37' },
      ...{ employment_status: 'ACTIVE', employee_id: '100037', username: 'u37', sn: '37' },
    });
    const accounts = grants.filter(({ resource }) => resource === '');
    expect(accounts.length).toBe(people + 3);
    expect(accounts.map(({ account }) => account).filter((key) => /^[0-9a-f-]{36}$/.test(key ?? '')).length).toBe(people + 2);
    expect(accounts.find(({ username }) => username === 'robot')).toMatchObject({
      account_type: 'SERVICE_ACCOUNT',
      account_status: 'ENABLED',
    });
    expect(accounts.find(({ username }) => username === 'second')).toMatchObject({
      account_status: 'DISABLED',
      display_name: 'Sample, Ann',
    });
    expect(accounts.find(({ account }) => account === outside)).toMatchObject({ unresolved: 'true', email: '' });
    expect(describeGrants(grants)).toEqual([
      ...[
        '- g0',
        'u1 g0',
        'u1 g1 group/g0/member',
        'u1 g2 group/g0/member > group/g1/member',
        'u1 g3 group/g0/member > group/g1/member > group/g2/member',
      ],
      ...[
        'u2 g0',
        'u2 g1 group/g0/member',
        'u2 g2 group/g0/member > group/g1/member',
        'u2 g3 group/g0/member > group/g1/member > group/g2/member',
      ],
      ...[`${outside} g0`, `${outside} g1 group/g0/member`, `${outside} g2 group/g0/member > group/g1/member`],
      ...[`${outside} g3 group/g0/member > group/g1/member > group/g2/member`],
      ...['- g1', '[group/g0/member] g1', 'u2 g1', 'u2 g2 group/g1/member', 'u2 g3 group/g1/member > group/g2/member'],
      ...['- g2', '[group/g1/member] g2', '- g3', '[group/g2/member] g3', '[group/g3/member] g3'],
      ...['- posix', 'u3 posix', '- unique', 'u4 unique', 'u5 unique'],
    ]);
    expect(facts).toMatchObject({ incompleteReason: '' });
    expect(facts.warnings).toEqual([
      'Accounts with the address of another account, which became no people of their own: 1.',
      'Members of groups outside the base DN, each an account without an owner (`unresolved`): 1.',
      'Members of groups below the base DN that no filter finds, and that are left out: 1.',
      'Names in `memberUid` that are the user name of no account, and that are left out: 1.',
      'Groups that contain themselves by other groups; the circles are cut: 1.',
    ]);
  });

  it('fails with a limit of size, whatever the pages', async () => {
    const entry = `dn: cn=small,${baseDn}\nobjectClass: person\nobjectClass: simpleSecurityObject\ncn: small\nsn: small\nuserPassword: small\n`;
    const small = await startSlapd(`${writeDirectory(600, [])}\n${entry}`, [
      `limits dn.exact="cn=small,${baseDn}" size=500`,
      'access to * by * read',
    ]);
    try {
      const fetched = fetchDirectory({ url: small.url, bindDn: `cn=small,${baseDn}` }, 'small');
      await expect(fetched).rejects.toMatchObject({ kind: 'REFUSED', message: expect.stringContaining('size=unlimited') });
    } finally {
      await small.close();
    }
  });

  it.each([
    ['a wrong password', {}, 'wrong', 'REFUSED', 'refused the bind DN or its password'],
    ['no password', {}, '', 'REFUSED', 'password of the bind DN is not set'],
    ['a wrong base', { baseDn: 'ou=none,dc=example,dc=com' }, undefined, 'SETTINGS', 'base DN does not exist'],
    ['a wrong filter', { userFilter: '(' }, undefined, 'SETTINGS', 'userFilter is not a filter'],
  ])('fails with %s', async (_, changes, password, kind, words) => {
    const failing = fetchDirectory({ url: slapd.url, ...changes }, password);
    await expect(failing).rejects.toMatchObject({ name: 'FetchFault', kind, message: expect.stringContaining(words) });
    await failing.catch(({ message }) => expect(message).not.toContain('wrong'));
  });

  it('is asked over TLS, from the beginning or by StartTLS, and shows its certificate', async () => {
    const { tlsUrl, url, certificate: ca } = slapd;
    const few = { userFilter: '(uid=u1)', groupFilter: '(cn=g0)' };
    expect((await fetchDirectory({ ...few, url: tlsUrl, ca })).people.length).toBe(1);
    expect((await fetchDirectory({ ...few, url: url.replace('127.0.0.1', 'localhost'), ca })).people.length).toBe(1);
    const untrusted = { kind: 'SETTINGS', message: expect.stringContaining('Set `ca`') };
    await expect(fetchDirectory({ ...few, url: tlsUrl })).rejects.toMatchObject(untrusted);
    // The certificate is for localhost, not for this address.
    await expect(fetchDirectory({ ...few, url: tlsUrl.replace('localhost', '127.0.0.1'), ca })).rejects.toMatchObject(untrusted);
    await expect(fetchDirectory({ ...few, url, ca })).rejects.toMatchObject(untrusted);
  });

  it('is not asked where the operator did not allow it', async () => {
    const rules = { allowed: [], allowsLocal: false };
    const refused = { kind: 'SETTINGS', message: expect.stringContaining('--allow-outbound') };
    await expect(fetchDirectory({ url: slapd.url }, undefined, { rules })).rejects.toMatchObject(refused);
    const port = new URL(slapd.url).port;
    const allowed = { allowed: [`127.0.0.1:${port}`], allowsLocal: false };
    expect((await fetchDirectory({ url: slapd.url, userFilter: '(uid=u1)' }, undefined, { rules: allowed })).people.length).toBe(1);
    // A name leads nowhere that its addresses may not.
    const named = { url: `ldap://localhost:${port}` };
    await expect(fetchDirectory(named, undefined, { rules: { ...allowed, allowed: [`localhost:${port}`] } })).rejects.toMatchObject(
      refused,
    );
  });

  it('is left when the fetch ends, and lost when it dies', async () => {
    const ended = new AbortController();
    const reason = new Error('enough');
    ended.abort(reason);
    await expect(fetchDirectory({ url: slapd.url }, undefined, { signal: ended.signal })).rejects.toBe(reason);
    const dying = await startSlapd(writeDirectory(2_000, []));
    try {
      let lines = 0;
      const openSpool = async () => ({
        append: async () => {
          lines++;
          dying.kill();
        },
        read: async function* () {},
        close: async () => {},
      });
      await expect(fetchDirectory({ url: dying.url }, undefined, { openSpool })).rejects.toMatchObject({ kind: 'UNREACHED' });
      expect(lines).toBeGreaterThan(0);
    } finally {
      await dying.close();
    }
    await expect(fetchDirectory({ url: dying.url })).rejects.toMatchObject({
      kind: 'UNREACHED',
      message: expect.stringContaining('cannot be reached'),
    });
  });

  it('reads without signing in where no bind DN is set', async () => {
    expect((await fetchDirectory({ url: slapd.url, bindDn: '', userFilter: '(uid=u1)' }, '')).people.length).toBe(1);
    expect(adminDn).not.toBe('');
  });
});
