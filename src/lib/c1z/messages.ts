/** Messages from the thread that reads a c1z to the one that asked for it, and the columns that they become. */

/** Columns of an account, before its attributes. */
export const accountColumns = [
  'account',
  'username',
  'display_name',
  'email',
  'employee_id',
  'account_type',
  'account_status',
  'account_created_at',
  'account_used_at',
] as const;

/** Columns by which an entitlement is known. */
export const keyColumns = ['resource_type', 'resource', 'entitlement'] as const;

/** Columns that describe an entitlement, in the one row that it has without an account. */
export const textColumns = [
  'resource_name',
  'resource_description',
  'entitlement_name',
  'entitlement_description',
  'purpose',
  'parent_resource_type',
  'parent_resource',
] as const;

/** Columns of a single grant; a c1z says nothing of the times of grants. */
export const grantColumns = ['granted_via', 'linked_from', 'granted_at', 'last_used_at'] as const;

/** Character between joined texts; it is in none of them. */
export const joint = '\0';

/** Options of reading. */
export interface C1zOptions {
  /** Members of profiles that become attributes; all where undefined or empty. */
  readonly profileAllowList?: readonly string[];
  readonly profileIgnoreList?: readonly string[];
}

/** Facts known before the first row. */
export interface Opened {
  readonly kind: 'OPENED';
  readonly attributes: readonly string[];
  /** Beginning of the sync on the clock of the connector's host, as it is written. */
  readonly startedAt: string;
  readonly incompleteReason: string;
}

/** Entitlements in the order of their numbers, from 0 over all such messages. */
interface Entitlements {
  readonly kind: 'ENTITLEMENTS';
  readonly keys: readonly (readonly string[])[];
  readonly texts: readonly (readonly string[])[];
}

/** Entitlements whose holders are those of another, which is written as a step of a path. */
interface Links {
  readonly kind: 'LINKS';
  readonly entitlements: readonly number[];
  readonly from: readonly string[];
}

/** Grants: the place of the account in this message, and the number of the entitlement, -1 for an account without any. */
interface Grants {
  readonly kind: 'GRANTS';
  /** Each its texts joined by `joint`: one text is copied between threads in a fraction of the time of many. */
  readonly accounts: readonly string[];
  readonly accountOf: Int32Array<ArrayBuffer>;
  readonly entitlementOf: Int32Array<ArrayBuffer>;
  /** Rows that are inherited, and through what. */
  readonly inherited: readonly number[];
  readonly via: readonly string[];
}

/** Rows, as far as they are read. */
export type Rows = Entitlements | Links | Grants;

interface Done {
  readonly kind: 'DONE';
  readonly warnings: readonly string[];
}

interface Refused {
  readonly kind: 'REFUSED';
  readonly message: string;
}

/** Grant or account that is looked for: the account by its key, the entitlement by its id. */
export type WantedInC1z =
  | { readonly kind: 'GRANT'; readonly account: string; readonly entitlement: string }
  | { readonly kind: 'ACCOUNT'; readonly account: string };

/** Grant or account that was found, as the connector wrote it. */
export type FoundInC1z =
  | { readonly kind: 'GRANT'; readonly isDirect: boolean; readonly isImmutable: boolean; readonly bytes: Uint8Array }
  | { readonly kind: 'ACCOUNT'; readonly type: string; readonly id: string; readonly parentType: string; readonly parentId: string };

interface Found {
  readonly kind: 'FOUND';
  readonly list: readonly (FoundInC1z | undefined)[];
}

export type Message = Opened | Rows | Done | Found | Refused;
