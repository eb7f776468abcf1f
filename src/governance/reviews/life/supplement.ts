/**
 * The supplementary review: what came into the scope of a review after its snapshot is asked about by a review of its own. The snapshot of the first is
 * frozen and sealed, with sums and hashes over its items, so nothing is added to it.
 */
import { AppError } from '../../../errors.ts';
import { inTransaction, type Context } from '../../../context.ts';
import { timestamp } from '../../../wire/timestamps.ts';
import { recordEvent } from '../../../foundation/audit/index.ts';
import { nameStanding } from '../../../inventory/catalog/index.ts';
import { insertSetupCopy, listScopeEntries, type ScopeEntry, updateScopeEntries, updateStandingIds } from '../../snapshots/index.ts';
import { type ArrivalKey, isSupplementable, listUnasked } from '../arrivals/index.ts';
import { maxListLength, nameStage, changeStage, requireLockedReview, type ReviewRow, updateReview } from '../record/index.ts';
import { mayExempt, withoutExemption } from '../scope/index.ts';
import { findDue } from './certified-until.ts';
import { insertDraft, settingsOf } from './create.ts';

/** Longest name of a review that the name of its supplement repeats; the rest is for what it is. */
const maxRepeatedName = 900;

/** A supplementary review that was made. */
export interface MadeSupplement {
  readonly id: string;
  readonly displayName: string;
  readonly items: number;
  /** What one review cannot name beside it. */
  readonly left: number;
}

function sayInstead({ closing, state }: ReviewRow): string {
  if (closing) {
    return 'wait until it is closed';
  }
  return state === 'DRAFT' || state === 'PREPARING'
    ? 'nothing comes after a snapshot that it does not have yet'
    : 'nobody was asked yet, so reset it and prepare it again';
}

function requirePossible(review: ReviewRow): void {
  if (!isSupplementable(review)) {
    throw new AppError('FAILED_PRECONDITION', `The review is ${nameStage(changeStage(review))}: ${sayInstead(review)}.`);
  }
}

/** The lists of the scope, narrowed to these grants: they are asked about whether the review before asked about changes alone or not. */
function narrow(entries: readonly ScopeEntry[], keys: readonly ArrivalKey[]): ScopeEntry[] {
  const noEntry = { list: 'GRANT', kind: '', objectId: '', roleResourceId: '', reason: '' } as const;
  return [...entries.filter(({ list }) => list !== 'CHANGES_ONLY' && list !== 'GRANT'), ...keys.map((key) => ({ ...noEntry, ...key }))];
}

/** The day by which it is due: that of the review before while that is to come, else as long as that was given. */
function findSupplementDue(before: ReviewRow, now: Date): Date | undefined {
  const due = before.document.completionDate ? new Date(before.document.completionDate) : undefined;
  return due !== undefined && due > now ? due : findDue(before, now);
}

/**
 * Makes the supplementary review of an open or closed review and returns it; it starts by itself. It asks about exactly what came after the snapshot and
 * no review asks about yet, by the same scope, policy and owners. FAILED_PRECONDITION where there is nothing, and in other states.
 */
export function supplementReview(context: Context, id: string): Promise<MadeSupplement> {
  return inTransaction(context, async (inside) => {
    const before = await requireLockedReview(inside, id);
    requirePossible(before);
    const { keys, total } = await listUnasked(inside, before, maxListLength);
    if (keys.length === 0) {
      throw nothingToAsk(before);
    }
    const made = await insertSupplement(inside, before, keys);
    const items = keys.length;
    await recordEvent(inside, { kind: 'review.supplemented', targetId: id, data: { accessReviewId: made.id, items, left: total - items } });
    return { id: made.id, displayName: made.document.displayName ?? '', items, left: total - items };
  });
}

function nothingToAsk({ state, arrived }: ReviewRow): AppError {
  return new AppError(
    'FAILED_PRECONDITION',
    state === 'CLOSED' && arrived === null
      ? 'Nobody counted what came into the scope of this review after its snapshot: make a new review of the same scope.'
      : 'Nothing came into the scope of this review after its snapshot that no review asks about.',
  );
}

async function insertSupplement(inside: Context, before: ReviewRow, keys: readonly ArrivalKey[]): Promise<ReviewRow> {
  const due = findSupplementDue(before, inside.now);
  const { autoCloseCampaign, ...copy } = await nameStanding(inside, settingsOf(before.document, []));
  const settings = mayExempt(inside.actor) ? copy : withoutExemption(copy);
  const made = await insertDraft(
    inside,
    {
      ...settings,
      displayName: `${(before.document.displayName ?? '').slice(0, maxRepeatedName)}, after the snapshot`,
      autoStartCampaign: true,
      scheduledStartDate: timestamp(inside.now) ?? '',
      ...(due === undefined ? {} : { completionDate: timestamp(due) ?? '', autoCloseCampaign: autoCloseCampaign === true }),
    },
    {
      ownerIds: before.ownerIds,
      createdById: inside.actor.userId,
      scopeListsOf: '',
      entitlements: [],
      resourceTypes: [],
      triggered: false,
      followsId: before.id,
    },
  );
  await insertSetupCopy(inside, before.id, made.id);
  await updateScopeEntries(inside, made.id, narrow(await listScopeEntries(inside, before.id), keys));
  await updateStandingIds(inside, made.id);
  await updateReview(inside, made.id, { supplementOfId: before.id });
  return made;
}
