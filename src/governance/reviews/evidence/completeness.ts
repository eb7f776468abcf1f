/**
 * The completeness of a review: what its snapshot froze of what came in and of what it leaves out, what became of the rest, and the sums by which the one
 * follows from the other.
 */
import { AppError } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import type { EventKind } from '../../../events/index.ts';
import { deniedOutcomes, makeSums, type Sum } from '../../../lib/completeness/sums.ts';
import { type ChangeEvent, listChanges } from '../../../foundation/audit/index.ts';
import { findRevision } from '../../../inventory/ledger/index.ts';
import { countRemovalStates } from '../../revocations/index.ts';
import { countHeldItems, countItemOutcomes, type OutcomeCount } from '../../tasks/index.ts';
import {
  findHead,
  findPeopleSources,
  type Head,
  listSnapshotPolicyIds,
  listSourceChanges,
  listSourceCounts,
  listVerdicts,
  type SourceChange,
  type SourceCount,
  type VerdictCount,
} from '../../snapshots/index.ts';
import { changeStage, mayReadEvidence, nameStage, type ReviewRow, requireReview } from '../record/index.ts';
import { findRevisionAt, listAppNames } from './store-completeness.ts';

const maxRevisions = 1_000;
const maxChanges = 500;

const reviewKinds: readonly EventKind[] = [
  'review.created',
  'review.updated',
  'review.owners_changed',
  'review.scope_changed',
  'review.independence_set',
  'review.acknowledgement_set',
  'review.prepare_requested',
  'review.snapshot_taken',
  'review.prepared',
  'review.reset',
];
const targetKinds: readonly EventKind[] = [
  'policy.created',
  'policy.updated',
  'policy.deleted',
  'app.updated',
  'app.owners_changed',
  'connector.created',
  'connector.updated',
  'connector.deleted',
  'connector.paused',
  'connector.resumed',
  'connector.owners_changed',
  'connector.column_mapping_changed',
  'connector.match_order_changed',
  'connector.removal_share_changed',
  'template.updated',
  'template.scope_changed',
  'template.owners_changed',
];

/** The completeness of a review. */
export interface Completeness {
  readonly head: Head;
  readonly sums: readonly Sum[];
  readonly sources: readonly SourceCount[];
  /** Sources that reported people as of the snapshot, with how many of their records were disputed. */
  readonly peopleSources: readonly { readonly sourceId: string; readonly displayName: string; readonly disputed: number }[];
  readonly verdicts: readonly VerdictCount[];
  readonly revisions: readonly SourceChange[];
  readonly outcomes: readonly OutcomeCount[];
  readonly removals: readonly { readonly state: string; readonly items: number }[];
  readonly changes: readonly ChangeEvent[];
  readonly apps: readonly {
    readonly appId: string;
    readonly displayName: string;
    readonly itemsAtLaunch: number;
    readonly itemsAtCompletion: number;
  }[];
}

/**
 * Reads the completeness of a prepared review: for its owners and whoever sees everything. FAILED_PRECONDITION where it has no snapshot, or one that an
 * earlier release took.
 */
export async function readCompleteness(context: Context, id: string): Promise<Completeness> {
  const review = await requireReview(context, id, 'read');
  if (!mayReadEvidence(context.actor, review)) {
    throw new AppError('PERMISSION_DENIED', 'Only the owners of this access review and administrators who see all reviews may do this.');
  }
  const head = review.state === 'DRAFT' || review.state === 'PREPARING' ? undefined : await findHead(context, id);
  if (head === undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      review.preparedRevision === null || review.state === 'DRAFT' || review.state === 'PREPARING'
        ? `The review is ${nameStage(changeStage(review))}: what it rests on is known only after it is prepared.`
        : 'An earlier release prepared this review, and did not keep what it left out.',
    );
  }
  return findCompleteness(context, review, head);
}

/** Returns the completeness of a review whose snapshot has this head, whoever asks. */
async function findCompleteness(context: Context, review: ReviewRow, head: Head): Promise<Completeness> {
  const { id } = review;
  const [sources, verdicts, outcomes] = [
    await listSourceCounts(context, id),
    await listVerdicts(context, id),
    await countItemOutcomes(context, id),
  ];
  const removals = await countRemovalStates(context, id);
  const isDecided = outcomes.some(({ outcome }) => deniedOutcomes.includes(outcome));
  return {
    head,
    sources,
    peopleSources: (await findPeopleSources(context, id)) ?? [],
    verdicts,
    outcomes,
    removals,
    sums: makeSums({ sources, verdicts, outcomes, removals: isDecided || removals.length > 0 ? removals : undefined }),
    revisions: await listSourceChanges(context, id, maxRevisions),
    changes: await findChanges(context, review, sources),
    apps: await findApps(context, review, head, verdicts),
  };
}

/** Returns the sums of a snapshot that do not hold, as lines, when it has so many items of which none was asked about yet. */
export async function listBrokenSums(context: Context, snapshotId: string, items: number): Promise<string[]> {
  const figures = {
    sources: await listSourceCounts(context, snapshotId),
    verdicts: await listVerdicts(context, snapshotId),
    outcomes: [{ outcome: 'items', items }],
    removals: undefined,
  };
  return makeSums(figures).flatMap(({ number, holds, text }) => (holds ? [] : [`${number}: ${text}`]));
}

async function findChanges(context: Context, review: ReviewRow, sources: readonly SourceCount[]): Promise<ChangeEvent[]> {
  const ids = [
    ...(await listSnapshotPolicyIds(context, review.id)),
    ...sources.flatMap(({ sourceId, appId }) => [sourceId, appId]),
    review.document.accessReviewTemplateId ?? '',
  ];
  const targetIds = [...new Set(ids)].filter((one) => one !== '');
  return listChanges(
    context,
    { reviewId: review.id, reviewKinds, targetIds, targetKinds, until: review.closedAt ?? context.now },
    maxChanges,
  );
}

async function findApps(context: Context, review: ReviewRow, head: Head, verdicts: readonly VerdictCount[]): Promise<Completeness['apps']> {
  const end = review.closedAt === null ? await findRevision(context) : await findRevisionAt(context, review.closedAt);
  const [launch, completion] = [
    await countHeldItems(context, review.id, head.revision),
    await countHeldItems(context, review.id, Math.max(end, head.revision)),
  ];
  const names = await listAppNames(context, [...new Set(verdicts.map(({ appId }) => appId))]);
  const itemsOf = (counts: readonly { readonly appId: string; readonly items: number }[], appId: string): number =>
    counts.find((one) => one.appId === appId)?.items ?? 0;
  return names.map(({ id, displayName }) => ({
    appId: id,
    displayName,
    itemsAtLaunch: itemsOf(launch, id),
    itemsAtCompletion: itemsOf(completion, id),
  }));
}
