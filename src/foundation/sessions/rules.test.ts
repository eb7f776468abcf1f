/** The rules of sessions that need no database: when one is over, who may have one, what it gives, whom an address proves, how often. */
import { describe, expect, it } from 'vitest';
import { limitsOf, sessionRoles, whyRefused } from './session/admit.ts';
import { sessionEnds, usualLimits, whyOver } from './session/limits.ts';
import { hasClaims, isStillLinked, whyUnproven } from './sign-in/recognize.ts';
import { hashSecret, isSecret, makeSecret, matchesDigest } from './session/token.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('a session', () => {
  const times = (lastUsed: number) => ({ boundAt: at(0), lastUsedAt: at(lastUsed) });
  it.each([
    [0, 1_799, undefined],
    [0, 1_800, 'idle'],
    [1_000, 2_799, undefined],
    [1_000, 2_800, 'idle'],
    [43_000, 43_199, undefined],
    [43_000, 43_200, 'expired'],
    [0, 50_000, 'expired'],
  ] as const)('used last after %i s is, after %i s: %s', (lastUsed, now, why) => {
    expect(whyOver(times(lastUsed), usualLimits, at(now))).toBe(why);
  });
  it('ends idle at the latest when it ends anyway', () => {
    expect(sessionEnds(times(43_000), usualLimits)).toEqual({ expiresAt: at(43_200), idleExpiresAt: at(43_200) });
    expect(sessionEnds(times(60), usualLimits)).toEqual({ expiresAt: at(43_200), idleExpiresAt: at(1_860) });
  });
  it('never lives longer than the tenant lets tokens live', () => {
    expect(limitsOf(undefined, {})).toEqual(usualLimits);
    expect(limitsOf(undefined, { maxSessionLength: '600s' })).toEqual({ idleSeconds: 1_800, lengthSeconds: 600 });
    expect(limitsOf({ idleSeconds: 60, lengthSeconds: 90 }, { maxSessionLength: '600s' })).toEqual({ idleSeconds: 60, lengthSeconds: 90 });
  });
});

describe('a person', () => {
  const superAdministrator = '000000000SuperAdministrator';
  const standing = { userStatus: 'ENABLED', userType: 'HUMAN', roleIds: [], issuerId: '', issuedAllowed: false, settings: {} };
  const only = (source: string) => ({ [source]: { enabled: true, sourceCidr: ['192.0.2.0/24'] } });
  it.each([
    [{}, undefined],
    [{ userStatus: 'DISABLED' }, 'disabled'],
    [{ userStatus: 'DELETED' }, 'disabled'],
    [{ userType: 'SERVICE' }, 'not_a_person'],
    [{ issuerId: 'x' }, 'issued'],
    [{ issuerId: 'x', issuedAllowed: true }, undefined],
    [{ settings: only('ssoUserSource') }, 'address'],
    [{ settings: only('ssoAdminSource') }, undefined],
    [{ settings: only('ssoAdminSource'), roleIds: [superAdministrator] }, 'address'],
    [{ settings: only('ssoUserSource'), roleIds: [superAdministrator] }, undefined],
    [{ settings: only('pccUserSource') }, undefined],
  ] as const)('who is %j is refused by %s', (change, why) => {
    expect(whyRefused({ ...standing, ...change }, '198.51.100.1')).toBe(why);
  });
  it('may come from where the settings allow', () => {
    expect(whyRefused({ ...standing, settings: only('ssoUserSource') }, '192.0.2.7')).toBeUndefined();
  });
  it('has all their roles, or what may be issued where somebody else let them in', () => {
    expect([...sessionRoles([superAdministrator], '')].sort()).toEqual(['BASIC_USER', 'SUPER_ADMINISTRATOR']);
    expect([...sessionRoles([superAdministrator], 'issuer')]).toEqual(['BASIC_USER']);
  });
});

describe('an address', () => {
  const claims = { idToken: '', subject: 's', email: 'Elif@Example.com', isVerified: true, authenticatedAt: undefined, all: {} };
  const settings = { trustsAddresses: false, domains: [] as string[] };
  it.each([
    [{}, {}, undefined],
    [{ isVerified: false }, {}, 'unverified'],
    [{ isVerified: false }, { trustsAddresses: true }, undefined],
    [{ email: '' }, { trustsAddresses: true }, 'unknown'],
    [{ email: 'a@b@example.com' }, {}, 'unknown'],
    [{}, { domains: ['example.com'] }, undefined],
    [{}, { domains: ['example.org'] }, 'unknown'],
    [{ email: 'x@sub.example.com' }, { domains: ['example.com'] }, 'unknown'],
  ] as const)('of %j by %j: %s', (ofThem, ofUs, why) => {
    expect(whyUnproven({ ...claims, ...ofThem }, { ...settings, ...ofUs })).toBe(why);
  });
  it.each([
    ['elif@example.com', 0, 'Elif@EXAMPLE.com', true],
    ['elif@example.com', 0, 'elif@example.org', false],
    ['elif@example.com', 1, 'elif@example.com', false],
    ['elif@ban\u212a.example', 0, 'elif@bank.example', false],
  ])('%s, changed %i times since a subject was linked by it, and now %s: still linked %s', (address, changes, email, isLinked) => {
    expect(isStillLinked({ address, changes }, email)).toBe(isLinked);
  });
  it('comes with the claims that are asked for, as one value or among several', () => {
    const all = { hd: 'example.com', groups: ['a', 'b'], age: 7 };
    expect(hasClaims({ ...claims, all }, { hd: 'example.com', groups: 'b', age: '7' })).toBe(true);
    const others: Record<string, string>[] = [
      { hd: 'example.org' },
      { groups: 'c' },
      { none: 'x' },
      { constructor: 'x' },
      { none: 'undefined' },
    ];
    for (const wanted of others) {
      expect([wanted, hasClaims({ ...claims, all }, wanted)]).toEqual([wanted, false]);
    }
  });
});

it('a secret is 256 random bits, and only its digest matches it', () => {
  const secrets = Array.from({ length: 100 }, makeSecret);
  expect(new Set(secrets).size).toBe(100);
  expect(secrets.every(isSecret)).toBe(true);
  expect(['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, 'ü'.repeat(43)].some(isSecret)).toBe(false);
  const [one = '', two = ''] = secrets;
  expect([matchesDigest(one, hashSecret(one)), matchesDigest(two, hashSecret(one)), matchesDigest('', Buffer.alloc(0))]).toEqual([
    true,
    false,
    false,
  ]);
});
