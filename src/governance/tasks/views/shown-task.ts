/** A task as its readers are shown it: with the snapshot of its review, what stands out about it, and what became of it. */
import type { GivenSignature } from '../../../foundation/signatures/index.ts';
import type { TaskRemoval, Task } from '../task/index.ts';
import type { Found } from './store-found.ts';

/** A task with everything that its view needs, so that a page of them is one statement. */
export interface ShownTask extends Task {
  readonly numericId: number;
  readonly grantedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly updatedAt: Date;
  readonly commentCount: number;
  /** The attributes of the account that the review shows its reviewers, as the snapshot has them. */
  readonly accountAttributes?: Readonly<Record<string, string>> | null;
  /** Of an open task whose access a later sync left out: which sync (empty for a push of an identity provider), and when. */
  readonly gone?: { readonly syncId: string; readonly at: string } | null;
  /** The facts that stand out about it; a task of an earlier release has nothing but its last decision. */
  readonly found?: Found | undefined;
  readonly revocation?: ShownRemoval | null;
  /** Of a closed task whose review asks for signatures: that of the last decision about it; null where that has none. */
  readonly givenSignature?: GivenSignature | null;
  readonly account: AccountFacts | null;
  readonly entitlement: EntitlementFacts | null;
}

/** The removal of a task, as the module of removals keeps it. */
export interface ShownRemoval extends TaskRemoval {
  /** The task that denied the access; empty where somebody asked for the removal. */
  readonly certifyTaskId: string;
  /** Reason for asking; empty where a review did. */
  readonly description: string;
  readonly note: string;
  /** Of inherited access: the first entitlement of each path, which is what has to be cut. */
  readonly targets: readonly string[];
  /** Other ways by which the access is held: through an entitlement of the account, by another account of the person, or under names that look the same. */
  readonly residual: readonly { readonly entitlementDisplayName: string; readonly account: string; readonly looksTheSame: boolean }[];
}

/** The account as the review's snapshot has it. */
export interface AccountFacts {
  readonly externalId: string;
  readonly accountType: string;
  readonly accountStatus: string;
  readonly userDisplayName: string;
  readonly userEmail: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly employmentStatus: string;
}

/** The entitlement as the review's snapshot has it. */
export interface EntitlementFacts {
  readonly displayName: string;
  readonly description: string;
  readonly appDisplayName: string;
  readonly resourceTypeId: string;
  readonly resourceTypeDisplayName: string;
  readonly resourceId: string;
  readonly resourceDisplayName: string;
}
