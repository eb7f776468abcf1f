/** Names of rights as people read them. */
import { expect, it } from 'vitest';
import { nameRight } from './name-right.ts';

it.each([
  ['Books', 'Payroll', 'Payroll Read', 'Payroll Read'],
  ['Books', 'Payroll', 'Read', 'Payroll Read'],
  ['Books', 'Payroll', 'Payroll', 'Payroll'],
  ['Books', 'Pay', 'Payroll Read', 'Pay Payroll Read'],
  ['Books', '', 'Member', 'Member'],
  ['', '', 'Member', 'Member'],
  ['Books', 'Books', 'Member', 'Member'],
  ['Books', 'Books', 'Books Member', 'Member'],
  ['Books', 'Books', 'Books', 'Books'],
])('in the app %j, %j and %j are called %j', (app, resource, entitlement, name) => {
  expect(nameRight(app, resource, entitlement)).toBe(name);
});
