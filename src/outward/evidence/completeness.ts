/** The sums of a review: what the sources brought, which verdict each grant has, how the items ended, and what became of denied access. */
import type { Context } from '../../context.ts';
import { canonicalJson } from '../../lib/log/canonical-json.ts';
import type { ReviewRow } from '../../governance/reviews/index.ts';
import {
  findPeopleSources,
  listSourceCounts,
  listVerdicts,
  type SourceCount,
  type VerdictCount,
} from '../../governance/snapshots/index.ts';
import { countOutcomes, countRemovals } from './store.ts';

/** Number of what was given by hand among the sources of an app; what follows from accounts has the one below. */
const byHandNo = 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Adds up by name. */
function addUp<Row>(rows: readonly Row[], nameOf: (row: Row) => string, numberOf: (row: Row) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    sums[nameOf(row)] = (sums[nameOf(row)] ?? 0) + numberOf(row);
  }
  return sums;
}

/** The sums of one app. Links of resources, which follow from what sources say, count as derived. */
function sumApp(app: string, verdicts: readonly VerdictCount[], sources: readonly SourceCount[]) {
  const fed = sources.filter(({ sourceNo }) => sourceNo > byHandNo);
  const heldOf = (wanted: (row: SourceCount) => boolean): number => sum(sources.filter(wanted).map(({ held }) => held));
  const links = sum(verdicts.filter(({ kind }) => kind === 'R').map(({ grants }) => grants));
  const left = verdicts.filter(({ verdict }) => verdict !== 'IN');
  return {
    app,
    live: addUp(
      fed,
      ({ sourceId }) => sourceId,
      ({ heldThen }) => heldThen,
    ),
    changedSinceSync: sum(fed.map(({ held, heldThen }) => held - heldThen)),
    byHand: heldOf(({ sourceNo }) => sourceNo === byHandNo),
    derived: heldOf(({ sourceNo }) => sourceNo < byHandNo) + links,
    links,
    liveAtRevision: sum(verdicts.map(({ grants }) => grants)),
    inScope: sum(verdicts.filter(({ verdict }) => verdict === 'IN').map(({ grants }) => grants)),
    excluded: addUp(
      left,
      ({ verdict }) => verdict,
      ({ grants }) => grants,
    ),
  };
}

/** The file of sums. */
export async function writeCompleteness(context: Context, review: ReviewRow): Promise<string> {
  const [verdicts, sources] = [await listVerdicts(context, review.id), await listSourceCounts(context, review.id)];
  const outcomes = await countOutcomes(context, review.id);
  const people = await findPeopleSources(context, review.id);
  const apps = [...new Set([...verdicts, ...sources].map(({ appId }) => appId))].sort();
  return canonicalJson({
    apps: apps.map((app) =>
      sumApp(
        app,
        verdicts.filter(({ appId }) => appId === app),
        sources.filter(({ appId }) => appId === app),
      ),
    ),
    items: sum(outcomes.map(({ count }) => count)),
    // Left out where an earlier release took the snapshot, which did not count them.
    ...(people === undefined ? {} : { disputed: Object.fromEntries(people.map(({ sourceId, disputed }) => [sourceId, disputed])) }),
    outcomes: Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count])),
    revision: review.preparedRevision,
    revocations: Object.fromEntries((await countRemovals(context, review.id)).map(({ state, count }) => [state, count])),
  });
}
