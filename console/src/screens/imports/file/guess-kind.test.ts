/** What a file is taken for when it is dropped: a list of people or the access of an app. */
import { describe, expect, it } from 'vitest';
import { kindOf } from './guess-kind.ts';
import type { Inspection } from './mapping.ts';

const reading = (used: Record<string, string>, missing: string[] = []): Inspection => ({ columns: ['a', 'b'], used, missing });

const people = reading({ email: 'email', display_name: 'firstName+lastName', employee_id: 'id', employment_status: 'status' });
const users = reading({ account: 'login', email: 'email', entitlement: '=User' });

describe('what a file holds', () => {
  it('is access where a column says what people may do, whoever they are', () => {
    const staff = reading({ ...people.used, manager_email: 'Manager', department: 'Department', job_title: 'Title' });
    expect(kindOf(reading({ account: 'login', entitlement: 'role' }), staff)).toBe('grants');
    expect(kindOf(reading({ account: 'login', resource: 'group', entitlement: '=member' }), staff)).toBe('grants');
  });

  it.each([
    ['their managers', { manager_email: 'managerEmail' }],
    ['department and title', { department: 'department', job_title: 'title' }],
  ])('is people where an export of users names %s', (_, more) => {
    expect(kindOf(users, reading({ ...people.used, ...more }))).toBe('people');
  });

  it.each([
    ['names, numbers and states', {}],
    ['one thing of employers', { department: 'department' }],
    ['a department that is one word for all rows', { department: '=Finance', job_title: 'title' }],
  ])('is access where an export of users has only %s', (_, more) => {
    expect(kindOf(users, reading({ ...people.used, ...more }))).toBe('grants');
  });

  it('is the only kind that can be read', () => {
    expect(kindOf(reading({}, ['account']), people)).toBe('people');
    expect(kindOf(users, reading({}, ['email']))).toBe('grants');
    expect(kindOf(undefined, people)).toBe('people');
    expect(kindOf(users, undefined)).toBe('grants');
  });

  it('stays open where neither can be read', () => {
    expect(kindOf(reading({}, ['account']), reading({}, ['email']))).toBeUndefined();
    expect(kindOf(undefined, { columns: [] })).toBeUndefined();
  });
});
