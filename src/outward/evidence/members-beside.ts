/** Work done beside the review: a blind second review of some of its items, and the tie-out with the review before. Empty where there is none. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { findRollForward, listLines } from '../../governance/roll-forwards/index.ts';
import { findSecondReview, listCompared } from '../../governance/second-reviews/index.ts';
import { type BundleMember, lineMember, wholeMember } from './member.ts';

/** As JSON has it: times are texts, and members without a value are not there. */
const line = (row: object): string => canonicalJson(JSON.parse(JSON.stringify(row)) as object);

export const besideMembers: readonly BundleMember[] = [
  // One that runs is blind: whoever is asked must not read the first decisions, nor anybody the second ones.
  wholeMember('second-review.json', async (context, { review }) => {
    const found = await findSecondReview(context, review.id);
    return found?.state === 'ENDED' ? line(found) : '';
  }),
  lineMember(
    'second-review.jsonl',
    async (context, reviewId, [after = '0'], limit) =>
      (await findSecondReview(context, reviewId))?.state === 'ENDED' ? listCompared(context, reviewId, false, Number(after), limit) : [],
    ({ place }) => [String(place)],
    line,
  ),
  wholeMember('tie-out.json', async (context, { review }) => {
    const found = await findRollForward(context, review.id);
    return found === undefined ? '' : line(found);
  }),
  lineMember(
    'tie-out-lines.jsonl',
    (context, reviewId, [after = '0'], limit) => listLines(context, reviewId, { kinds: [], causes: [] }, Number(after), limit),
    ({ number }) => [String(number)],
    line,
  ),
];
