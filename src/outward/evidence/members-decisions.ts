/** The items of a review, what was decided about them by whom, and how they ended. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { listItemLines, listReviewActions, type ReviewAction } from '../../governance/tasks/index.ts';
import { type BundleMember, lineMember } from './member.ts';
import { listOutcomes } from './store.ts';

const keyOf = ({ item, action }: ReviewAction): readonly string[] => [item, action];

export const decisionMembers: readonly BundleMember[] = [
  lineMember(
    'items.jsonl',
    (context, reviewId, [after = ''], limit) => listItemLines(context, reviewId, after, limit),
    ({ id }) => [id],
    ({ line }) => line,
    'items',
  ),
  lineMember(
    'decisions.jsonl',
    (context, reviewId, after, limit) => listReviewActions(context, reviewId, after, limit, false),
    keyOf,
    ({ line }) => line,
    'decisions',
  ),
  lineMember(
    'comments.jsonl',
    (context, reviewId, after, limit) => listReviewActions(context, reviewId, after, limit, true),
    keyOf,
    ({ action, salt, comment, isErased }) => canonicalJson(isErased ? { action, erased: true } : { action, salt, text: comment }),
  ),
  lineMember('outcomes.jsonl', listOutcomes, ({ item }) => [item], canonicalJson),
];
