/** Emptying a review: what its removals froze of people goes with it, also of access that was denied twice. */
import { expect, it } from 'vitest';
import { june, useRemovals } from '../../../test/support/removals.ts';
import { inTransaction } from '../../context.ts';
import { emptyNextOf, type ReviewPlace } from './empty-review.ts';

const removals = useRemovals(['ann', 'bob']);

it('empties the batches of all its removals, and no other', async () => {
  await removals.file('Pay', ['ann pay', 'bob pay'], june(1));
  await removals.request('Pay', 'bob', 'pay', june(2));
  const another = removals.reviewId;
  const taskId = await removals.deny('Pay', 'ann', 'pay', june(2));
  await removals.decide(taskId, 'CERTIFIED', june(3));
  await removals.decide(taskId, 'DECERTIFIED', june(4));
  await removals.close(june(5));
  const { reviewId } = removals;
  const { system } = removals.test.ours;
  const namesOf = (prefix: string) =>
    system.db.rows<{ name: string; key: string }>(
      `SELECT a.external_id || a.email AS name, t.account_key || t.owner_key AS key FROM review_accounts a
       JOIN tasks t ON t.tenant_id = $1 AND t.review_id = a.review_id WHERE a.tenant_id = $1 AND a.review_id LIKE $2 || '-R%'`,
      [system.tenantId, prefix],
    );
  expect(await namesOf(reviewId)).toMatchObject([{ name: 'annann@example.com', key: expect.stringContaining('ann') }]);
  let place: ReviewPlace | undefined = { step: 0, after: '' };
  for (; place !== undefined && place.waits !== true; ) {
    const from: ReviewPlace = place;
    place = await inTransaction({ ...system, now: june(6) }, (inside) => emptyNextOf(inside, reviewId, from));
  }
  expect(await namesOf(reviewId)).toEqual([{ name: '', key: '' }]);
  expect(await namesOf(another)).toMatchObject([{ name: 'bobbob@example.com' }]);
});
