/** What comes into the scope of a review after its snapshot: counted while it is open, kept at the close, asked about by a supplementary review. */
import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailRun, openMailRun } from '../../../../test/support/mail-run.ts';
import { closeReview } from '../life/close.ts';
import { supplementReview } from '../life/supplement.ts';
import { findReview } from '../record/index.ts';
import { readArrivalCounts, readArrivalPage } from './arrivals.ts';

const header = 'account,email,account_type,account_status,resource_type,resource,entitlement';
const line = (account: string, what: string, email = `${account}@mail.example`, type = 'USER'): string =>
  `${account},${email},${type},ENABLED,role,Ledger,${what}`;
const before = [line('ann', 'pay'), line('ann', 'read'), line('bob', 'pay'), line('bob', 'read')];

let run: MailRun;
beforeAll(async () => {
  run = await openMailRun('2026-06-01T12:00:00Z');
});
afterAll(() => run.close());

/** Opens a review of an app. */
const open = async (app: string, document: JsonObject = {}): Promise<string> => {
  const [found] = await run.admin('SELECT id FROM apps WHERE display_name = $1', [app]);
  return run.open({ displayName: app, singleApp: { appId: String(found?.id) }, ...document });
};
const put = (app: string, ...lines: string[]): Promise<unknown> => run.importGrants([header, ...lines], app);
const names = async (id: string): Promise<string[]> =>
  (await readArrivalPage(run.as(), id, undefined, 100))
    .map(({ accountName, entitlementName }) => `${accountName} ${entitlementName}`.replace('Ledger ', ''))
    .sort();
const asked = async (id: string): Promise<string[]> =>
  (
    await run.admin(
      `SELECT a.external_id || ' ' || e.external_id AS item FROM tasks t
       JOIN accounts a ON a.tenant_id = t.tenant_id AND a.app_id = t.app_id AND a.id = t.account_id
       JOIN entitlements e ON e.tenant_id = t.tenant_id AND e.app_id = t.app_id AND e.id = t.entitlement_id
       WHERE t.review_id = $1 ORDER BY 1`,
      [id],
    )
  ).map(({ item }) => String(item));

