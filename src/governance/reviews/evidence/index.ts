/** Basis and outcome of a review: the age of its data, the independence of its reviewers, acknowledgement, figures. */
export { findDraftAccuracy, findSnapshotAccuracy, flaggedSources, nameSources } from './accuracy.ts';
export {
  type AcknowledgementView,
  acknowledgeReview,
  findAcknowledgement,
  isAcknowledged,
  listAcknowledgeable,
  listAcknowledged,
  requireAcknowledged,
} from './acknowledge.ts';
export { acknowledgementEvidence } from './check-acknowledgement.ts';
export { signAcknowledgement } from './sign-acknowledgement.ts';
export { readFigures } from './figures.ts';
export { describeOutcome, describeSecondReview } from './insights.ts';
export { readCounts, readProgress } from './progress.ts';
export { findFlagged, listReviewerFigures } from './reviewer-figures.ts';
export { noteSecondReview } from './second-review.ts';
export { evidenceServices, shapeAcknowledgement, shapeSource } from './service-evidence.ts';
export { independenceService } from './service-independence.ts';
export { reviewProgressService, shapeCounts, shapeFigures } from './service-progress.ts';
export { reviewerFigureService } from './service-reviewer-figures.ts';
export { completenessService } from './service-completeness.ts';
export { listBrokenSums } from './completeness.ts';
export { listAppNames } from './store-completeness.ts';
