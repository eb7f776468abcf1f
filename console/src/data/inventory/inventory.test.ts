/** Words of rights, people and accounts, and what a reply carries beside its rows. */
import { describe, expect, it } from 'vitest';
import { expandedAt } from '~/data/expanded.ts';
import { accountName, count, personName, technicalName, rightWords } from './inventory.ts';

describe('words', () => {
  it('of a right are what it allows, with its name beneath', () => {
    expect(rightWords({ displayName: 'Payments Release', description: 'Release payments' })).toEqual({
      title: 'Release payments',
      name: 'Payments Release',
      isDescribed: true,
    });
    expect(rightWords({ displayName: 'Payments Release' })).toEqual({ title: 'Payments Release', name: '', isDescribed: false });
    expect(rightWords(undefined)).toEqual({ title: '', name: '', isDescribed: false });
  });
  it.each([
    ['Payments Release', 'Payments', 'Payments · Release'],
    ['Release', 'Payments', 'Payments · Release'],
    ['App access', '', 'App access'],
    ['Payments', 'Payments', 'Payments'],
    ['Paymentsx', 'Payments', 'Payments · Paymentsx'],
  ])('of the name %s below %s are %s', (displayName, resource, said) => {
    expect(technicalName({ displayName }, resource)).toBe(said);
  });
  it('of a right to an app itself do not repeat the app', () => {
    expect(technicalName({ displayName: 'Ledger Release' }, 'Ledger', 'Ledger')).toBe('Release');
    expect(technicalName({ displayName: 'Release' }, 'Ledger', 'Ledger')).toBe('Release');
    expect(technicalName({ displayName: 'Release' }, 'Payments', 'Ledger')).toBe('Payments · Release');
  });
  it('of people and accounts are the best there is', () => {
    expect(personName({ displayName: 'Ann', email: 'a@example.com', id: '1' })).toBe('Ann');
    expect(personName({ email: 'a@example.com', id: '1' })).toBe('a@example.com');
    expect(personName({ id: '1' })).toBe('1');
    expect(personName(undefined)).toBe('');
    expect(accountName({ username: 'ann', email: 'a@example.com' })).toBe('ann');
    expect(accountName({ id: '1' })).toBe('1');
  });
});

describe('a reply', () => {
  it('carries objects beside its rows, found by their path', () => {
    const expanded = [{ id: 'a' }, { id: 'b' }];
    expect(expandedAt(expanded, '$.expanded[1]')).toEqual({ id: 'b' });
    expect(expandedAt(expanded, '$.expanded[1,0]')).toEqual({ id: 'b' });
    expect(expandedAt(expanded, '')).toBeUndefined();
    expect(expandedAt(undefined, '$.expanded[0]')).toBeUndefined();
    expect(expandedAt(expanded, '$.expanded[9]')).toBeUndefined();
  });
  it('has whole numbers as texts', () => {
    expect(count('12')).toBe(12);
    expect(count(undefined)).toBe(0);
    expect(count(3)).toBe(3);
  });
});
