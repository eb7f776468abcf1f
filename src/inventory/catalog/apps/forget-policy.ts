/** Traces of a deleted policy: nothing that names it. What chose it falls back to what chooses for everything. */
import type { Context } from '../../../context.ts';
import { updateChoices } from './store-policies.ts';

/** Number of each kind an event names. */
const maxNamed = 100;
/** Number changed at a time, so that no statement takes longer than one may. */
const chunk = 5000;

/** Choices taken away: how many, and the first of them. */
export interface Forgotten {
  readonly count: number;
  readonly ids: readonly string[];
}

/** Takes a policy out of all apps and entitlements that choose it. The caller holds its row and writes the event. */
export async function forgetPolicy(context: Context, policyId: string): Promise<{ apps: Forgotten; entitlements: Forgotten }> {
  const apps = await forgetIn(context, 'apps', policyId);
  return { apps, entitlements: await forgetIn(context, 'entitlements', policyId) };
}

async function forgetIn(context: Context, table: 'apps' | 'entitlements', policyId: string): Promise<Forgotten> {
  let count = 0;
  const named: string[] = [];
  for (;;) {
    const ids = await updateChoices(context, table, policyId, chunk);
    count += ids.length;
    named.push(...ids.slice(0, maxNamed - named.length));
    if (ids.length < chunk) {
      return { count, ids: named };
    }
  }
}
