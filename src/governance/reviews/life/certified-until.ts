/**
 * Access that was certified until a date is asked about again once that date has passed: by one review for all of it that one review certified until
 * the same day, which starts by itself. One job of the tenant, which sleeps as a call until the next date; each piece writes down what it followed, so
 * that a kill loses nothing and nothing is asked twice.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { callAgain, type JobKind } from '../../../jobs/index.ts';
import { dayAt, wallTimeAt } from '../../../lib/wall-time.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { findTimeZone } from '../../../foundation/tenants/index.ts';
import { insertDraft, settingsOf } from './create.ts';
import { type ReviewRow, findReview, maxListLength } from '../record/index.ts';
import { type Day, type EndedItem, findFirstEnd, findNextEnd, insertFollowed, listEnded } from './store-certified-until.ts';
import { updateScopeEntries } from '../../snapshots/index.ts';

/** The kind of the job; its subject is the tenant. */
export const certifiedUntilKind = 'reviews.certified-until';

/** Longest name of a review that the name of the next one repeats; the rest is for the date. */
const maxRepeatedName = 900;

/** Gives the next review time: as long as the one before it was given. */
export function findDue(before: ReviewRow, now: Date): Date | undefined {
  const due = before.document.completionDate ?? '';
  const given = due === '' || before.startedAt === null ? 0 : new Date(due).getTime() - before.startedAt.getTime();
  return given > 0 ? new Date(now.getTime() + given) : undefined;
}

/** Makes the review that asks about these items again, with the settings and owners of the one that certified them; it starts by itself. */
async function makeNext(context: Context, before: ReviewRow, items: readonly EndedItem[], until: string): Promise<ReviewRow> {
  const due = findDue(before, context.now);
  const { autoCloseCampaign, ...settings } = settingsOf(before.document, ['scope', 'kind']);
  const entitlements = new Map(items.map(({ appId, entitlementId }) => [`${appId}/${entitlementId}`, { appId, entitlementId }]));
  const review = await insertDraft(
    context,
    {
      ...settings,
      displayName: `${(before.document.displayName ?? '').slice(0, maxRepeatedName)}, certified until ${until}`,
      scopeV2: items.some(({ isLink }) => isLink) ? { principalTypeFilter: 'PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES' } : {},
      autoStartCampaign: true,
      scheduledStartDate: timestamp(context.now) ?? '',
      ...(due === undefined ? {} : { completionDate: timestamp(due) ?? '', autoCloseCampaign: autoCloseCampaign === true }),
    },
    {
      ownerIds: before.ownerIds,
      createdById: before.createdById,
      scopeListsOf: '',
      entitlements: [...entitlements.values()],
      resourceTypes: [],
      triggered: false,
      followsId: before.id,
    },
  );
  const noEntry = { kind: '', objectId: '', roleResourceId: '', reason: '' } as const;
  const grants = items.map(({ appId, entitlementId, accountId }) => ({
    ...noEntry,
    list: 'GRANT' as const,
    appId,
    entitlementId,
    accountId,
  }));
  await updateScopeEntries(context, review.id, grants);
  return review;
}

/** Follows the items of one review and day that have ended, as many as one review may name. */
async function followEnd(context: Context, reviewId: string, day: Day, zone: string): Promise<number> {
  const ended = await listEnded(context, reviewId, day, maxListLength);
  const standing = ended.filter(({ stands }) => stands);
  const before = await findReview(context, reviewId);
  const { year, month, day: date } = wallTimeAt(day.from, zone);
  const until = [year, String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
  const isGone = before === undefined || before.state === 'DELETED' || standing.length === 0;
  const next = isGone ? undefined : await makeNext(context, before, standing, until);
  await insertFollowed(context, standing, next?.id ?? '');
  await insertFollowed(
    context,
    ended.filter(({ stands }) => !stands),
    '',
  );
  if (before !== undefined && before.state !== 'DELETED') {
    const taskIds = standing.map(({ taskId }) => taskId).sort();
    await recordEvent(context, {
      kind: 'review.certification_ended',
      targetId: reviewId,
      data: {
        until,
        accessReviewId: next?.id ?? '',
        items: standing.length,
        digest: createHash('sha256').update(taskIds.join(',')).digest('hex'),
        accessEnded: ended.length - standing.length,
      },
    });
  }
  return ended.length;
}

/** Follows what has ended, day by day in order, then calls for itself when the next item ends. */
export const certifiedUntilJob: JobKind = {
  // Giving up would silently leave access certified for good.
  maxAttempts: Number.MAX_SAFE_INTEGER,
  async handler(context, job) {
    const { db, tenantId, now } = context;
    const zone = await findTimeZone(db, tenantId);
    const first = await findFirstEnd(context, dayAt(now, zone));
    if (first !== undefined) {
      return { cursor: {}, done: job.done + (await followEnd(context, first.reviewId, dayAt(first.at, zone), zone)), total: 0 };
    }
    const next = await findNextEnd(context);
    if (next !== undefined) {
      await callAgain(db, { tenantId, kind: certifiedUntilKind, subjectId: tenantId, runAt: next }, context.now);
    }
    return 'finished';
  },
};
