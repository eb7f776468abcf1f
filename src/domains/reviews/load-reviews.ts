/**
 * Reviews as expanded objects of other replies: each as much of it as the caller sees.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Loader } from '../../wire/expand.ts';
import { listSights } from './permit.ts';
import { listReviewsByIds } from './store.ts';
import { shapeReview, shapeReviewForReviewers } from './view.ts';

/** Reviews by id; those of which the caller may not know are left out. */
export const reviewLoader: Loader = async (context, ids) => {
  const rows = [...(await listReviewsByIds(context, ids)).values()];
  const sights = await listSights(context, rows);
  return new Map(
    rows.flatMap((row) => {
      const sight = sights.get(row.id);
      return sight === undefined ? [] : [[row.id, (sight === 'all' ? shapeReview(row) : shapeReviewForReviewers(row)) as JsonObject]];
    }),
  );
};
