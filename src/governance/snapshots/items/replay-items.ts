/**
 * Working the items of a snapshot out again, from what it froze and from the grants of its revision, whatever was imported since. Nothing is written.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Sql } from '../../../lib/sql.ts';
import { findReplayedPiece, findReplayEnd, type ReplayDifference } from './store-hash.ts';
import type { SnapshotItems } from './store-items.ts';

/** Accounts worked out in one statement. */
const accountsPerPiece = 5_000;

/** Differences that are answered. */
const maxDifferences = 100;

/** The items of a snapshot worked out again: their digest and number, and how they differ from those that were asked about. */
export interface ReplayedItems {
  readonly itemsHash: string;
  readonly items: number;
  readonly differenceCount: number;
  /** The first of them. */
  readonly differences: readonly ReplayDifference[];
}

/** Works all items of a snapshot out again, piece by piece of its accounts; `asked` selects the `entitlement_id` of those asked about of the account `c`. */
export async function replayItems(context: Context, items: SnapshotItems, asked: Sql): Promise<ReplayedItems> {
  const all = createHash('sha256');
  // Pieces are in the order of ids, and in the hash of an app all its accounts stand before its resources, of which there are few.
  let app: { readonly id: string; readonly hash: Hash; readonly resources: Buffer[] } | undefined;
  const endApp = () => {
    for (const digests of app?.resources ?? []) {
      app?.hash.update(digests);
    }
    all.update(app?.hash.digest() ?? '');
  };
  const differences: ReplayDifference[] = [];
  let count = 0;
  let differenceCount = 0;
  for (let after = { appId: '', accountId: '' }; ; ) {
    const end = await findReplayEnd(context, items.id, after, accountsPerPiece);
    if (end === undefined) {
      break;
    }
    const piece = await findReplayedPiece(context, items, { after, end, asked, limit: maxDifferences });
    for (const { appId, kind, digests, items: found } of piece.apps) {
      if (app?.id !== appId) {
        endApp();
        app = { id: appId, hash: createHash('sha256').update(appId), resources: [] };
      }
      if (kind === 'A') {
        app.hash.update(digests);
      } else {
        app.resources.push(digests);
      }
      count += found;
    }
    differenceCount += piece.differences;
    differences.push(...piece.first.slice(0, maxDifferences - differences.length));
    after = end;
  }
  endApp();
  return { itemsHash: all.digest('hex'), items: count, differenceCount, differences };
}
