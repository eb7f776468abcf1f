/** The public interface of the module reviews: finding them, who may see them, how they look. */
import type { BoundService } from '../../wire/service.ts';
import { recordServices } from './service.ts';
import { replayService, scopeListService } from './scope/index.ts';
import {
  completenessService,
  evidenceServices,
  independenceService,
  reviewProgressService,
  reviewerFigureService,
} from './evidence/index.ts';
import { myReviewService, reviewSearchService, searchAllService } from './lists/index.ts';
import { arrivalService, createActionsService, createSelectionService } from './life/index.ts';
import type { Signing } from '../../foundation/signatures/index.ts';

/** The contract's services this module offers; `sendsMail`: whether the installation sends any, so that a review which asks for it can say so. */
export function createServices(sendsMail: boolean, signing: Signing): readonly BoundService[] {
  return [
    ...recordServices,
    scopeListService,
    replayService,
    ...evidenceServices,
    completenessService,
    createActionsService(sendsMail, signing),
    createSelectionService(sendsMail),
    arrivalService,
    reviewProgressService,
    independenceService,
    reviewerFigureService,
    myReviewService,
    searchAllService,
    reviewSearchService,
  ];
}

export {
  accessKind,
  certifiedUntilKind,
  changesDates,
  createPrepareJob,
  deleteReview,
  forEvent,
  heldKind,
  insertDraft,
  jobKinds,
  listPossible,
  noPath,
  type PathOf,
  peopleKind,
  prepareKind,
  shapeOwner,
  shapeReviewView,
  timerEvents,
  timersKind,
} from './life/index.ts';
export {
  readSettings,
  emptyReviewRow,
  findLatestOfTemplate,
  findOldReview,
  findReview,
  listFullReviews,
  listOwners,
  moveReviews,
  renameInReviews,
  listOwnerViolations,
  listReviewsByIds,
  listViolations,
  maxListLength,
  maxOwners,
  mayManageReview,
  maySeeReview,
  type OwnerRow,
  refuseViolations,
  requireEvidence,
  requireLockedReview,
  requireReview,
  type ReviewRow,
  type SourceAccuracy,
  visibleReviews,
  pickMembers,
  type ReviewSettings,
  type TemplateMember,
  templateMembers,
} from './record/index.ts';
export {
  type ChosenEntitlement,
  type ChosenResourceType,
  describeScope,
  isShorter,
  listEntitlementViolations,
  listEntryViolations,
  listResourceTypeViolations,
  listWiderInTemplate,
  mayExempt,
  refuseExempting,
  withoutExemption,
  listWiderLists,
  readEntries,
  readSnapshotItems,
  refuseWider,
  type ScopeLists,
  shapeLists,
  writePreparedScope,
} from './scope/index.ts';
export {
  type ArrivalCounts,
  type ArrivalKey,
  evidence,
  findArrivalCounts,
  listArrivalLines,
  listArrivals,
} from './arrivals/index.ts';
export { countOpenWork, reviewLoader } from './lists/index.ts';
export {
  acknowledgementEvidence,
  type AcknowledgementView,
  findAcknowledgement,
  findFlagged,
  listAppNames,
  listReviewerFigures,
  noteSecondReview,
  readFigures,
  signAcknowledgement,
} from './evidence/index.ts';
export { expandSetup, pageSetup, shapeSetupFields, shapeSetupPaths } from './view-setup.ts';
export { isProviderInUse, listPolicyUses, listReviewNames, reviewsItem } from './reads.ts';
export { reviewSlot, type SecondReviewCounts } from './record/index.ts';
