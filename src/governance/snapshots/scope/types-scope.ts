/**
 * A scope as it was read: which entitlements it chooses and which filters narrow them. The table in docs/scopes.md says what each member means.
 */
import type { Sql } from '../../../lib/sql.ts';
import type { ScopeEntry } from './store-scope-lists.ts';

/** Members that choose entitlements (`scopeType` without its prefix). */
export type ScopeType = 'BY_ENTITLEMENTS' | 'BY_USERS' | 'BY_ACCESS_CONFLICTS' | 'BY_RESOURCE' | 'BY_INHERITANCE';

/** An entitlement named one by one, with the policy that decides it where one was named. */
export interface NamedEntitlement {
  readonly appId: string;
  readonly entitlementId: string;
  readonly policyId: string;
}

/** Values of which an entitlement must carry one; an empty list filters nothing. */
export interface SelectionCriteria {
  readonly riskLevelIds: readonly string[];
  readonly frameworkIds: readonly string[];
}

/** Entitlements that a document chooses, beside those of its lists. */
export interface What {
  readonly scopeType: ScopeType;
  /** Apps chosen whole: all their entitlements but app access. */
  readonly wholeAppIds: readonly string[];
  /** Every app that is named, by whichever member. */
  readonly namedAppIds: readonly string[];
  readonly entitlements: readonly NamedEntitlement[];
  /** Exactly the built-in entitlement of the chosen apps, in place of their others. */
  readonly appAccess: boolean;
  readonly criteria: SelectionCriteria | undefined;
  /** Resources, or pairs of scope and role, that are listed beside the document. */
  readonly byResources: boolean;
  readonly byRoles: boolean;
  /** Of a scope by conflicts: those of every enabled monitor, not of those listed beside the document. */
  readonly allMonitors: boolean;
  /** Nothing was chosen but people or accounts: everything they hold. */
  readonly everything: boolean;
}

/** An attribute of a person, and the values of which it must have one; the empty text is that of one who has none. */
export interface AttributeFilter {
  readonly key: string;
  readonly values: readonly string[];
}

/** An entitlement of an app. */
export interface EntitlementRef {
  readonly appId: string;
  readonly id: string;
}

/** Choice of people; what is undefined filters nothing. */
export interface PeopleFilter {
  readonly userIds: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly managerIds: readonly string[] | undefined;
  readonly attributes: readonly AttributeFilter[] | undefined;
  /** Entitlements whose holders are left out. */
  readonly notHolding: readonly EntitlementRef[] | undefined;
}

/** Choice of accounts by their own facts; what is undefined filters nothing. */
export interface AccountFilter {
  readonly types: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly unowned: true | undefined;
  /** Domain of its address, one of a person's or not. */
  readonly domain: 'EXTERNAL' | 'TRUSTED' | undefined;
}

/** Access profiles by which grants are kept or left out; `all` is every profile there is. */
export interface ProfileFilter {
  readonly included: readonly string[] | undefined;
  readonly excluded: readonly string[] | 'all' | undefined;
}

/** Choice of grants, by their own facts. Seconds count back from the moment of the snapshot. */
export interface GrantFilter {
  readonly addedAtLeastSecondsAgo: number | undefined;
  readonly unusedForSeconds: number | undefined;
  readonly unreviewedForSeconds: number | undefined;
  /** Start inclusive, end exclusive; either may be open. */
  readonly addedFrom: Date | undefined;
  readonly addedBefore: Date | undefined;
  /** Held by itself, or passed on by other entitlements; a grant may be both. */
  readonly heldHow: 'DIRECT' | 'INHERITED' | undefined;
  /** Without an end, or with one. */
  readonly lasts: 'PERMANENT' | 'TEMPORARY' | undefined;
}

/** Grants that are asked about: those of accounts, the links of resources, or both. */
export type Principals = 'ACCOUNTS' | 'RESOURCES' | 'BOTH';

/** Every filter of a document, in the order in which they are asked. */
export interface Filters {
  readonly exclusion: { readonly types: readonly string[] | undefined; readonly statuses: readonly string[] | undefined };
  readonly legacy: { readonly accounts: readonly AccountFilter[]; readonly people: PeopleFilter };
  readonly accounts: AccountFilter;
  readonly people: PeopleFilter;
  /** Expressions as they were written; empty for none. */
  readonly accountExpression: string;
  readonly userExpression: string;
  /** True if any filter looks at people, so that unowned accounts are out. */
  readonly filtersPeople: boolean;
  readonly grants: GrantFilter;
  readonly principals: Principals;
  readonly profiles: ProfileFilter;
}

/** A document's choice. */
export interface ReviewScope {
  readonly what: What;
  readonly filters: Filters;
}

/** Choice of a review, with the lists beside its document. */
export interface ChosenScope extends ReviewScope {
  readonly entries: readonly ScopeEntry[];
}

/** A review as far as its snapshot depends on more than its scope. */
export interface ReviewToFreeze {
  readonly id: string;
  readonly createdById: string;
  /** The policy of what has none of its own; empty for the built-in one. */
  readonly policyId: string;
  /** The policies of entitlements and apps come before it. */
  readonly usePolicyOverride: boolean;
  /** Selects `account_id` and `entitlement_id` of what was decided after a moment in reviews of these apps, some more than once. */
  readonly getDecidedSince: (appIds: readonly string[], since: Date) => Sql;
}
