/** A directory as the fake of Microsoft Graph has it, and ways to write one. */

/** A user, with the properties that Graph names so. */
export interface FakeUser {
  readonly id: string;
  readonly userPrincipalName: string;
  readonly manager?: string;
  readonly [property: string]: unknown;
}

/** A service principal with those who are given its roles. */
export interface FakePrincipal {
  readonly id: string;
  readonly appRoles?: readonly Readonly<Record<string, unknown>>[];
  /** Role and principal of each assignment. */
  readonly assigned?: readonly (readonly [role: string, principal: string])[];
  readonly [property: string]: unknown;
}

/** A group with its members and owners. */
export interface FakeGroup {
  readonly id: string;
  readonly members: readonly string[];
  readonly owners?: readonly string[];
  readonly [property: string]: unknown;
}

/** An assignment of a directory role, or an eligibility for one. */
export interface FakeRole {
  readonly role: string;
  readonly principal: string;
  readonly scope?: string;
  readonly [property: string]: unknown;
}

/** A whole directory. */
export interface FakeTenant {
  readonly users: readonly FakeUser[];
  readonly principals: readonly FakePrincipal[];
  readonly groups: readonly FakeGroup[];
  readonly roles: readonly { readonly id: string; readonly displayName: string; readonly description: string }[];
  readonly assigned: readonly FakeRole[];
  /** Undefined where the directory has no licence for it. */
  readonly eligible: readonly FakeRole[] | undefined;
  /** Assignments with a plan, among them activations. */
  readonly active: readonly FakeRole[];
}

/** Returns an id that is a GUID, for the thing of this kind and number. */
export function guid(kind: number, number: number): string {
  return `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Role of every directory here. */
export const administrator = guid(9, 1);

/** Returns a user with what most have. */
export function user(number: number, more: Readonly<Record<string, unknown>> = {}): FakeUser {
  return {
    ...{ id: guid(1, number), userPrincipalName: `u${number}@example.com`, mail: `u${number}@example.com`, displayName: `User ${number}` },
    ...{ employeeId: String(1000 + number), accountEnabled: true, userType: 'Member', createdDateTime: '2024-01-02T03:04:05Z' },
    ...more,
  };
}

/** Returns a directory of the given parts; somebody is its administrator. */
export function tenantOf(parts: Partial<FakeTenant>): FakeTenant {
  const users = parts.users ?? [user(1)];
  return {
    ...{ principals: [], groups: [], eligible: [], active: [] },
    roles: [{ id: administrator, displayName: 'Global Administrator', description: 'Can manage everything.' }],
    assigned: [{ role: administrator, principal: users[0]?.id ?? '' }],
    ...parts,
    users,
  };
}
