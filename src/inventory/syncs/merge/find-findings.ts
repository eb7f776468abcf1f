/** Findings an import leaves for somebody to look at: counted and compared, never a reason to refuse the file. */
import { isNearName } from '../../../lib/names/near-name.ts';
import type { Place } from './find-extent.ts';
import { countByFormerAddress, countUnowned, listOtherAppNames } from './store-findings.ts';
import type { Findings } from '../values/index.ts';

const maxSimilar = 5;

/** The findings of an import of grants that is written; `repeated`: rows beyond the grants they say. */
export async function findFindings({ timed, app, source, isNewApp }: Place, repeated: number): Promise<Findings> {
  const { context } = timed;
  const { unowned, ambiguous } = await countUnowned(context, app.id, source.sourceNo);
  const names = isNewApp ? await listOtherAppNames(context, app.id, app.displayName.length) : [];
  return {
    isNewApp,
    similarApps: names.filter((name) => isNearName(name, app.displayName)).slice(0, maxSimilar),
    unowned,
    ambiguous,
    byFormerAddress: await countByFormerAddress(context, app.id, source.sourceNo),
    repeated: Math.max(0, repeated),
  };
}
