/** The hash of a snapshot's items, over ids that anybody can hash again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTwoTenants, type TwoTenants } from '../../../../test/support/tenants.ts';
import { getItemsMadeSql } from '../../tasks/index.ts';
import { findItemsHash, insertDigests } from './store-hash.ts';

let test: TwoTenants;
beforeAll(async () => {
  test = await useTwoTenants();
});
afterAll(() => test.close());

it('is of the raw digests of apps and accounts, in whatever pieces the items were found', async () => {
  const context = test.ours.admin;
  const insert = (reviewId: string, prefix: string, items: readonly (readonly [string, string])[]) =>
    context.db.run(
      `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
       SELECT $1, $3 || id_suffix(n.place), $2, n.place, 'P', n.entitlement, n.account, 'policy', $4, $4
       FROM unnest($5::text[], $6::text[]) WITH ORDINALITY AS n (account, entitlement, place)`,
      [context.tenantId, reviewId, prefix, context.now, items.map(([account]) => account), items.map(([, entitlement]) => entitlement)],
    );
  const expected = '5de8ec69930e1d8d1fe0be6038a057c6ab4cc84b1113d4dad26735d174da3e84';
  await insert('whole', 'aaaaaaaaaaaaaaaaaaa', [
    ['a1', 'sub'],
    ['a1', 'pay'],
    ['a2', 'pay'],
  ]);
  await insertDigests(context, 'whole', getItemsMadeSql(context.tenantId, 'whole', 'aaaaaaaaaaaaaaaaaaa'));
  expect(await findItemsHash(context, 'whole')).toBe(expected);

  await insert('pieces', 'bbbbbbbbbbbbbbbbbbb', [['a2', 'pay']]);
  await insertDigests(context, 'pieces', getItemsMadeSql(context.tenantId, 'pieces', 'bbbbbbbbbbbbbbbbbbb'));
  await insert('pieces', 'ccccccccccccccccccc', [
    ['a1', 'pay'],
    ['a1', 'sub'],
  ]);
  await insertDigests(context, 'pieces', getItemsMadeSql(context.tenantId, 'pieces', 'ccccccccccccccccccc'));
  expect(await findItemsHash(context, 'pieces')).toBe(expected);
});
