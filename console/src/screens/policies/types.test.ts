/** Steps as the form changes them: another approver keeps all that does not belong to the one before. */
import { describe, expect, it } from 'vitest';
import {
  type Approval,
  readApprover,
  baselineKey,
  fallsBackToAppOwners,
  stepKind,
  newStep,
  offered,
  approverParts,
  type Step,
  withAppOwners,
  withApprover,
  withEscalation,
  withFallback,
  withWait,
} from './types.ts';

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
    expect(readApprover(approval)).toBe(kind);
  });

  it('is the manager where none is named', () => {
    expect(readApprover({})).toBe('manager');
    expect(approverParts({})).toEqual({});
  });

  it('says what it says', () => {
    expect(approverParts({ users: { userIds: ['a', 'b'], allowSelfApproval: true } })).toEqual({
      userIds: ['a', 'b'],
      allowSelfApproval: true,
    });
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
    expect(readApprover(after)).toBe('appOwners');
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
    ['provision', { provision: {} }],
    ['other', { form: {} }],
    ['other', {}],
  ] satisfies [string, Step][])('is of kind %s', (kind, step) => {
    expect(stepKind(step)).toBe(kind);
  });
});

describe('a new step', () => {
  it('lets whoever stands in decide, as the policy that a tenant starts with does', () => {
    expect(newStep('approval').approval).toMatchObject({ allowDelegation: true, allowReassignment: true });
  });
});

describe('an escalation', () => {
  it('that does something else keeps its time and comment', () => {
    const before = { expiration: '60', escalationComment: 'x', skipStep: {} };
    expect(withEscalation(before, 'replacePolicy')).toEqual({ expiration: '60', escalationComment: 'x', replacePolicy: { policyId: '' } });
    expect(withEscalation(before, 'cancelTicket')).toEqual({ expiration: '60', escalationComment: 'x', cancelTicket: {} });
  });
});

describe('a wait', () => {
  it('for something else keeps its comments, and one thing to wait for', () => {
    expect(withWait({ name: 'n', duration: { duration: '3600s' } }, 'untilTime')).toEqual({
      name: 'n',
      untilTime: { hours: 9, minutes: 0 },
    });
  });
});

describe('a policy', () => {
  it('has its baseline under its type, or under the only key where it has no rules', () => {
    expect(baselineKey({ policyType: 'POLICY_TYPE_REVOKE' })).toBe('revoke');
    expect(baselineKey({ policyType: 'POLICY_TYPE_CERTIFY', policySteps: { own: {} } })).toBe('own');
    expect(baselineKey({ policyType: 'POLICY_TYPE_CERTIFY', policySteps: { own: {} }, rules: [{}] })).toBe('certify');
  });

  it('keeps other annotations when the owners of the app are asked instead, or no longer', () => {
    const policy = { annotations: { 'mine/x': 'y' } };
    const annotations = withAppOwners(policy, true);
    expect(fallsBackToAppOwners({ annotations })).toBe(true);
    expect(withAppOwners({ annotations }, false)).toEqual({ 'mine/x': 'y' });
  });
});
