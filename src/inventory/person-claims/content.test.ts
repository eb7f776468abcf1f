/** Comparing what a source says of a person with what the person says: what is left of a claim. */
import { describe, expect, it } from 'vitest';
import { compareWith, contentWith, type Described, type PersonContent } from './content.ts';

const person = {
  email: 'Ann@x.example',
  displayName: 'Ann',
  status: 'ENABLED',
  username: 'ann',
  employeeId: '',
  externalId: '',
  employmentType: '',
  department: 'Sales',
  jobTitle: '',
  managerId: null,
} as unknown as Described;
const content = (more: Partial<PersonContent> = {}): PersonContent => ({ ...contentWith(person, {}, 'source'), ...more });

describe('a claim', () => {
  it('is about what differs, and not about the case of an address', () => {
    expect(compareWith(person, content({ email: 'ann@x.example' }))).toEqual({});
    expect(compareWith(person, content({ email: 'eve@x.example', status: 'DISABLED', department: '' }))).toEqual({
      email: 'eve@x.example',
      status: 'DISABLED',
      department: '',
    });
  });
  it('changes what it is about, and nothing else', () => {
    expect(contentWith(person, { managerId: 'boss', department: '' }, 'source')).toEqual(
      content({ managerId: 'boss', department: '', email: 'Ann@x.example' }),
    );
    expect(contentWith({ ...person, managerId: 'boss' } as Described, { managerId: '' }, 'source').managerId).toBeNull();
  });
});
