/** Slot of the checks for the modules that keep evidence, which come later. */
import { createSlot } from '../../../lib/slot.ts';
import type { EvidenceSource } from './state.ts';

/** Slot they fill: every table whose rows events vouch for. */
export const evidenceSlot = createSlot<readonly EvidenceSource[]>('evidence');
