/**
 * SQL about reviews themselves: the table `reviews`. Owners are in store-owners.ts; the lists of a scope and the snapshot of a
 * prepared review in the module snapshots.
 */
import { fixed, joinSql, sql } from '../../../lib/sql.ts';
import type { Context } from '../../../context.ts';
import { getHoldOfReview, type StandingHold } from '../../../foundation/holds/index.ts';
import type { Relation } from '../../tasks/index.ts';
import type { ReviewSettings } from './members.ts';

/** The states a review is kept in (`reviews.state`); the wire has a prefix before them and some more that we never use. */
export type ReviewState = 'DRAFT' | 'PREPARING' | 'REVIEW' | 'PENDING' | 'STARTING' | 'OPEN' | 'CLOSED' | 'DELETED';

/** Effect of close on tasks nobody decided. */
export type CloseDecision = 'REVOKED' | 'SKIP' | 'NO_ACTION';

/** A review. */
export interface ReviewRow {
  readonly id: string;
  readonly state: ReviewState;
  /** Close was accepted: the state is still OPEN, but nothing is decided or changed any more. */
  readonly closing: boolean;
  /** Empty until close was accepted. */
  readonly closeDecision: CloseDecision | '';
  readonly document: ReviewSettings;
  readonly createdById: string;
  /** True if a change of somebody made it. */
  readonly triggered: boolean;
  /** Goes up with each change of the scope. */
  readonly scopingVersion: number;
  /** The inventory revision of the snapshot; null before the first prepare. */
  readonly preparedRevision: number | null;
  readonly prepareGeneration: number;
  readonly expectedTicketCount: number | null;
  /** Job that runs or ran last. */
  readonly phase: '' | 'PREPARE' | 'START' | 'CLOSE';
  readonly phaseError: string;
  readonly phaseJobId: string;
  readonly sourcesFrozenAt: Date | null;
  readonly startedAt: Date | null;
  readonly closedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  readonly deletedById: string | null;
  readonly deleteReason: string;
  /** SHA-256 of what the scope said and of the items found, in hex; empty before they were. */
  readonly scopeHash: string;
  readonly itemsHash: string;
  /** The review whose items its own are compared with, once that is closed; null for none. */
  readonly predecessorId: string | null;
  /** Obstacle to its snapshot beside its scope (`reviews.error_state`). */
  readonly errorState: '' | 'SELECTION_QUOTA';
  /** Since when what is due by date is held: a start by its sources, a close by its acknowledgement. */
  readonly heldAt: Date | null;
  readonly remindedAt: Date | null;
  /** Time the watch over it last looked. */
  readonly watchedAt: Date | null;
  /** The grants that came into its scope after its snapshot, counted at its close; null where nobody counted them. */
  readonly arrived: number | null;
  /** The review that it supplements; null for none. */
  readonly supplementOfId: string | null;
  /** Findings at its close, as Markdown. */
  readonly insights: string;
  /** The sources of the apps in scope at the snapshot; null before it. */
  readonly accuracy: Accuracy | null;
  readonly acknowledgement: Acknowledgement;
  /** Relations of a reviewer to what is reviewed that block a decision. */
  readonly independence: { readonly blocked?: readonly Relation[] };
  /** Time its content was removed; null while it is there. */
  readonly emptiedAt: Date | null;
  /** The legal hold that covers it; null for none. */
  readonly legalHold: StandingHold | null;
  /** Ids of the people who manage it, sorted. */
  readonly ownerIds: readonly string[];
}

/** Fault in the data of a source. */
export type AccuracyFlag = 'STALE' | 'FAILED' | 'PAUSED' | 'NEVER' | 'HELD' | 'INCOMPLETE';

