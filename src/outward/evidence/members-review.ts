/** The subject of the review, by its settings and policies, and a page in words for people who open the file. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { makeSummary } from '../reports/index.ts';
import { findArrivalCounts, pickMembers, readSnapshotItems, writePreparedScope } from '../../governance/reviews/index.ts';
import { listPolicyLines, listScopeEntries } from '../../governance/snapshots/index.ts';
import { getReadme } from './readme.ts';
import { type BundleMember, lineMember, wholeMember } from './member.ts';
import { listSetup } from './store.ts';

export const reviewMembers: readonly BundleMember[] = [
  wholeMember('README.html', getReadme),
  wholeMember('review.json', async (context, { review }) => {
    const { document } = review;
    // What is reviewed.
    const scope = pickMembers(document, ({ group }) => group === 'scope' || group === 'kind');
    return canonicalJson({
      id: review.id,
      name: document.displayName ?? '',
      description: document.description ?? '',
      owners: review.ownerIds,
      createdBy: review.createdById,
      createdAt: review.createdAt.toISOString(),
      startedAt: review.startedAt?.toISOString() ?? null,
      closedAt: review.closedAt?.toISOString() ?? null,
      preparedRevision: review.preparedRevision,
      scopeHash: review.scopeHash,
      itemsHash: review.itemsHash,
      scope,
      // With the times of grants and how they are held, what the verdicts follow from.
      takenAt: review.sourcesFrozenAt?.toISOString() ?? null,
      // The same scope as its hash in the log has it, so that nobody can name another one later.
      scopeText: await writePreparedScope(context, review),
      ofConflicts: (await readSnapshotItems(context, review)).ofConflicts,
      lists: (await listScopeEntries(context, review.id)).map((entry) => ({ ...entry })),
      setup: await listSetup(context, review.id),
      policy: { id: document.policyId ?? '', usePolicyOverride: document.usePolicyOverride ?? false },
      signatureConfig: document.signatureConfig ?? null,
      acknowledgement: review.acknowledgement.signature ?? null,
      // How many lines arrivals.jsonl has; null where nobody counted them.
      arrived: review.arrived,
      supplementOf: review.supplementOfId,
      supplements: (await findArrivalCounts(context, review)).supplements.map(({ accessReviewId }) => accessReviewId),
    });
  }),
  lineMember(
    'policies.jsonl',
    // As many as a review has of them, which is few.
    async (context, reviewId, [after = ''], limit) =>
      (await listPolicyLines(context, [reviewId])).filter(({ id }) => id > after).slice(0, limit),
    ({ id }) => [id],
    ({ line }) => line,
  ),
  {
    path: 'summary.pdf',
    read: async (context, { report }) => ({ lines: [], bytes: await makeSummary(context, report), after: undefined }),
  },
];
