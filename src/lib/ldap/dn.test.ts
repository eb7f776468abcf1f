import { describe, expect, it } from 'vitest';
import { isBelow, normalizeDn } from './dn.ts';

describe('a distinguished name', () => {
  it.each([
    ['CN=Ann,OU=People,DC=example,DC=com', 'cn=ann,ou=people,dc=example,dc=com'],
    ['cn = Ann , ou=People,dc=example, dc=com', 'cn=ann,ou=people,dc=example,dc=com'],
    ['cn=Sample\\, Ann,dc=com', 'cn=sample\\, ann,dc=com'],
    ['cn=Sample\\2C Ann,dc=com', 'cn=sample\\, ann,dc=com'],
    ['cn="Sample, Ann",dc=com', 'cn=sample\\, ann,dc=com'],
    ['cn=J\\C3\\B6rg  Klein,dc=com', 'cn=jörg klein,dc=com'],
    ['cn=Jörg Klein,dc=com', 'cn=jörg klein,dc=com'],
    ['cn=a\\\\b,dc=com', 'cn=a\\\\b,dc=com'],
    ['cn=a#b,dc=com', 'cn=a#b,dc=com'],
    ['', ''],
  ])('%s is %s', (written, wanted) => {
    expect(normalizeDn(written)).toBe(wanted);
    expect(normalizeDn(wanted)).toBe(wanted);
  });

  it('lies below those that it ends with', () => {
    expect([isBelow('ou=a,dc=b', 'dc=b'), isBelow('dc=b', 'dc=b'), isBelow('dc=ab', 'dc=b'), isBelow('x=y', '')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});
