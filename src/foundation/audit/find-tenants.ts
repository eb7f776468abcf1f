/**
 * Tenants with something to seal: nobody, for the price of two small statements, as long as no event was written anywhere since a search that found
 * nothing. Otherwise one statement looks at every tenant.
 */
import type { Database } from '../../db/types.ts';
import { findWritingState, listTenantsToSeal, type WritingState } from './store-log.ts';

/** Finds them; one for each sealer, since it remembers what it saw. */
export function createTenantSearch(database: Database): () => Promise<string[]> {
  let before: WritingState | undefined;
  /** The last number at a search that found nothing, and after which nobody was still writing. */
  let quietAt: string | undefined;

  return async () => {
    const db = database.system();
    const now = await findWritingState(db);
    if (quietAt === now.last) {
      return [];
    }
    const tenantIds = await listTenantsToSeal(db);
    // Whoever had drawn a number by the look before has ended: their events were there to be found.
    const isSettled = before !== undefined && before.last === now.last && BigInt(now.xmin) >= BigInt(before.xmax);
    quietAt = isSettled && tenantIds.length === 0 ? now.last : undefined;
    before = now;
    return tenantIds;
  };
}
