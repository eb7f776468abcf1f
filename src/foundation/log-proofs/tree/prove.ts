/** Proofs that events are in the log, and the leaves they are proofs of. Content is no part of a leaf: it holds the commitment to it. */
import { AppError, type FieldViolation, invalidField } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { hashLeaf } from '../../../lib/log/merkle.ts';
import { writeLogProof } from '../../../lib/log/log-proof.ts';
import {
  type EntryRow,
  findPlaceBefore,
  makeLeaf,
  listEntries,
  listNamedEntries,
  listReviewEntries,
  type ReviewPlace,
} from '../../audit/index.ts';
import { findHead, renameSize, type TreeHead } from './checkpoint.ts';
import { proveInclusion } from './read-tree.ts';

/** A leaf as it is shown: text and hash of it. */
export interface Entry {
  readonly eventUid: string;
  readonly position: number;
  /** Canonical JSON; empty where the event is gone or changed, so that the hash is of another text. */
  readonly leaf: string;
  readonly leafHash: Buffer;
}

/** A leaf and the proof that it is in a tree. */
export interface ProvedEntry extends Entry {
  readonly proof: readonly Buffer[];
  /** The same as a file (C2SP tlog-proof). */
  readonly proofFile: string;
}

/** Events to prove, by id or by position, at most 100. */
export interface ProofQuery {
  readonly eventUids: readonly string[];
  readonly positions: readonly number[];
  /** Leaves of the tree to prove it by; undefined: all there are. */
  readonly treeSize: number | undefined;
  /** 0: the open one. */
  readonly epoch: number;
}

const maxProofs = 100;

/** The proofs, in the order of the positions. INVALID_ARGUMENT for what is not in the tree, with the tree's size. */
export async function proveEvents(context: Context, query: ProofQuery): Promise<TreeHead & { readonly list: ProvedEntry[] }> {
  const asked = query.eventUids.length + query.positions.length;
  if (asked < 1 || asked > maxProofs) {
    throw invalidField(query.positions.length > 0 ? 'positions' : 'eventUids', `must name 1 to ${maxProofs} events together, not ${asked}`);
  }
  const head = await findHead(context, query.epoch, query.treeSize).catch(renameSize('treeSize'));
  const { epoch, checkpoint } = head;
  const rows = await listNamedEntries(context, query.eventUids, query.positions);
  refuseOutside(query, rows, head);
  const entries = await Promise.all(rows.map((row) => showEntry(context, row)));
  const changed = entries.find(({ leaf }) => leaf === '');
  if (changed !== undefined) {
    throw new AppError(
      'FAILED_PRECONDITION',
      `The event at position ${changed.position} is not what was sealed there, so nothing proves it. Run \`countersign log check\`.`,
    );
  }
  const indexes = entries.map(({ position }) => position - epoch.base);
  const proofs = await proveInclusion(context, epoch, indexes, checkpoint.size);
  const note = Buffer.from(checkpoint.note);
  const list = entries.map((entry, at) => {
    const proof = proofs[at] ?? [];
    return { ...entry, proof, proofFile: writeLogProof({ index: indexes[at] ?? 0, proof, note }) };
  });
  return { ...head, list };
}

function refuseOutside({ eventUids, positions }: ProofQuery, rows: readonly EntryRow[], { epoch, checkpoint }: TreeHead): void {
  const end = epoch.base + checkpoint.size;
  const byId = new Map(rows.map(({ eventId, position }) => [eventId, position]));
  const known = new Set(rows.map(({ position }) => position));
  const inTree = (position: number | undefined): boolean =>
    position !== undefined && known.has(position) && position >= epoch.base && position < end;
  const why = `is not in the tree of epoch ${epoch.epoch}, which holds the ${checkpoint.size} positions from ${epoch.base} on`;
  const violations: FieldViolation[] = [
    ...eventUids.flatMap((id, at) => (inTree(byId.get(id)) ? [] : [{ field: `eventUids[${at}]`, description: why }])),
    ...positions.flatMap((position, at) => (inTree(position) ? [] : [{ field: `positions[${at}]`, description: why }])),
  ];
  if (violations.length > 0) {
    const message = violations
      .slice(0, 5)
      .map(({ field, description }) => `${field} ${description}`)
      .join('; ');
    throw new AppError('INVALID_ARGUMENT', message, { violations });
  }
}

/** Leaves from a position on, of a review or of all. */
export async function listShownEntries(context: Context, reviewId: string, from: number, limit: number): Promise<Entry[]> {
  const rows = await (reviewId === '' ? listEntries(context, from, limit) : listReviewEntries(context, reviewId, from, limit));
  return Promise.all(rows.map((row) => showEntry(context, row)));
}

/** A leaf as it is shown: its text is made anew of the event, and left out where it is not what was sealed. */
export async function showEntry(context: Context, row: EntryRow): Promise<Entry> {
  const { position, eventId, leafHash } = row;
  const text = row.id === null ? '' : makeLeaf(context.tenantId, { ...row, id: row.id }, await findPlace(context, row));
  const leaf = hashLeaf(Buffer.from(text)).equals(leafHash) ? text : '';
  return { eventUid: eventId, position, leaf, leafHash };
}

/** The event's place in its review: stored beside the leaf, and counted for leaves of before that. */
async function findPlace(context: Context, row: EntryRow): Promise<ReviewPlace | undefined> {
  const { reviewId, reviewNumber, reviewPrevious, position } = row;
  if (reviewId === '') {
    return undefined;
  }
  if (reviewNumber !== null && reviewPrevious !== null) {
    return { id: reviewId, number: reviewNumber, previous: reviewPrevious };
  }
  const { count, previous } = await findPlaceBefore(context, reviewId, position);
  return { id: reviewId, number: count + 1, previous };
}
