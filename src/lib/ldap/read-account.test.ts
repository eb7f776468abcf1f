import { describe, expect, it } from 'vitest';
import { type Entry, keyOf, sidOf } from './entry.ts';
import { primaryGroupOf, readAccount } from './read-account.ts';
import { readFileTime, readGeneralizedTime } from './read-times.ts';

const now = new Date('2026-11-27T00:00:00Z');
const usual = { attributes: [] as string[], disabledWhen: [] as string[] };

function makeEntry(attributes: Readonly<Record<string, string | Buffer>>): Entry {
  const values = Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), [Buffer.from(value)]] as const);
  return { dn: 'cn=Ann,dc=example,dc=com', attributes: new Map(values) };
}

/** A Windows file time. */
const fileTime = (text: string): string => String((BigInt(Date.parse(text)) + 11_644_473_600_000n) * 10_000n);
const sid = Buffer.from('010500000000000515000000010000000200000003000000f4010000', 'hex');

describe('an account is enabled', () => {
  it.each([
    ['userAccountControl 514', { userAccountControl: '514' }, true],
    ['userAccountControl 512', { userAccountControl: '512' }, false],
    ['userAccountControl 0', { userAccountControl: '0' }, false],
    ['no userAccountControl', {}, false],
    ['accountExpires past', { userAccountControl: '512', accountExpires: fileTime('2026-11-26T00:00:00Z') }, true],
    ['accountExpires ahead', { userAccountControl: '512', accountExpires: fileTime('2026-11-28T00:00:00Z') }, false],
    ['accountExpires 0', { userAccountControl: '512', accountExpires: '0' }, false],
    ['accountExpires never', { userAccountControl: '512', accountExpires: '9223372036854775807' }, false],
    ['nsAccountLock', { nsAccountLock: 'TRUE' }, true],
    ['nsAccountLock false', { nsAccountLock: 'false' }, false],
    ['locked for good', { pwdAccountLockedTime: '000001010000Z' }, true],
    ['locked for a while', { pwdAccountLockedTime: '20261126120000Z' }, false],
    ['a rule of the settings', { employeeStatus: 'Left' }, true],
    ['a rule of the settings that does not hold', { employeeStatus: 'here' }, false],
    ['a rule for any value', { leftOn: 'x' }, true],
  ] as const)('or not: %s', (_, attributes, isDisabled) => {
    const rules = { ...usual, disabledWhen: ['employeeStatus=left', 'leftOn=*'] };
    expect(readAccount(makeEntry(attributes), rules, false, now).isDisabled).toBe(isDisabled);
  });
});

it('says whether it is locked, and whether its password is over', () => {
  const read = (attributes: Readonly<Record<string, string>>) => {
    const { isLocked, isPasswordOver } = readAccount(makeEntry(attributes), usual, false, now);
    return [isLocked, isPasswordOver];
  };
  expect(read({ 'msDS-User-Account-Control-Computed': String(0x10) })).toEqual([true, false]);
  expect(read({ 'msDS-User-Account-Control-Computed': String(0x80_0000) })).toEqual([false, true]);
  expect(read({ pwdAccountLockedTime: '20261126120000Z' })).toEqual([true, false]);
  expect(read({ krbPasswordExpiration: '20261126120000Z' })).toEqual([false, true]);
  expect(read({ krbPasswordExpiration: '20271126120000Z', lockoutTime: '0' })).toEqual([false, false]);
});

it('takes each value from the first attribute that has one', () => {
  const account = readAccount(
    makeEntry({
      mail: 'not an address',
      userPrincipalName: 'Ann@example.com',
      sAMAccountName: 'ann',
      uid: 'a1',
      cn: 'Ann',
      employeeNumber: '7',
      title: 'Boss',
      l: 'Bonn',
    }),
    { ...usual, attributes: ['l', 'st'] },
    true,
    now,
  );
  expect(account).toMatchObject({
    mail: 'Ann@example.com',
    username: 'ann',
    displayName: 'Ann',
    employeeId: '7',
    jobTitle: 'Boss',
    isService: true,
    others: ['Bonn', ''],
  });
});

it('has a key that stays, as its system writes it', () => {
  const guid = Buffer.from('33221100554477668899aabbccddeeff', 'hex');
  expect(keyOf(makeEntry({ objectGUID: guid, entryUUID: 'X' }))).toBe('00112233-4455-6677-8899-aabbccddeeff');
  expect(keyOf(makeEntry({ entryUUID: '317C41B6-7e59-1041-965b-b5b03052217b' }))).toBe('317c41b6-7e59-1041-965b-b5b03052217b');
  expect(keyOf(makeEntry({ ipaUniqueID: 'i', nsUniqueId: 'n' }))).toBe('i');
  expect(keyOf(makeEntry({ nsUniqueId: 'n' }))).toBe('n');
  expect(keyOf(makeEntry({}))).toBe('cn=Ann,dc=example,dc=com');
});

it('has a primary group in its own domain', () => {
  expect(sidOf(makeEntry({ objectSid: sid }))).toBe('S-1-5-21-1-2-3-500');
  expect(primaryGroupOf(makeEntry({ objectSid: sid, primaryGroupID: '513' }))).toBe('S-1-5-21-1-2-3-513');
  expect(sidOf(makeEntry({ objectSid: sid.subarray(0, 20) }))).toBe('');
});

it('reads times as directories write them', () => {
  const times = ['20261127025130Z', '20261127025130.5Z', '202611270251Z', '20261127045130+0200', '20261340000000Z', 'x', ''].map(
    readGeneralizedTime,
  );
  const wanted = [
    '2026-11-27T02:51:30.000Z',
    '2026-11-27T02:51:30.000Z',
    '2026-11-27T02:51:00.000Z',
    '2026-11-27T02:51:30.000Z',
    ...[undefined, undefined, undefined],
  ];
  expect(times.map((time) => time?.toISOString())).toEqual(wanted);
  expect(readFileTime('133800000000000000')?.toISOString()).toBe('2024-12-30T02:40:00.000Z');
  expect([readFileTime('0'), readFileTime('-1'), readFileTime('x')]).toEqual([undefined, undefined, undefined]);
});