/** The last sync of a source. Times are RFC 3339 strings, empty where there is none. */
export interface SourceAccuracy {
  readonly connectorId: string;
  readonly appId: string;
  readonly displayName: string;
  /** Absent in what a snapshot of an earlier release kept. */
  readonly appDisplayName?: string;
  readonly lastSyncAt: string;
  readonly lastResult: '' | 'DONE' | 'FAILED';
  readonly lastDoneAt: string;
  /** Earliest moment that the data of the last one that was done can be of; absent in what a snapshot of an earlier release kept. */
  readonly observedFrom?: string;
  readonly rows: number;
  readonly flags: readonly AccuracyFlag[];
}

/** Age of the data of the apps in scope. */
export interface Accuracy {
  readonly checkedAt: string;
  /** Every app in scope has a source with a finished sync. */
  readonly supported: boolean;
  readonly sources: readonly SourceAccuracy[];
}

/** Acknowledgement of the decisions of a review; empty until somebody set it. */
export interface Acknowledgement {
  readonly required?: boolean;
  readonly userIds?: readonly string[];
  readonly signature?: AcknowledgementSignature;
}

/** Record of an acknowledgement. */
export interface AcknowledgementSignature {
  readonly userId: string;
  readonly issuerId: string;
  readonly at: string;
  readonly comment: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly digest: string;
  /** Set if the review asks for signatures. */
  readonly signatureId?: string;
}

const columns = `r.id, r.state, r.closing, r.close_decision AS "closeDecision", r.document, r.created_by_id AS "createdById", r.triggered,
  r.scoping_version AS "scopingVersion", r.prepared_revision AS "preparedRevision", r.prepare_generation AS "prepareGeneration",
  r.expected_ticket_count AS "expectedTicketCount", r.phase, r.phase_error AS "phaseError", r.phase_job_id AS "phaseJobId",
  r.sources_frozen_at AS "sourcesFrozenAt", r.started_at AS "startedAt", r.closed_at AS "closedAt", r.created_at AS "createdAt",
  r.updated_at AS "updatedAt", r.deleted_at AS "deletedAt", r.deleted_by_id AS "deletedById", r.delete_reason AS "deleteReason",
  r.scope_hash AS "scopeHash", r.items_hash AS "itemsHash", r.predecessor_id AS "predecessorId",
  r.error_state AS "errorState", r.held_at AS "heldAt", r.reminded_at AS "remindedAt", r.watched_at AS "watchedAt", r.arrived, r.supplement_of_id AS "supplementOfId", r.insights, r.accuracy,
  r.acknowledgement, r.independence, r.emptied_at AS "emptiedAt", ${getHoldOfReview('$1', 'r.id')} AS "legalHold",
  ARRAY(SELECT o.user_id FROM review_owners o WHERE o.tenant_id = $1 AND o.review_id = r.id ORDER BY o.user_id) AS "ownerIds"`;

/** The review with this id, deleted ones too, whoever may see it. */
export function findReview(context: Context, id: string): Promise<ReviewRow | undefined> {
  return context.db.maybe<ReviewRow>(`SELECT ${columns} FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2`, [context.tenantId, id]);
}

/**
 * The same, locked until the transaction ends. Two statements, because one that waited for a lock sees the row as it is afterwards but
 * everything else (its owners) as it was before.
 */
export async function lockReview(context: Context, id: string): Promise<ReviewRow | undefined> {
  const locked = await context.db.maybe('SELECT r.id FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2 FOR UPDATE', [
    context.tenantId,
    id,
  ]);
  return locked === undefined ? undefined : findReview(context, id);
}

/** Reviews a list shows: everybody's, or those this person owns (and those they created, where `created` says so). */
export type Visible = 'all' | { readonly userId: string; readonly created: boolean };

