/** Hands in the rows of a snapshot: each is made by a superuser with the triggers off, and the check of the log names the row. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReviewTest, type ReviewTest } from '../../../../test/support/review.ts';
import { sampled } from '../../../../test/support/runs.ts';
import { sealLog } from '../../../foundation/audit/index.ts';
import { checkLog } from '../../../foundation/log-proofs/index.ts';
import { prepareReview } from '../../reviews/life/prepare.ts';
import { resetReview } from '../../reviews/life/reset.ts';

let test: ReviewTest;
let reviewId: string;

/** A review of what accounts of type USER hold, so that some are left out. */
const document = () => ({
  singleApp: { appId: test.appId },
  scopeV2: { accountCriteria: { accountTypes: ['APP_USER_TYPE_USER'] } },
  exclusionScope: { appUserStatuses: ['APP_USER_STATUS_DISABLED'] },
});

async function prepare(): Promise<string> {
  const { id } = await test.draft(document() as never);
  await prepareReview(test.admin(), id);
  await test.until(id, 'REVIEW');
  return id;
}

async function check(): Promise<readonly string[]> {
  const context = test.ours.system;
  await sealLog(context, { forMs: 10_000, waitsForLock: true });
  return (await checkLog(context, { outside: [] })).sentences;
}

/** Runs a statement of a superuser with the triggers off, and returns what a check says that it did not say before. */
async function tamper(statement: string): Promise<readonly string[]> {
  const before = new Set(await check());
  await test.superuser('SET session_replication_role = replica');
  await test.superuser(statement.replaceAll('$review', `'${reviewId}'`).replaceAll('$tenant', `'${test.ours.tenant.id}'`));
  await test.superuser('SET session_replication_role = origin');
  return (await check()).filter((sentence) => !before.has(sentence));
}

beforeAll(async () => {
  test = await openReviewTest();
  reviewId = await prepare();
});
afterAll(() => test.close());

const mine = 'tenant_id = $tenant AND review_id = $review';

