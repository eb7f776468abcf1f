/** Work of later modules that imports ask for: filled by src/slots.ts. */
import { createSlot } from '../../lib/slot.ts';
import type { Context } from '../../context.ts';

/** Work that later modules do for imports. */
export interface SyncSlot {
  /** Makes one what an app stores under two spellings of one name: an import knows one of them, and would end the other. */
  readonly mergeNames: (context: Context, appId: string) => Promise<void>;
}

export const syncSlot = createSlot<SyncSlot>('imports');
