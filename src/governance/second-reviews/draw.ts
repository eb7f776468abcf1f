/**
 * Drawing a blind second review: a random part of what people decided is asked again of people who had nothing to do with it and cannot read the first
 * decisions. The draw is made of a seed, so anybody who reads the review can repeat it.
 */
import { randomBytes } from 'node:crypto';
import { AppError, type FieldViolation, refuseInvalid } from '../../errors.ts';
import { type Context, inTransaction } from '../../context.ts';
import { recordEvent } from '../../foundation/audit/index.ts';
import { ROLES } from '../../foundation/directory/index.ts';
import { requireLockedReview, type ReviewRow } from '../reviews/index.ts';
import {
  countPopulation,
  findSecondReview,
  insertDrawnItems,
  insertSecondReview,
  lockSecondReview,
  type SecondReviewRow,
} from './store.ts';
import { listUnfit } from './store-items.ts';

/** The most items of a draw, and the most people who are asked. */
const most = { items: 10_000, reviewers: 100 } as const;

/** Roles whose holders read the first decisions of every review: as administrators, or in the event log. */
export const readingRoleIds: readonly string[] = [
  ROLES.SUPER_ADMINISTRATOR.id,
  ROLES.READ_ONLY_ADMINISTRATOR.id,
  ROLES.READ_ONLY_SYSTEM_LOGS.id,
];

/** Draw that is asked for: a share in percent, or a number of items; 0 for what is not said. */
export interface DrawRequest {
  readonly sharePercent: number;
  readonly number: number;
  readonly reviewerIds: readonly string[];
}

function listSizeViolations({ sharePercent, number }: DrawRequest): FieldViolation[] {
  if ((sharePercent === 0) === (number === 0)) {
    return [{ field: 'sharePercent', description: 'say either sharePercent or number' }];
  }
  return [
    ...(sharePercent >= 0 && sharePercent <= 100 ? [] : [{ field: 'sharePercent', description: 'must be more than 0 and at most 100' }]),
    ...(number >= 0 && number <= most.items ? [] : [{ field: 'number', description: `must be 1 to ${most.items}` }]),
  ];
}

/** Lists who cannot be asked, and why. */
async function listReviewerViolations(context: Context, review: ReviewRow, reviewerIds: readonly string[]): Promise<FieldViolation[]> {
  if (reviewerIds.length === 0 || reviewerIds.length > most.reviewers) {
    return [{ field: 'reviewerIds', description: `must name 1 to ${most.reviewers} people` }];
  }
  const unfit = new Map((await listUnfit(context, reviewerIds, readingRoleIds)).map(({ id, why }) => [id, why]));
  return reviewerIds.flatMap((id, index) => {
    const why = unfit.get(id) ?? (review.ownerIds.includes(id) ? 'owns this review, and so reads the first decisions' : undefined);
    return why === undefined ? [] : [{ field: `reviewerIds[${index}]`, description: `${id} ${why}` }];
  });
}

function refuse(violations: readonly FieldViolation[]): void {
  refuseInvalid(violations);
}

function sizeOf({ sharePercent, number }: DrawRequest, population: number): number {
  // Rounded to a millionth first, so that 7 % of 100 is 7 items.
  return number > 0 ? Math.min(number, population) : Math.ceil(Math.round(population * sharePercent * 10_000) / 1_000_000);
}

/** Draws the second review of a running or closed review, and asks its reviewers. One for each review. */
export function drawSecondReview(context: Context, reviewId: string, request: DrawRequest): Promise<SecondReviewRow> {
  return inTransaction(context, async (inside) => {
    const review = await requireLockedReview(inside, reviewId);
    const reviewerIds = [...new Set(request.reviewerIds)].sort();
    refuse([...listSizeViolations(request), ...(await listReviewerViolations(inside, review, request.reviewerIds))]);
    if (review.closing || (review.state !== 'OPEN' && review.state !== 'CLOSED')) {
      throw new AppError('FAILED_PRECONDITION', 'A second review is drawn from what was decided: the review must be open or closed.');
    }
    if ((await lockSecondReview(inside, reviewId)) !== undefined) {
      throw new AppError(
        'FAILED_PRECONDITION',
        'This review has a second review already. There is one draw, so that nobody draws until the result fits.',
      );
    }
    const { count, digest } = await countPopulation(inside, reviewId);
    const items = sizeOf(request, count);
    if (items === 0) {
      throw new AppError('FAILED_PRECONDITION', 'Nobody decided anything in this review yet, so there is nothing to draw from.');
    }
    if (items > most.items) {
      refuse([{ field: 'sharePercent', description: `draws ${items} of ${count} items; at most ${most.items} are possible` }]);
    }
    const row = { reviewId, seed: randomBytes(16).toString('hex'), population: count, populationDigest: digest, items, reviewerIds };
    await insertSecondReview(inside, row);
    const drawn = await insertDrawnItems(inside, row);
    if (drawn.nobody > 0) {
      throw new AppError(
        'FAILED_PRECONDITION',
        `For ${drawn.nobody} of the ${items} items that were drawn, each of these reviewers is the person reviewed, owns the app, or was asked before. Name more people; the next draw is another one.`,
        { violations: [{ field: 'reviewerIds', description: 'name more people who had nothing to do with the first decisions' }] },
      );
    }
    await recordEvent(inside, {
      kind: 'second_review.drawn',
      targetId: reviewId,
      data: {
        displayName: review.document.displayName,
        seed: row.seed,
        population: count,
        populationSha256: digest,
        // Text, since events hold whole numbers alone.
        sharePercent: String(request.sharePercent),
        number: request.number,
        items,
        itemsSha256: drawn.digest,
        reviewerIds,
      },
    });
    return (await findSecondReview(inside, reviewId)) as SecondReviewRow;
  });
}