describe('what comes after the snapshot', () => {
  it('is counted, kept at the close, and asked about once', async () => {
    await put('Late', ...before);
    const id = await open('Late');
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ counted: true, final: false, arrived: 0, unasked: 0 });
    // A new right of somebody asked, a new account, one that is gone again, and one of another app.
    await put('Late', ...before, line('ann', 'close'), line('dan', 'read'), line('dan', 'close'));
    await put('Late', ...before, line('ann', 'close'), line('dan', 'read'));
    await put('Elsewhere', line('ann', 'pay'));
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ arrived: 2, supplemented: 0, unasked: 2, supplements: [] });
    expect(await names(id)).toEqual(['ann close', 'dan read']);
    await closeReview(run.as(), id, '');
    await run.settle();
    const [closed] = await run.admin("SELECT data FROM events WHERE kind = 'review.closed' AND target_id = $1", [id]);
    expect(closed?.data).toMatchObject({ arrived: 2, evidence: { review_arrivals: { rows: 2 } } });
    expect((await findReview(run.as(), id))?.insights).toContain('**After the snapshot:** 2 grants came into the scope');
    // Later ones belong to the next review.
    await put('Late', ...before, line('ann', 'close'), line('dan', 'read'), line('bob', 'close'));
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ counted: true, final: true, arrived: 2, unasked: 2 });
    const made = await supplementReview(run.as(), id);
    expect(made).toMatchObject({ displayName: 'Late, after the snapshot', items: 2, left: 0 });
    await run.settle();
    expect((await findReview(run.as(), made.id))?.state).toBe('OPEN');
    expect(await asked(made.id)).toEqual(['ann close', 'dan read']);
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({
      arrived: 2,
      supplemented: 2,
      unasked: 0,
      supplements: [{ accessReviewId: made.id, displayName: 'Late, after the snapshot', items: 2 }],
    });
    expect(await readArrivalCounts(run.as(), made.id)).toMatchObject({
      arrived: 0,
      supplementOf: { accessReviewId: id, displayName: 'Late' },
    });
    await expect(supplementReview(run.as(), id)).rejects.toMatchObject({ code: 'FAILED_PRECONDITION' });
  });

  it('is none where nothing came, which the close says', async () => {
    await put('Quiet', ...before);
    const id = await open('Quiet');
    await closeReview(run.as(), id, '');
    await run.settle();
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ counted: true, final: true, arrived: 0 });
    const [closed] = await run.admin("SELECT data FROM events WHERE kind = 'review.closed' AND target_id = $1", [id]);
    expect(closed?.data).toMatchObject({ arrived: 0 });
    expect((await findReview(run.as(), id))?.insights).toContain('- **After the snapshot:** none came into the scope.');
    await expect(supplementReview(run.as(), id)).rejects.toMatchObject({
      message: 'Nothing came into the scope of this review after its snapshot that no review asks about.',
    });
  });

  it('has what the scope would choose now: new entitlements, app access, and nothing that a filter leaves out', async () => {
    const robot = line('robot', 'close', '', 'SERVICE_ACCOUNT');
    await put('Filtered', ...before);
    const people = await open('Filtered', { exclusionScope: { appUserTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] } });
    const access = await open('Filtered', { scopeV2: { appAccess: {} } });
    await put('Filtered', ...before, robot, line('cyn', 'close'));
    expect(await names(people)).toEqual(['cyn close']);
    expect((await names(access)).map((name) => name.split(' ')[0])).toEqual(['cyn', 'robot']);
    const { id } = await supplementReview(run.as(), access);
    await run.settle();
    expect(await asked(id)).toHaveLength(2);
  });

  it('has what ended and came again where nobody had decided it, and nothing that somebody decided', async () => {
    await put('Again', ...before);
    const id = await open('Again', { autoResolve: true });
    await run.finish(id, 'max');
    const decided = await asked(id);
    expect(decided).toHaveLength(4);
    await put('Again', before[0] as string);
    await put('Again', ...before);
    expect(await names(id)).toEqual([]);
    await put('Undone', ...before);
    const other = await open('Undone', { autoResolve: true });
    await put('Undone', before[0] as string);
    await put('Undone', ...before);
    expect(await names(other)).toEqual(['ann read', 'bob pay', 'bob read']);
  });

  it('is asked about in pieces: what comes after a supplementary review is left for the next', async () => {
    await put('Twice', ...before);
    const id = await open('Twice', { completionDate: '2027-01-01T00:00:00Z' });
    await put('Twice', ...before, line('dan', 'read'));
    const first = await supplementReview(run.as(), id);
    await put('Twice', ...before, line('dan', 'read'), line('dan', 'pay'));
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ arrived: 2, supplemented: 1, unasked: 1 });
    const second = await supplementReview(run.as(), id);
    await run.settle();
    expect([await asked(first.id), await asked(second.id)]).toEqual([['dan read'], ['dan pay']]);
    // As it was prepared by hand: asked of whom the policy says, due when the first one is.
    const [task] = await run.admin(
      'SELECT s.user_ids FROM tasks t JOIN task_assignments s ON s.tenant_id = t.tenant_id AND s.id = t.assignment_id WHERE t.review_id = $1',
      [first.id],
    );
    expect(task?.user_ids).toEqual([await run.userId('cyn')]);
    expect((await findReview(run.as(), first.id))?.document.completionDate).toBe('2027-01-01T00:00:00Z');
  });

  it('is said to be unknown where an earlier release closed the review', async () => {
    await put('Old', ...before);
    const id = await open('Old');
    await closeReview(run.as(), id, '');
    await run.settle();
    await run.admin('UPDATE reviews SET arrived = NULL WHERE id = $1', [id]);
    expect(await readArrivalCounts(run.as(), id)).toMatchObject({ counted: false, arrived: 0 });
    await expect(supplementReview(run.as(), id)).rejects.toMatchObject({ message: expect.stringContaining('Nobody counted') });
  });
});
