/** The public interface of the module reviews: finding them, who may see them, how they look. */
import type { BoundService } from '../../wire/service.ts';
import { recordServices } from './service.ts';
import { replayService, scopeListService } from './service-scope.ts';
import { evidenceServices } from './service-evidence.ts';
import { independenceService } from './service-independence.ts';
import { myReviewService } from './service-my.ts';
import { reviewProgressService } from './service-progress.ts';
import { reviewerFigureService } from './service-reviewer-figures.ts';
import { searchAllService } from './service-search-all.ts';
import { reviewSearchService } from './service-search-reviews.ts';
import { createActionsService, createSelectionService } from './service-run.ts';

/** The contract's services this module offers; `sendsMail`: whether the installation sends any, so that a review which asks for it can say so. */
export function createServices(sendsMail: boolean): readonly BoundService[] {
  return [
    ...recordServices,
    scopeListService,
    replayService,
    ...evidenceServices,
    createActionsService(sendsMail),
    createSelectionService(sendsMail),
    reviewProgressService,
    independenceService,
    reviewerFigureService,
    myReviewService,
    searchAllService,
    reviewSearchService,
  ];
}

export { certifiedUntilKind } from './certified-until.ts';
export { insertDraft } from './create.ts';
export { deleteReview } from './delete.ts';
export { documentOf } from './document.ts';
export { accessKind, peopleKind } from './follow.ts';
export { jobKinds } from './jobs.ts';
export { createPrepareJob, prepareKind } from './prepare.ts';
export { mayManageReview, maySeeReview, requireEvidence, requireLockedReview, requireReview, visibleReviews } from './permit.ts';
export { listPossible } from './possible.ts';
export { type ChosenEntitlement, type ChosenResourceType, listEntitlementViolations, listResourceTypeViolations } from './setup.ts';
export { reviewLoader } from './load-reviews.ts';
export { findReview, listReviewsByIds, type ReviewRow } from './store.ts';
export { countOpenWork } from './store-open-work.ts';
export type { OwnerRow } from './store-owners.ts';
export { findLatestOfTemplate } from './store-predecessor.ts';
export { listSetupRows, type Replaced, type ReviewPolicy, type SetupEntitlementRow } from './store-setup.ts';
export { findFlagged } from './reviewer-figures.ts';
export { noteSecondReview } from './second-review.ts';
export { changesDates, heldKind, timerEvents, timersKind } from './timers.ts';
export { listEntryViolations, type ScopeLists } from './scope-lists.ts';
export { readEntries, shapeLists } from './service-scope.ts';
export { listScopeEntries, type ScopeEntry, updateScopeEntries } from './store-scope-lists.ts';
export { forEvent } from './update.ts';
export { listOwnerViolations, maxOwners } from './validate-owners.ts';
export { listViolations, maxListLength, refuseViolations } from './validate-review.ts';
export { noPath, type PathOf, shapeOwner, shapeReview, shapeReviewView } from './view.ts';
export { expandSetup, pageSetup, shapeSetupFields, shapeSetupPaths } from './view-setup.ts';
