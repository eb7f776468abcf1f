/** Reviews of grants by how they are held and how long they last, over a file that reports both. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemsAsked, openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { importGrants } from '../../../inventory/syncs/import-grants.ts';
import { prepareReview } from '../life/prepare.ts';
import { previewReview } from './preview.ts';

const header =
  'account,email,account_type,account_status,resource_type,resource,entitlement,granted_at,last_used_at,granted_via,expires_at';
const file = [
  header,
  'both,,USER,ENABLED,team,Crew,Member,,,,',
  'both,,USER,ENABLED,site,Web,Write,,,,',
  'both,,USER,ENABLED,site,Web,Write,,,team/Crew/Member,',
  'only,,USER,ENABLED,team,Crew,Member,,,,2099-01-01T00:00:00Z',
  'only,,USER,ENABLED,site,Web,Write,,,team/Crew/Member,',
  'soon,,USER,ENABLED,site,Web,Write,,,,2099-02-01T00:00:00Z',
].join('\n');

let test: ReviewTest;
let appId: string;
beforeAll(async () => {
  test = await openReviewTest();
  const imported = await importGrants(
    test.admin(),
    { app: 'Code', allowRemovals: false },
    { body: Readable.from([Buffer.from(file)]), encoding: '' },
  );
  appId = imported.appId;
});
afterAll(() => test.close());

/** Lists what a review of the app by these criteria asks; the preview counts the same. */
async function asked(grantsByCriteria: object): Promise<string[]> {
  const review = await test.draft({ singleApp: { appId }, scopeV2: { grantsByCriteria } } as never);
  const { items: counted } = await previewReview(test.admin(), review.id);
  await prepareReview(test.admin(), review.id);
  await test.until(review.id, 'REVIEW');
  const items = await itemsAsked(test.admin(), review.id);
  expect(counted).toBe(items.length);
  return items;
}

describe('grants by criteria', () => {
  const crew = ['both Crew/Member', 'only Crew/Member'];
  it.each([
    ['an age that all have', { daysSinceAdded: '0' }, [...crew, 'both Web/Write', 'only Web/Write', 'soon Web/Write']],
    ['direct', { sourceFilter: 'GRANT_SOURCE_FILTER_DIRECT' }, [...crew, 'both Web/Write', 'soon Web/Write']],
    ['inherited', { sourceFilter: 'GRANT_SOURCE_FILTER_INHERITED' }, ['both Web/Write', 'only Web/Write']],
    ['temporary', { typeFilter: 'GRANT_FILTER_TYPE_TEMPORARY' }, ['only Crew/Member', 'soon Web/Write']],
    ['permanent', { typeFilter: 'GRANT_FILTER_TYPE_PERMANENT' }, ['both Crew/Member', 'both Web/Write', 'only Web/Write']],
    [
      'temporary and direct, unused for a day',
      { typeFilter: 'GRANT_FILTER_TYPE_TEMPORARY', sourceFilter: 'GRANT_SOURCE_FILTER_DIRECT', daysSinceLastUsed: '1' },
      ['only Crew/Member', 'soon Web/Write'],
    ],
  ])('%s', async (_name, criteria, items) => {
    expect(await asked(criteria)).toEqual([...items].sort());
  });
});
