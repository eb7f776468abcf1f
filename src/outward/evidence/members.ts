/** The members of a bundle, in their order. */
import { besideMembers } from './members-beside.ts';
import { decisionMembers } from './members-decisions.ts';
import { logMembers } from './members-log.ts';
import { peopleMembers } from './members-people.ts';
import { populationMembers } from './members-population.ts';
import { removalMembers } from './members-removals.ts';
import { reviewMembers } from './members-review.ts';
import { keyMembers, signatureMembers } from './members-signatures.ts';
import type { BundleMember } from './member.ts';

const ofReview: readonly BundleMember[] = [
  ...reviewMembers,
  ...peopleMembers,
  ...populationMembers,
  ...decisionMembers,
  ...signatureMembers,
  ...removalMembers,
  ...besideMembers,
];

/** The number of the first member that is of the log. */
export const firstOfLog = ofReview.length;

export const members: readonly BundleMember[] = [...ofReview, ...logMembers, ...keyMembers];
