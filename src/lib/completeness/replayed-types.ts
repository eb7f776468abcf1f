/** Values that verdicts are worked out of again: a scope, and what a snapshot says of accounts, people, entitlements and grants. */

/** A scope as a review's document says it; enums with their prefixes. */
export interface ReplayedScope {
  readonly scope?: Readonly<Record<string, unknown>> | undefined;
  readonly inclusionScope?: Readonly<Record<string, unknown>> | undefined;
  readonly exclusionScope?: Readonly<Record<string, unknown>> | undefined;
  readonly scopeV2?: Readonly<Record<string, unknown>> | undefined;
  /** True if it asks about conflicts alone. */
  readonly ofConflicts: boolean;
  /** Lists beside the scope: what is left out (EXCLUSION), and the only grants that are asked about (GRANT). */
  readonly lists: readonly {
    readonly list: string;
    readonly kind: string;
    readonly appId: string;
    readonly objectId: string;
    readonly entitlementId: string;
    readonly accountId: string;
  }[];
  /** The moment of the snapshot. */
  readonly takenAt: Date;
}

/** A person, as their details say. */
export interface ReplayedPerson {
  readonly id: string;
  readonly status: string;
  readonly managerId: string;
  readonly managerEmail: string;
  readonly email: string;
  readonly displayName: string;
  readonly username: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly employmentStatus: string;
  readonly employmentType: string;
  readonly profile: Readonly<Record<string, unknown>>;
}

/** Outcome of the filters of people on somebody. */
export interface JudgedPerson {
  readonly passesUsers: boolean;
  readonly passesIncluded: boolean;
}

/** An account with what filters said of its owner, undefined where the owner's details were erased and where there is none. */
export interface ReplayedAccount {
  readonly id: string;
  readonly app: string;
  readonly type: string;
  readonly status: string;
  readonly ownerId: string | null;
  readonly owner: JudgedPerson | undefined;
  /** Its address, undefined where it was erased; and whether its domain is none of the organization's people. */
  readonly email: string | undefined;
  readonly external: boolean;
  readonly accessProfiles: readonly string[];
  /** Outcomes of its own expression and that of its owner; undefined where there is none. */
  readonly accountExpression: boolean | undefined;
  readonly personExpression: boolean | undefined;
  /** True if the owner held an entitlement whose holders are left out. */
  readonly holdsExcluded: boolean;
}

/** An account by all that verdicts on its grants need of it: the first filter before those of grants that drops it, the first behind them, '' for none. */
export interface JudgedAccount {
  readonly before: ReplayedVerdict;
  readonly behind: ReplayedVerdict;
  readonly accessProfiles: readonly string[];
}

/** An entitlement of the apps. */
export interface ReplayedEntitlement {
  readonly id: string;
  readonly app: string;
  readonly chosen: boolean;
  readonly resourceId: string;
  readonly resourceTypeId: string;
  readonly givenByIncluded: readonly string[];
  readonly givenByExcluded: readonly string[];
}

/** An entitlement by all that verdicts on its grants need of it. */
export interface JudgedEntitlement extends Pick<ReplayedEntitlement, 'chosen' | 'givenByIncluded' | 'givenByExcluded'> {
  readonly isExcluded: boolean;
}

/** A grant. Times are in milliseconds, null where the source does not say. */
export interface ReplayedGrant {
  readonly account: string;
  readonly entitlement: string;
  readonly grantedAt: number | null;
  readonly firstSeenAt: number;
  readonly lastUsedAt: number | null;
  readonly endsAt: number | null;
  readonly held: string;
  /** It was decided since the time that the scope names, or makes a conflict. */
  readonly reviewed: boolean;
  readonly inConflict: boolean;
}

/** The verdict; undefined where it rests on what was erased. */
export type ReplayedVerdict = string | undefined;
