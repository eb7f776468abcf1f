/** Evidence of this module: its tables, and of actions what was signed. */
import type { EvidenceSource } from '../../foundation/log-proofs/index.ts';
import { listUnsigned } from './check-signed.ts';
import { tableEvidence } from './store-evidence.ts';

/** Evidence of this module. */
export const evidence: readonly EvidenceSource[] = tableEvidence.map((source) =>
  source.table === 'task_actions' ? { ...source, listWrong: listUnsigned } : source,
);