describe('a hand in the snapshot of a review', () => {
  it('that did nothing leaves a log that holds', async () => {
    expect(await check()).toEqual([]);
  });

  it.each(
    sampled<[string, string, string, string, RegExp]>(
      [
        [
          'account',
          'review_accounts',
          'account_id',
          `account_status = 'DISABLED'`,
          /^review_accounts \w+: is not what event \w{27} recorded\.$/,
        ],
        [
          'verdict on an account',
          'review_accounts',
          'account_id',
          `verdict = 'SCOPE'`,
          /^review_accounts \w+: is not what event \w{27} recorded\.$/,
        ],
        ['person', 'review_people', 'user_id', `commitment = sha256('x')`, /^review_people \w+: is not what event \w{27} recorded\.$/],
        ['entitlement', 'review_entitlements', 'entitlement_id', `description = 'harmless'`, /^review_entitlements \w+: is not what event/],
        ['policy', 'review_policies', 'policy_id', `document = '{}'`, /^review_policies \w+: is not what event/],
        ['count', 'review_verdicts', 'verdict', 'grants = grants + 1', /^review_verdicts \w+\/A\/\w+: is not what event/],
        ['source', 'review_sources', 'source_no', `file_sha256 = 'other'`, /^review_sources \w+\/-?\d+: is not what event/],
      ],
      3,
    ),
  )('that changes one %s is named', async (_, table, key, change, wanted) => {
    const one = `${mine} AND ${key} = (SELECT ${change.startsWith('verdict') ? 'max' : 'min'}(${key}) FROM ${table} WHERE ${mine})`;
    expect(await tamper(`UPDATE ${table} SET ${change} WHERE ${one}`)).toEqual([expect.stringMatching(wanted)]);
  });

  it.each<[string, string, string, RegExp]>([
    ['item', 'tasks', `entitlement_id = 'other'`, /^tasks \w{27}: is not what event \w{19}00000000 recorded\.$/],
    ['reviewers of an item', 'tasks', `asked_id = NULL`, /^tasks \w{27}: is not what event \w{19}00000000 recorded\.$/],
  ])('that changes the %s is named', async (_, table, change, wanted) => {
    reviewId = await prepare();
    const found = await tamper(`UPDATE ${table} SET ${change} WHERE ${mine} AND id = (SELECT min(id) FROM ${table} WHERE ${mine})`);
    expect(found).toEqual([expect.stringMatching(wanted)]);
  });

  it('that removes an item, or adds one, is told of', async () => {
    reviewId = await prepare();
    expect(await tamper(`DELETE FROM tasks WHERE ${mine} AND id = (SELECT max(id) FROM tasks WHERE ${mine})`)).toEqual([
      expect.stringMatching(/^tasks: 1 of the \d+ rows that event \w{27} recorded is gone\.$/),
    ]);
    const copy = `INSERT INTO tasks (tenant_id, id, review_id, numeric_id, app_id, entitlement_id, account_id, policy_id, created_at, updated_at)
      SELECT tenant_id, NEWID, review_id, 0, app_id, 'added', account_id, policy_id, created_at, updated_at FROM tasks WHERE ${mine} LIMIT 1`;
    expect(await tamper(copy.replace('NEWID', `left(id, 19) || '99999999'`))).toEqual([
      expect.stringMatching(/^tasks \w{19}99999999: is not what event \w{27} recorded\.$/),
    ]);
    expect(await tamper(copy.replace('NEWID', `'0000000000000000000forged01'`).replace(`'added'`, `'another'`))).toEqual([
      'tasks 0000000000000000000forged01: belongs to no event.',
    ]);
  });

  it('that changes an import, adds or removes one is told of', async () => {
    const one = `tenant_id = $tenant AND kind = 'GRANTS'`;
    expect(await tamper(`UPDATE syncs SET file_sha256 = 'other' WHERE ${one}`)).toEqual([
      expect.stringMatching(/^syncs \w{27}: is not what event \w{27} recorded\.$/),
    ]);
    const columns = `kind, state, source, file_sha256, rows, added, changed, removed, unchanged, warning_count, created_by_id, started_at, ended_at, created_at, observed_from, is_complete, incomplete_reason`;
    expect(
      await tamper(
        `INSERT INTO syncs (tenant_id, id, event_id, ${columns}) SELECT tenant_id, 'added', 'nothing', ${columns} FROM syncs WHERE ${one} LIMIT 1`,
      ),
    ).toEqual(['syncs added: belongs to no event.']);
    expect(await tamper(`DELETE FROM syncs WHERE tenant_id = $tenant AND kind = 'PEOPLE'`)).toEqual([
      expect.stringMatching(/^syncs: 1 of the 1 rows that event \w{27} recorded is gone\.$/),
    ]);
  });

  it('that adds a row is told of', async () => {
    reviewId = await prepare();
    const columns = 'tenant_id, review_id, app_id, account_id, external_id, account_type, account_status';
    const found = await tamper(
      `INSERT INTO review_accounts (${columns}) SELECT tenant_id, review_id, app_id, 'added', 'x', 'USER', 'ENABLED' FROM review_accounts WHERE ${mine} LIMIT 1`,
    );
    expect(found).toEqual([expect.stringMatching(/^review_accounts added: is not what event \w{27} recorded\.$/)]);
  });

  it('that removes a row is told of', async () => {
    reviewId = await prepare();
    const found = await tamper(
      `DELETE FROM review_accounts WHERE ${mine} AND account_id = (SELECT min(account_id) FROM review_accounts WHERE ${mine})`,
    );
    expect(found).toEqual([expect.stringMatching(/^review_accounts: 1 of the \d+ rows that event \w{27} recorded is gone\.$/)]);
  });

  it('that takes the head of a snapshot away is told of', async () => {
    reviewId = await prepare();
    const found = await tamper(`DELETE FROM review_snapshots WHERE ${mine}`);
    expect(found).toContainEqual(expect.stringMatching(/^review_people: \d+ of the \d+ rows that event \w{27} recorded are gone\.$/));
  });

  it('that forges a snapshot is told of', async () => {
    reviewId = await prepare();
    const found = await tamper(
      `INSERT INTO review_snapshots SELECT tenant_id, 'forged', 'nothing', revision, taken_at FROM review_snapshots WHERE ${mine};
       INSERT INTO review_policies SELECT tenant_id, 'forged', policy_id, document, is_root FROM review_policies WHERE ${mine} LIMIT 1`,
    );
    expect(found).toEqual([expect.stringMatching(/^review_policies \w{27}: belongs to no event\.$/)]);
  });

  it('is not seen where a review was reset, and prepared again', async () => {
    const before = await check();
    const other = await prepare();
    await resetReview(test.admin(), other);
    await prepareReview(test.admin(), other);
    await test.until(other, 'REVIEW');
    expect(await check()).toEqual(before);
  });
});