/** A page of reviews by id, deleted ones left out. Somebody's own are found by index, however many others there are. */
export function listReviews(context: Context, visible: Visible, after: string, limit: number): Promise<ReviewRow[]> {
  if (visible === 'all') {
    return context.db.rows<ReviewRow>(
      `SELECT ${columns} FROM reviews r WHERE r.tenant_id = $1 AND r.id > $2 AND r.state <> 'DELETED' ORDER BY r.id LIMIT $3`,
      [context.tenantId, after, limit],
    );
  }
  return context.db.rows<ReviewRow>(
    `WITH mine AS (
       (SELECT o.review_id AS id FROM review_owners o JOIN reviews x ON x.tenant_id = $1 AND x.id = o.review_id AND x.state <> 'DELETED'
        WHERE o.tenant_id = $1 AND o.user_id = $4 AND o.review_id > $2 ORDER BY o.review_id LIMIT $3)
       UNION
       (SELECT c.id FROM reviews c WHERE $5 AND c.tenant_id = $1 AND c.created_by_id = $4 AND c.id > $2 AND c.state <> 'DELETED'
        ORDER BY c.id LIMIT $3))
     SELECT ${columns} FROM reviews r WHERE r.tenant_id = $1 AND r.id IN (SELECT m.id FROM mine m) ORDER BY r.id LIMIT $3`,
    [context.tenantId, after, limit, visible.userId, visible.created],
  );
}

/** A page of deleted reviews by id. */
export function listDeletedReviews(context: Context, after: string, limit: number): Promise<ReviewRow[]> {
  return context.db.rows<ReviewRow>(
    `SELECT ${columns} FROM reviews r WHERE r.tenant_id = $1 AND r.id > $2 AND r.state = 'DELETED' ORDER BY r.id LIMIT $3`,
    [context.tenantId, after, limit],
  );
}

