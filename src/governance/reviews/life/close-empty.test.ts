/** A scope in which nothing is: said why before it is prepared by hand, and closed with a record of it where it came by date. */
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { readCompleteness } from '../evidence/completeness.ts';
import { updateSetupEntitlements } from '../../snapshots/index.ts';
import { findReview } from '../record/index.ts';
import { previewReview } from '../scope/index.ts';
import { createReview } from './create.ts';
import { prepareReview } from './prepare.ts';
import { changeReview } from './update.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const row = (what: string): string => `ann,ann@mail.example,USER,ENABLED,role,Vault,${what}`;

let run: MailRun;
let appId: string;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
  await run.importGrants([header, row('open'), row('break-glass')], 'Vault');
  await run.importGrants([header, row('open')], 'Vault');
  // Nobody has it any more, and it is there all the same, as one that was made by hand is.
  await run.admin("UPDATE entitlements SET deleted_at = NULL WHERE external_id = 'break-glass'");
  appId = String((await run.admin("SELECT id FROM apps WHERE display_name = 'Vault'"))[0]?.id);
});
afterAll(() => run.close());

/** A draft about the right that nobody has. */
async function draft(document: JsonObject = {}): Promise<string> {
  const [right] = await run.admin("SELECT id FROM entitlements WHERE app_id = $1 AND external_id = 'break-glass'", [appId]);
  const { id } = await createReview(run.as(), { displayName: 'Break glass' }, [], '');
  await updateSetupEntitlements(run.as(), id, [{ appId, entitlementId: String(right?.id) }]);
  await changeReview(run.as(), id, { description: 'Who may break the glass?', ...document }, undefined);
  return id;
}

const why = 'nobody holds the entitlement that is chosen';

it('is not blamed on filters where nobody holds what is chosen', async () => {
  const id = await draft();
  for (const ask of [previewReview, prepareReview]) {
    await expect(ask(run.as(), id)).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      violations: [{ field: 'accessReview', description: `no access is in scope: ${why}` }],
    });
  }
  const other = await createReview(run.as(), { displayName: 'Filtered' }, [], '');
  await changeReview(run.as(), other.id, { singleApp: { appId }, exclusionScope: { appUserTypes: ['APP_USER_TYPE_USER'] } }, undefined);
  await expect(prepareReview(run.as(), other.id)).rejects.toMatchObject({
    violations: [{ description: 'no access is in scope: the filters exclude everything' }],
  });
});

it('closes a review that came by date, with the snapshot that shows it was empty', async () => {
  const id = await draft({ autoStartCampaign: true, scheduledStartDate: '2026-07-01T08:00:00Z' });
  await run.moveTo('2026-07-01T08:05:00Z');
  const review = await findReview(run.as(), id);
  expect(review).toMatchObject({ state: 'CLOSED', expectedTicketCount: 0, arrived: 0, insights: expect.stringContaining(why) });
  expect(review?.closedAt).not.toBeNull();
  const events = await run.admin('SELECT kind, data FROM events WHERE target_id = $1 ORDER BY id', [id]);
  expect(events.at(-1)).toMatchObject({ kind: 'review.closed', data: { undecided: 0, empty: why } });
  expect(events.find(({ kind }) => kind === 'review.snapshot_taken')?.data).toMatchObject({
    items: 0,
    evidence: { review_entitlements: { rows: 3 } },
  });
  const { sums, verdicts } = await readCompleteness(run.as(), id);
  expect(sums.filter(({ holds }) => !holds)).toEqual([]);
  expect(verdicts.filter(({ verdict }) => verdict === 'IN')).toEqual([]);
});
