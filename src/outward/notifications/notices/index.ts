/** The public interface of the part notices: events that are mailed to somebody, and the facts a mail shows. */
export { type Facts, readFacts } from './facts.ts';
export {
  type AskingKind,
  type Notice,
  type NoticeKind,
  type RemovalKind,
  type SourceKind,
  type SubjectKind,
  type ToldKind,
  type WishKind,
  addressChangedKind,
  callNotify,
  isAsking,
  noticeKinds,
  notifyKind,
  signInLinkKind,
} from './notices.ts';
export { passOn } from './pass-on.ts';
export { listGrounded } from './store-grounds.ts';
export { type Recipient, listRecipients } from './store-facts.ts';
export {
  type NoticeRow,
  findNextDue,
  insertNoticesForAsked,
  insertNoticesForEverybody,
  insertNoticesForNewlyAsked,
  insertNoticesForSets,
  insertNoticesForTask,
  insertNoticesForThemselves,
  listDuePeople,
  listNoticesOfMail,
} from './store-notices.ts';
export { type OccurredRow, findPlaceOfTask, hasAutomaticReport, hasSeveralSteps, listHolders, listOccurred } from './store-occurred.ts';
export {
  type RemovalEvent,
  insertNoticesForAdministrators,
  insertNoticesForApprovers,
  insertNoticesForRemovers,
  insertNoticesForRequesters,
} from './store-removal-notices.ts';
export { insertNoticesForRecords } from './store-record-notices.ts';
export { insertNoticesForSource, listLastTold } from './store-source-notices.ts';
export {
  type SubjectNotice,
  insertNoticesForSecondReviewers,
  insertNoticesForTemplate,
  insertNoticesOfConflicts,
} from './store-subject-notices.ts';
