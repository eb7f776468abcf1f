/** The reviews that a template makes: by date, when somebody changes, when a conflict comes. */
export { jobKinds } from './jobs.ts';
export { lookConflictsKind } from './look-conflicts.ts';
export { lookKind } from './look.ts';
export { createReviewFromTemplate } from './make-review.ts';
export { tickKind } from './tick.ts';
export { readTriggers, setTriggers, watchPeople } from './triggers.ts';
