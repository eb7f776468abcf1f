/** The contract's method about the completeness of a review: calls the rule and shapes the reply. */
import { type ReviewCompleteness, ReviewCompletenessService } from '../../../gen/countersign/v1/completeness_pb.js';
import type { Row } from '../../../wire/row.ts';
import { implement } from '../../../wire/service.ts';
import type { SourceCount, VerdictCount } from '../../snapshots/index.ts';
import { type Completeness, readCompleteness } from './completeness.ts';

function shapeCompleteness(found: Completeness): Row<ReviewCompleteness> {
  const { head, sums, sources, peopleSources, verdicts, revisions, outcomes, removals, changes, apps } = found;
  const connectorOf = ({ appId, sourceNo }: Pick<SourceCount, 'appId'> & { readonly sourceNo: number | undefined }): string =>
    sources.find((one) => one.appId === appId && one.sourceNo === sourceNo)?.sourceId ?? '';
  const countsOf = (appId: string, kind: VerdictCount['kind']) =>
    verdicts.filter((one) => one.appId === appId && one.kind === kind).map(({ verdict, grants }) => ({ name: verdict, count: grants }));
  return {
    revision: head.revision,
    takenAt: head.takenAt,
    eventUid: head.eventId,
    holds: sums.every(({ holds }) => holds),
    sums: sums.map((one) => ({ ...one, connectorId: connectorOf(one) })),
    apps: apps.map((app) => ({
      ...app,
      verdicts: countsOf(app.appId, 'A'),
      linkVerdicts: countsOf(app.appId, 'R'),
      grants: sources.reduce((sum, { appId, held }) => sum + (appId === app.appId ? held : 0), 0),
    })),
    sources: sources.map((source) => ({ ...source, connectorId: source.sourceId, importId: source.syncId })),
    peopleSources: peopleSources.map(({ sourceId, ...one }) => ({ ...one, connectorId: sourceId })),
    revisions: revisions.map((one) => ({ ...one, connectorId: connectorOf(one) })),
    outcomes: outcomes.map(({ outcome, items }) => ({ name: outcome, count: items })),
    removals: removals.map(({ state, items }) => ({ name: state, count: items })),
    changes: changes.map((one) => ({ ...one, eventUid: one.id })),
  };
}

/** The completeness of reviews. */
export const completenessService = implement(ReviewCompletenessService, {
  async get(context, request) {
    return { completeness: shapeCompleteness(await readCompleteness(context, request.accessReviewId)) };
  },
});
