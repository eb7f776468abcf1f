/** Signals of an item, as short words with a colour: the terms of its insights. */
import type { SignalKind } from '~/parts/words/chip.tsx';
import { type PlainTextKey, text } from '~/text/text.ts';

const terms: Readonly<Record<string, { readonly kind: SignalKind; readonly key: PlainTextKey }>> = {
  CONFLICT: { kind: 'no', key: 'queue.termConflict' },
  LEAVER: { kind: 'no', key: 'queue.termLeaver' },
  DENIED_BEFORE: { kind: 'no', key: 'queue.termDeniedBefore' },
  ORPHAN: { kind: 'no', key: 'queue.termOrphan' },
  DORMANT: { kind: 'warn', key: 'queue.termDormant' },
  PAST_END: { kind: 'warn', key: 'queue.termPastEnd' },
  RISK: { kind: 'warn', key: 'queue.termRisk' },
  FORMER_ADDRESS: { kind: 'warn', key: 'queue.termFormerAddress' },
  OUTLIER: { kind: 'warn', key: 'queue.termOutlier' },
  EXTERNAL: { kind: 'warn', key: 'queue.termExternal' },
  MOVER: { kind: 'info', key: 'queue.termMover' },
  NEW: { kind: 'info', key: 'queue.termNew' },
  DISABLED_ACCOUNT: { kind: 'plain', key: 'queue.termDisabled' },
  TEMPORARY: { kind: 'plain', key: 'queue.termTemporary' },
};

/** A signal of an item. */
export interface Signal {
  readonly term: string;
  readonly kind: SignalKind;
  readonly label: string;
}

/** Signalled item: a row of a queue, a question of a second review. */
interface Standing {
  readonly terms?: readonly string[];
  readonly riskLevel?: string;
  readonly accountType?: string;
}

/** Lists what stands out, heaviest first. A low or medium risk is nothing that does. */
export function listSignals({ terms: known = [], riskLevel, accountType }: Standing): Signal[] {
  const found = known.flatMap((term) => {
    const word = terms[term];
    if (word === undefined || (term === 'RISK' && /^(low|medium)$/i.test(riskLevel ?? ''))) {
      return [];
    }
    const label = term === 'RISK' && riskLevel ? text('queue.termRiskLevel', { level: riskLevel }) : text(word.key);
    return [{ term, kind: word.kind, label }];
  });
  const isService = accountType === 'SERVICE_ACCOUNT' || accountType === 'SYSTEM_ACCOUNT';
  return isService ? [...found, { term: 'SERVICE', kind: 'plain', label: text('queue.termService') }] : found;
}
