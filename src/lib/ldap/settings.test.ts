import { expect, it } from 'vitest';
import { findTarget } from './connect.ts';
import { findSettingFaults, type LdapSettings } from './settings.ts';

const sound: LdapSettings = {
  ...{ url: 'ldaps://dc.example.com', baseDn: 'dc=example,dc=com', bindDn: 'cn=reader,dc=example,dc=com', ca: '' },
  ...{ userFilter: '(objectClass=person)', groupFilter: '', serviceFilter: '(uid=svc-*)', attributes: ['l'], disabledWhen: ['a=b'] },
};
const faultsOf = (changes: Partial<LdapSettings>): string[] => findSettingFaults({ ...sound, ...changes }).map(({ field }) => field);

it.each([
  [{}, []],
  [{ url: 'ldap://dc.example.com:10389/' }, []],
  [{ url: 'https://dc.example.com' }, ['url']],
  [{ url: 'ldaps://user@dc.example.com' }, ['url']],
  [{ url: 'ldaps://dc.example.com/dc=x' }, ['url']],
  [{ url: '' }, ['url']],
  [{ baseDn: ' ' }, ['baseDn']],
  [{ baseDn: 'example' }, ['baseDn']],
  [{ ca: 'x' }, ['ca']],
  [{ ca: '-----BEGIN PRIVATE KEY-----' }, ['ca']],
  [{ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }, ['ca']],
  [{ userFilter: '(objectClass=person' }, ['userFilter']],
  [{ groupFilter: '(&)(' }, ['groupFilter']],
  [{ serviceFilter: 'x' }, ['serviceFilter']],
  [{ attributes: ['a b'] }, ['attributes']],
  [{ attributes: ['unicodePwd'] }, ['attributes']],
  [{ attributes: Array.from({ length: 51 }, () => 'a') }, ['attributes']],
  [{ disabledWhen: ['status'] }, ['disabledWhen']],
  [{ bindDn: 'x'.repeat(2_001), userFilter: ')' }, ['bindDn', 'userFilter']],
] as const)('finds what is wrong with %j', (changes, fields) => {
  expect(faultsOf(changes as Partial<LdapSettings>)).toEqual(fields);
});

it.each([
  ['ldaps://dc.example.com', '', false],
  ['ldap://dc.example.com', '', true],
  ['ldap://10.0.0.1', '', true],
  ['ldap://localhost.example.com', '', true],
  ['ldap://127.0.0.1', '', false],
  ['ldap://[::1]', '', false],
  ['ldap://localhost', '', false],
  ['ldap://localhost', 'a certificate', true],
])('encrypts before the sign-in: %s %s', (url, ca, startsTls) => {
  expect(findTarget({ ...sound, url, ca }).startsTls).toBe(startsTls);
});
