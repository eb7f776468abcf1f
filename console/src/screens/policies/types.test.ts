/** Steps as the form changes them: another approver keeps all that does not belong to the one before. */
import { describe, expect, it } from 'vitest';
import { type Approval, approverOf, kindOf, offered, partsOf, type Step, withApprover, withFallback } from './types.ts';

describe('the approver of a step', () => {
  it.each([
    ['manager', { manager: {} }],
    ['appOwners', { appOwners: {} }],
    ['entitlementOwners', { entitlementOwners: { fallback: true } }],
    ['resourceOwners', { resourceOwners: {} }],
    ['self', { self: {} }],
    ['users', { users: { userIds: ['a'] } }],
    ['group', { group: { appId: 'a', appGroupId: 'b' } }],
    ['expression', { expression: { expressions: ['subject'] } }],
    ['webhook', { webhook: { webhookId: 'a' } }],
    ['agent', { agent: {} }],
  ] satisfies [string, Approval][])('is %s', (kind, approval) => {
    expect(approverOf(approval)).toBe(kind);
  });

  it('is the manager where none is named', () => {
    expect(approverOf({})).toBe('manager');
    expect(partsOf({})).toEqual({});
  });

  it('says what it says', () => {
    expect(partsOf({ users: { userIds: ['a', 'b'], allowSelfApproval: true } })).toEqual({ userIds: ['a', 'b'], allowSelfApproval: true });
  });
});

describe('another approver', () => {
  const before: Approval = {
    manager: { fallback: true, fallbackUserIds: ['a'] },
    requireDenialReason: true,
    allowReassignment: true,
    escalationEnabled: true,
    escalation: { expiration: '86400', skipStep: {} },
  };

  it('takes the place of the one before', () => {
    const after = withApprover(before, 'appOwners', {});
    expect(after.manager).toBeUndefined();
    expect(approverOf(after)).toBe('appOwners');
  });

  it('leaves reasons, reassigning and escalation as they are', () => {
    const after = withApprover(before, 'users', { userIds: ['b'] });
    expect(after).toEqual({
      users: { userIds: ['b'] },
      requireDenialReason: true,
      allowReassignment: true,
      escalationEnabled: true,
      escalation: { expiration: '86400', skipStep: {} },
    });
  });

  it('leaves the step before untouched', () => {
    withApprover(before, 'self', {});
    expect(before.manager).toEqual({ fallback: true, fallbackUserIds: ['a'] });
  });

  it('is never one that reviews do not ask', () => {
    expect(offered).not.toContain('agent');
    expect(offered).not.toContain('webhook');
  });

  it('names people to ask instead only where that is possible', () => {
    expect(withFallback).not.toContain('users');
    expect(withFallback).not.toContain('appOwners');
    expect(withFallback).toContain('manager');
  });
});

describe('a step', () => {
  it.each([
    ['approval', { approval: { manager: {} } }],
    ['accept', { accept: { acceptMessage: 'x' } }],
    ['reject', { reject: {} }],
    ['wait', { wait: {} }],
    ['other', { provision: {} }],
    ['other', {}],
  ] satisfies [string, Step][])('is of kind %s', (kind, step) => {
    expect(kindOf(step)).toBe(kind);
  });
});