/** The reviews with these ids by id, deleted ones too; ids of nothing are left out. */
export async function listReviewsByIds(context: Context, ids: readonly string[]): Promise<Map<string, ReviewRow>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await context.db.rows<ReviewRow>(`SELECT ${columns} FROM reviews r WHERE r.tenant_id = $1 AND r.id = ANY ($2)`, [
    context.tenantId,
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The next open review behind this id that has not followed the inventory up to this revision, and up to which one it has. */
export function findOutdatedReview(
  context: Context,
  behind: string,
  revision: number,
): Promise<{ id: string; accessRevision: number } | undefined> {
  return context.db.maybe<{ id: string; accessRevision: number }>(
    `SELECT r.id, coalesce(r.access_revision, r.prepared_revision, 0) AS "accessRevision" FROM reviews r
     WHERE r.tenant_id = $1 AND r.state = 'OPEN' AND NOT r.closing AND r.id > $2
       AND coalesce(r.access_revision, r.prepared_revision, 0) < $3
     ORDER BY r.id LIMIT 1`,
    [context.tenantId, behind, revision],
  );
}

/** Notes that a review has followed the inventory up to this revision, now. It is no change of the review. */
export async function updateAccessRevision(context: Context, id: string, revision: number): Promise<void> {
  await context.db.run(
    sql`UPDATE reviews SET access_revision = ${revision}, watched_at = ${context.now} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}

/** Ids of reviews to which something happens by itself by now, behind this id. */
export function listDueReviews(context: Context, behind: string, limit: number): Promise<string[]> {
  return context.db.column<string>(
    'SELECT r.id FROM reviews r WHERE r.tenant_id = $1 AND r.next_at <= $2 AND r.id > $3 ORDER BY r.id LIMIT $4',
    [context.tenantId, context.now, behind, limit],
  );
}

/** True if something happens to this review by itself by now. The caller has locked it. */
export function isReviewDue(context: Context, id: string): Promise<boolean> {
  return context.db.value<boolean>(
    'SELECT coalesce(r.next_at <= $3, false) AS "isDue" FROM reviews r WHERE r.tenant_id = $1 AND r.id = $2',
    [context.tenantId, id, context.now],
  );
}

/** The next moment at which something happens to a review by itself; undefined where there is none. */
export async function findNextMoment(context: Context): Promise<Date | undefined> {
  const row = await context.db.one<{ at: Date | null }>(
    'SELECT min(r.next_at) AS at FROM reviews r WHERE r.tenant_id = $1 AND r.next_at > $2',
    [context.tenantId, context.now],
  );
  return row.at ?? undefined;
}

/** Lets drafts that wait for their data be looked at now; how many there are. */
export function updateHeldDrafts({ db, tenantId }: Context): Promise<number> {
  return db.run(sql`UPDATE reviews SET look_at = NULL WHERE tenant_id = ${tenantId} AND held_at IS NOT NULL AND state = 'DRAFT'`);
}

/** A draft to be; `duplicatedFromId` is the review it is a copy of, '' for none. */
export interface NewReview {
  readonly id: string;
  readonly document: ReviewSettings;
  readonly createdById: string;
  readonly duplicatedFromId: string;
  /** True if a change of somebody made it. */
  readonly triggered: boolean;
}

/** Adds a draft, created and last changed now. */
export async function insertReview(context: Context, review: NewReview): Promise<void> {
  await context.db.run(
    `INSERT INTO reviews (tenant_id, id, document, created_by_id, duplicated_from_id, triggered, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $7, $6, $6)`,
    [
      context.tenantId,
      review.id,
      JSON.stringify(review.document),
      review.createdById,
      review.duplicatedFromId,
      context.now,
      review.triggered,
    ],
  );
}

/** The members of a review that can be changed, and their columns. */
const changeable = {
  state: 'state',
  closing: 'closing',
  closeDecision: 'close_decision',
  document: 'document',
  scopingVersion: 'scoping_version',
  preparedRevision: 'prepared_revision',
  prepareGeneration: 'prepare_generation',
  expectedTicketCount: 'expected_ticket_count',
  phase: 'phase',
  phaseError: 'phase_error',
  phaseJobId: 'phase_job_id',
  sourcesFrozenAt: 'sources_frozen_at',
  startedAt: 'started_at',
  closedAt: 'closed_at',
  deletedAt: 'deleted_at',
  deletedById: 'deleted_by_id',
  deleteReason: 'delete_reason',
  scopeHash: 'scope_hash',
  itemsHash: 'items_hash',
  errorState: 'error_state',
  heldAt: 'held_at',
  lookAt: 'look_at',
  scheduleStopped: 'schedule_stopped',
  remindedAt: 'reminded_at',
  watchedAt: 'watched_at',
  arrived: 'arrived',
  supplementOfId: 'supplement_of_id',
  insights: 'insights',
  accuracy: 'accuracy',
  acknowledgement: 'acknowledgement',
  independence: 'independence',
  predecessorId: 'predecessor_id',
} as const;

/** Members that are kept as JSON. */
const documents: readonly string[] = ['document', 'accuracy', 'acknowledgement', 'independence'];

/** A review with what only its schedule needs: when to look again, and that nothing happens by itself before somebody changes it. */
type Kept = ReviewRow & { readonly lookAt: Date | null; readonly scheduleStopped: boolean };

/** Members a change sets; members left out (or undefined) stay. */
export type ReviewChange = { readonly [K in keyof typeof changeable]?: Kept[K] | undefined };

/** Values cleared by somebody's change of the review: it was held or refused as it was before. */
export const freshSchedule: ReviewChange = { lookAt: null, scheduleStopped: false, heldAt: null };

/** Changes a review and its time of change. The caller has locked it. */
export async function updateReview(context: Context, id: string, change: ReviewChange): Promise<void> {
  const sets = (Object.keys(changeable) as (keyof typeof changeable)[]).flatMap((member) => {
    const value = change[member];
    if (value === undefined) {
      return [];
    }
    const isDocument = documents.includes(member) && value !== null;
    return [sql`${fixed(changeable[member])} = ${isDocument ? JSON.stringify(value) : (value as Date | string | number | boolean | null)}`];
  });
  await context.db.run(
    sql`UPDATE reviews SET ${joinSql([...sets, sql`updated_at = ${context.now}`])} WHERE tenant_id = ${context.tenantId} AND id = ${id}`,
  );
}
