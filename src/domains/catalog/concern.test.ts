/** Who has a concern in an app or an entitlement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTenants, type TwoTenants } from '../../../test/support/tenants.ts';
import { narrowToOwn, readsInventory, requireConcernInApp, requireConcernInEntitlement, requireOwnOrInventory } from './concern.ts';

let two: TwoTenants;
beforeAll(async () => {
  two = await openTwoTenants();
});
afterAll(() => two.close());
const nothing = { code: 'NOT_FOUND' };

describe('concern', () => {
  it('is none where there is nothing, and is not asked of who reads everything', async () => {
    expect([readsInventory(two.ours.admin), readsInventory(two.ours.basic)]).toEqual([true, false]);
    await expect(requireConcernInApp(two.ours.admin, 'app')).resolves.toBeUndefined();
    await expect(requireConcernInApp(two.ours.basic, 'app')).rejects.toMatchObject(nothing);
    await expect(requireConcernInEntitlement(two.ours.admin, 'app', 'e')).resolves.toBeUndefined();
    await expect(requireConcernInEntitlement(two.ours.basic, 'app', 'e')).rejects.toMatchObject(nothing);
  });

  it('is with oneself: unowned accounts are without an owner', () => {
    const { admin, basic, basicId, adminId } = two.ours;
    expect(() => requireOwnOrInventory(basic, basicId, 'x')).not.toThrow();
    for (const userId of [adminId, null, '']) {
      expect(() => requireOwnOrInventory(basic, userId, 'x')).toThrow(expect.objectContaining(nothing));
      expect(() => requireOwnOrInventory(admin, userId, 'x')).not.toThrow();
    }
    expect(narrowToOwn(basic, undefined)).toEqual([basicId]);
    expect(narrowToOwn(basic, [])).toEqual([basicId]);
    expect(narrowToOwn(admin, undefined)).toBeUndefined();
    expect(narrowToOwn(admin, [basicId])).toEqual([basicId]);
    expect(() => narrowToOwn(basic, [basicId, adminId])).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
  });
});
