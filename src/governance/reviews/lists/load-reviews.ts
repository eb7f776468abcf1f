/**
 * Reviews as expanded objects of other replies: each as much of it as the caller sees.
 */
import type { AccessReview } from '../../../gen/c1/api/accessreview/v1/accessreview_pb.js';
import type { Loader } from '../../../wire/expand.ts';
import { listReviewsByIds, listSights } from '../record/index.ts';
import { shapeReview, shapeReviewForReviewers } from '../life/index.ts';

/** Reviews by id; those of which the caller may not know are left out. */
export const reviewLoader: Loader<AccessReview> = async (context, ids) => {
  const rows = [...(await listReviewsByIds(context, ids)).values()];
  const sights = await listSights(context, rows);
  return new Map(
    rows.flatMap((row) => {
      const sight = sights.get(row.id);
      return sight === undefined ? [] : [[row.id, sight === 'all' ? shapeReview(row) : shapeReviewForReviewers(row)]];
    }),
  );
};
