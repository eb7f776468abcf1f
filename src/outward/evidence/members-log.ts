/** The log about the review: its events and those it rests on, the tree that they are in, the checkpoint it leads to, and the keys to check that with. */
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import { listKeys, listNamedEntries, listReviewEntries, noteKeyOf } from '../../foundation/audit/index.ts';
import { coverTree, listAnchorsSince } from '../../foundation/log-proofs/index.ts';
import type { BundleLog } from './bundle-cursor.ts';
import { lineOfEvent } from './event-line.ts';
import { type BundleMember, type BundlePlace, linesPerBlock, wholeMember } from './member.ts';

/** Parts of the tree of one block; a run of leaves is 11 KB. */
const partsPerBlock = 200;

const anchorsPerBlock = 200;

function requireLog({ log }: BundlePlace): BundleLog {
  if (log === null) {
    throw new Error('the members of the log are written before its checkpoint is known');
  }
  return log;
}

const events: BundleMember = {
  path: 'log/events.jsonl',
  counted: 'events',
  async read(context, place, after) {
    const { base, size, grounds } = requireLog(place);
    const from = after === '' ? base : Number(after);
    const ofReview = await listReviewEntries(context, place.review.id, from, linesPerBlock);
    const beside = await listNamedEntries(context, [], grounds.filter((position) => position >= from).slice(0, linesPerBlock));
    // Each list goes on behind its last row, so that the first of both together are the next of all.
    const rows = [...ofReview, ...beside]
      .toSorted((one, other) => one.position - other.position)
      .slice(0, linesPerBlock)
      .filter(({ position }) => position < base + size);
    const lines: string[] = [];
    for (const row of rows) {
      lines.push(await lineOfEvent(context, row));
    }
    const last = rows.at(-1);
    const lastOfReview = rows.findLast(({ reviewId }) => reviewId === place.review.id);
    return {
      lines,
      after: rows.length < linesPerBlock || last === undefined ? undefined : String(last.position + 1),
      ...(lastOfReview === undefined ? {} : { lastPosition: lastOfReview.position }),
    };
  },
};

const tree: BundleMember = {
  path: 'log/tree.jsonl',
  async read(context, place, after) {
    const log = requireLog(place);
    const start = after === '' ? 0 : Number(after);
    const parts = await coverTree(context, log, { size: log.size, start, limit: partsPerBlock }, async (from) => {
      const [ofReview] = await listReviewEntries(context, place.review.id, log.base + from, 1);
      const beside = log.grounds.find((position) => position >= log.base + from);
      const next = Math.min(ofReview?.position ?? Infinity, beside ?? Infinity);
      return next === Infinity ? undefined : next - log.base;
    });
    const last = parts.at(-1);
    const end = last === undefined ? start : last.start + ('leaves' in last ? last.leaves.length : last.size);
    const lines = parts.map((part) =>
      canonicalJson(
        'leaves' in part
          ? { leaves: Buffer.concat(part.leaves).toString('base64'), start: part.start }
          : { hash: part.hash.toString('base64'), size: part.size, start: part.start },
      ),
    );
    return { lines, after: end < log.size ? String(end) : undefined };
  },
};

/** Checkpoints that others hold, with what they gave for them; a time stamp is 8 KB. */
const anchors: BundleMember = {
  path: 'log/anchors.jsonl',
  async read(context, place, after) {
    const rows = await listAnchorsSince(context, place.review.createdAt, requireLog(place), after, anchorsPerBlock);
    const lines = rows.map((row) =>
      canonicalJson({
        anchoredAt: row.anchoredAt.toISOString(),
        kind: row.kind,
        place: row.place,
        proof: row.proof?.toString('base64') ?? null,
        root: row.root.toString('base64'),
        size: row.size,
        vouchedAt: row.vouchedAt?.toISOString() ?? null,
      }),
    );
    return { lines, after: rows.length < anchorsPerBlock ? undefined : rows.at(-1)?.id };
  },
};

export const logMembers: readonly BundleMember[] = [
  events,
  tree,
  anchors,
  wholeMember('log/checkpoint', async (_, place) => requireLog(place).note),
  wholeMember('keys/policy.txt', async (context, place) => {
    const { origin } = requireLog(place);
    const keys = await listKeys(context);
    return `${keys.map((key) => `log ${noteKeyOf(key, origin).vkey}\n`).join('')}quorum none\n`;
  }),
];
