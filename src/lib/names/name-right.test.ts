/** Names of rights as people read them. */
import { expect, it } from 'vitest';
import { nameRight } from './name-right.ts';

it.each([
  ['Payroll', 'Payroll Read', 'Payroll Read'],
  ['Payroll', 'Read', 'Payroll Read'],
  ['Payroll', 'Payroll', 'Payroll'],
  ['Pay', 'Payroll Read', 'Pay Payroll Read'],
  ['', 'Member', 'Member'],
])('%j and %j are called %j', (resource, entitlement, name) => {
  expect(nameRight(resource, entitlement)).toBe(name);
});
