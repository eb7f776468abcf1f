/** The items that a preview shows one by one: items of the review, of as many accounts as there are, the same for the same seed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import type { Db } from '../../../db/types.ts';
import { previewReview } from './preview.ts';
import type { SampleItem } from './store-sample.ts';

let test: ReviewTest;
beforeAll(async () => {
  test = await openReviewTest();
});
afterAll(() => test.close());

const keyOf = ({ accountId, entitlementId }: SampleItem): string => `${accountId}/${entitlementId}`;
const samplesOf = async (document: object, seed?: string): Promise<readonly SampleItem[]> =>
  (await previewReview(test.admin(), (await test.draft(document as never)).id, seed)).samples;

it('says of an empty draft that nothing is chosen, and what can be', async () => {
  const { id } = await test.draft({});
  await expect(previewReview(test.admin(), id)).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    message: expect.stringMatching(/^The review cannot be previewed or prepared yet: nothing is chosen: name an app /),
    violations: [{ field: 'accessReview', description: expect.stringMatching(/^nothing is chosen/) }],
  });
});

it('freezes neither accounts nor people where the database evaluates all that is asked', async () => {
  const review = await test.draft({ singleApp: { appId: test.appId } });
  const statements: string[] = [];
  const admin = test.admin();
  const noting = (db: Db): Db =>
    new Proxy(db, {
      get(target, member: keyof Db) {
        const value = target[member];
        if (typeof value !== 'function') {
          return value;
        }
        return (...given: unknown[]) => {
          if (member === 'transaction') {
            const [work, ...rest] = given as [(inside: Db) => Promise<unknown>, ...unknown[]];
            return Reflect.apply(value, target, [(inside: Db) => work(noting(inside)), ...rest]);
          }
          const [statement] = given;
          statements.push(typeof statement === 'string' ? statement : ((statement as { sql?: string }).sql ?? ''));
          return Reflect.apply(value, target, given);
        };
      },
    });
  await previewReview({ ...admin, db: noting(admin.db) }, review.id);
  expect(statements.filter((text) => /INSERT INTO review_entitlements/.test(text))).toHaveLength(1);
  expect(statements.filter((text) => /INSERT INTO review_(accounts|people)/.test(text))).toEqual([]);
});

describe('samples of a preview', () => {
  it('are ten items of ten accounts where there are as many, and others for another seed', async () => {
    const review = await test.draft({ singleApp: { appId: test.appId } });
    const { samples, items } = await previewReview(test.admin(), review.id);
    expect(items).toBeGreaterThan(10);
    expect(samples).toHaveLength(10);
    expect(new Set(samples.map(({ accountId }) => accountId)).size).toBe(10);
    for (const sample of samples) {
      expect(sample).toMatchObject({
        appId: test.appId,
        appName: 'Domino',
        principalKind: 'A',
        name: expect.stringMatching(/./),
        entitlement: expect.stringMatching(/./),
      });
    }
    expect((await previewReview(test.admin(), review.id)).samples).toEqual(samples);
    const others = (await previewReview(test.admin(), review.id, 'others')).samples;
    expect(others.map(keyOf)).not.toEqual(samples.map(keyOf));
    await expect(previewReview(test.admin(), review.id, 'x'.repeat(101))).rejects.toMatchObject({ violations: [{ field: 'sampleSeed' }] });
  });

  it('are each an item once where few accounts have all of them', async () => {
    const { id: userId } = await test.admin().db.one<{ id: string }>(
      `SELECT a.user_id AS id FROM accounts a JOIN grants g ON g.tenant_id = a.tenant_id AND g.account_id = a.id AND NOT g.is_derived
       WHERE a.tenant_id = $1 AND a.user_id IS NOT NULL AND g.removed_revision IS NULL GROUP BY a.user_id HAVING count(*) BETWEEN 2 AND 9
       ORDER BY count(*) DESC, a.user_id LIMIT 1`,
      [test.ours.tenant.id],
    );
    const document = { singleApp: { appId: test.appId }, scopeV2: { selectedUsers: { userIds: [userId] } } };
    const review = await test.draft(document);
    const { samples, items } = await previewReview(test.admin(), review.id);
    expect(samples).toHaveLength(items);
    expect(new Set(samples.map(keyOf)).size).toBe(items);
    expect(samples.every((sample) => sample.userId === userId)).toBe(true);
  });

  it('keep to the filters of grants', async () => {
    const [one] = await samplesOf({ singleApp: { appId: test.appId } });
    const only = await samplesOf({
      multiApp: { appEntitlements: { [test.appId]: { appId: test.appId, entitlementIds: [one?.entitlementId ?? ''] } } },
    });
    expect(new Set(only.map(({ entitlementId }) => entitlementId))).toEqual(new Set([one?.entitlementId]));
  });
});
