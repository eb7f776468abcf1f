/** Importing the contents of a fetch, people before grants, and ending the fetch in the transaction of the last. */
import { AppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import { isDirectoryApp } from '../identity/index.ts';
import type { FetchSource } from '../sources/index.ts';
import { findSync, importFetched, type SyncRow } from '../syncs/index.ts';
import { lookAtAgeOf } from './freshness.ts';
import { openContent, type SpooledContent } from './content-spool.ts';
import { recordConfirmed, recordRecovery, supersedeHeld } from './end-fetch.ts';
import { moveFetch } from './move-fetch.ts';
import { type FetchRow, findLastPeopleSync, updateFacts } from './store.ts';
import { removeOtherFiles } from './store-files.ts';
import { removePieces } from './store-rows.ts';

/** Contents that are here, and what is known of them. */
export interface Taken {
  readonly contents: readonly SpooledContent[];
  readonly facts: Pick<FetchRow, 'incompleteReason' | 'warnings' | 'bytes'> & { readonly observedFrom: Date };
  /** Rows that there must be, where somebody said so. */
  readonly rows?: number | undefined;
  /** True if they are what was taken last, so that there is nothing to import. */
  readonly isUnchanged?: boolean;
}

/** Fetch that is imported, and the lease under which it is; undefined for one that was held. */
export interface Ours {
  readonly fetch: FetchRow;
  readonly source: FetchSource;
  readonly token?: string | undefined;
}

/** Ways to import: whether removals of any number are confirmed, and what ends it. */
export interface How {
  readonly isConfirmed: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports the contents, each with its sync and its guard. Throws HeldByGuard where a guard stops one; CONFLICT where somebody else ended the fetch, or
 * the rows are not as many as they must be.
 */
export async function importContents(context: Context, ours: Ours, { contents, facts, rows }: Taken, how: How): Promise<void> {
  const { fetch, source } = ours;
  if (contents.some(({ about }) => about.kind === 'PEOPLE') && !(await isDirectoryApp(context, source.appId))) {
    throw new AppError('FAILED_PRECONDITION', 'The app of the source is no directory, so it has no people. Make it one, or fetch grants.');
  }
  for (const [index, content] of contents.entries()) {
    const isLast = index === contents.length - 1;
    const opened = await openContent(content, source.columnMapping.encoding);
    await importFetched(context, {
      kind: content.about.kind,
      source,
      peopleSourceId: await findPeopleSourceId(context, source.id),
      fetchId: fetch.id,
      opened,
      facts: () => facts,
      isConfirmed: how.isConfirmed,
      left: how.signal,
      end: async (inside, row) => {
        if (rows !== undefined && row.rows !== rows) {
          throw new AppError('CONFLICT', `The file has ${row.rows} rows, and its manifest says ${rows}.`);
        }
        await endContent(inside, ours, row, isLast);
        if (isLast && how.isConfirmed) {
          await recordConfirmed(inside, fetch, source);
        }
      },
    });
  }
}

/** The source of people that this source fed before; '' for none. */
async function findPeopleSourceId(context: Context, sourceId: string): Promise<string> {
  const syncId = await findLastPeopleSync(context, sourceId);
  return syncId === '' ? '' : ((await findSync(context, syncId))?.sourceId ?? '');
}

/** Takes down what one content became; with the last, the fetch is done. */
async function endContent(context: Context, { fetch, source, token }: Ours, row: SyncRow, isLast: boolean): Promise<void> {
  const became = row.kind === 'PEOPLE' ? { peopleSyncId: row.id } : { syncId: row.id };
  const isOurs = isLast
    ? await moveFetch(context, fetch.id, 'DONE', { ...became, error: '' }, token)
    : token === undefined || (await updateFacts(context, fetch.id, became, token));
  if (!isOurs) {
    throw new AppError('CONFLICT', 'Somebody else ended this fetch.');
  }
  if (isLast) {
    await removePieces(context, [fetch.id]);
    await removeOtherFiles(context, source.id, fetch.id);
    await supersedeHeld(context, fetch);
    // Of one that was held, it was said when it was held.
    if (token !== undefined) {
      await recordRecovery(context, fetch, source);
    }
    await lookAtAgeOf(context, source.id);
  }
}
