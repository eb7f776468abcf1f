/**
 * Importing what a source fetched: the rows take the way of a file. Where the guard stops them nothing is recorded, since whoever fetched them keeps them;
 * and what follows from the import is done in its transaction.
 */
import type { Context } from '../../context.ts';
import type { FetchedFacts } from '../../lib/tables/fetched-table.ts';
import { type FetchSource, findWantedSource } from '../sources/index.ts';
import { importGrants } from './import-grants.ts';
import { importPeople } from './import-people.ts';
import type { Companion, SyncRow } from './record/index.ts';
import type { OpenRows } from './rows/index.ts';

/** Rows that the guard stopped; the message says what they would take away. */
export class HeldByGuard extends Error {
  override readonly name = 'HeldByGuard';
}

/** Rows that were fetched, and what is known of them. */
export interface FetchedImport {
  readonly kind: 'PEOPLE' | 'GRANTS';
  /** Source of an app. */
  readonly source: FetchSource;
  /** Source of its people, which is another; '' before the first of them. */
  readonly peopleSourceId: string;
  readonly fetchId: string;
  readonly opened: OpenRows;
  /** To be asked once the rows were read. */
  facts(): FetchedFacts;
  /** True if somebody confirmed what they take away. */
  readonly isConfirmed: boolean;
  readonly left?: AbortSignal | undefined;
  /** Runs in the transaction of the import, behind everything else of it. */
  end(context: Context, row: SyncRow): Promise<void>;
}

function accompany({ end }: FetchedImport): Companion {
  return {
    isRehearsal: false,
    guard: (isAllowed) => ({
      isAllowed,
      stop: ({ check }, refusal) => {
        // Nothing at all is no change that somebody could confirm.
        throw check === 'NOTHING' ? refusal : new HeldByGuard(refusal.message);
      },
    }),
    end,
  };
}

/** The source of people that a source of an app feeds: the one it fed before, or a new one named like it. */
async function findPeopleSource(context: Context, { source, peopleSourceId }: FetchedImport) {
  if (peopleSourceId !== '') {
    return { sourceId: peopleSourceId, source: '' };
  }
  const name = source.displayName;
  const other = await findWantedSource(context, '', { sourceId: '', name, isFetched: true });
  // People of other sources must not end by this.
  return { sourceId: '', source: other === undefined ? name : `${name.slice(0, 160)} (${source.id})` };
}

/** Imports the rows. Throws HeldByGuard where the guard stops them, and errors as an import of the same file. */
export async function importFetched(context: Context, fetched: FetchedImport): Promise<SyncRow> {
  const { kind, source, fetchId, opened, facts, isConfirmed, left } = fetched;
  const upload = { opened, facts, fetchId, left };
  const companion = accompany(fetched);
  const asked = { allowRemovals: isConfirmed, isFetched: true };
  return kind === 'GRANTS'
    ? importGrants(context, { ...asked, app: '', sourceId: source.id }, upload, companion)
    : importPeople(context, { ...asked, ...(await findPeopleSource(context, fetched)) }, upload, companion);
}
