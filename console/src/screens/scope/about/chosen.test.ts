/** Apps and entitlements of a review: read from either member, written without losing policies. */
import { describe, expect, it } from 'vitest';
import { chosenApps, chosenEntitlements, withApps, withEntitlements, withPolicy } from './chosen.ts';

const whole = { multiApp: { appEntitlements: { a: { appId: 'a', entitlementIds: [] } } } };

describe('apps and entitlements of a review', () => {
  it('are read from either member', () => {
    expect(chosenApps({ singleApp: { appId: 'a' } })).toEqual(['a']);
    expect(chosenApps(whole)).toEqual(['a']);
    expect(chosenApps({})).toEqual([]);
  });

  it('are chosen one by one, and keep their apps', () => {
    const one = withEntitlements(whole, ['a/x', 'b/y']);
    expect(chosenApps(one)).toEqual(['a', 'b']);
    expect(chosenEntitlements(one)).toEqual([
      { appId: 'a', id: 'x', policyId: '' },
      { appId: 'b', id: 'y', policyId: '' },
    ]);
    expect(chosenEntitlements(withApps(one, ['b']))).toEqual([{ appId: 'b', id: 'y', policyId: '' }]);
  });

  it('keep the policies of their own whatever else changes', () => {
    const one = withPolicy(withEntitlements(whole, ['a/x', 'a/z']), { appId: 'a', id: 'x' }, 'strict');
    const kept = [
      { appId: 'a', id: 'z', policyId: '' },
      { appId: 'a', id: 'x', policyId: 'strict' },
    ];
    expect(chosenEntitlements(one)).toEqual(kept);
    expect(chosenEntitlements(withApps(one, ['a', 'b']))).toEqual(kept);
    expect(chosenEntitlements(withEntitlements(one, ['a/x']))).toEqual([{ appId: 'a', id: 'x', policyId: 'strict' }]);
    // An app all of whose entitlements have one is not chosen as a whole beside them.
    expect(withEntitlements(one, ['a/x']).multiApp?.appEntitlements).toEqual({});
    expect(chosenEntitlements(withPolicy(one, { appId: 'a', id: 'x' }, '')).map(({ policyId }) => policyId)).toEqual(['', '']);
  });
});
