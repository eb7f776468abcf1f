/** Data of a source on a person, and how it differs from the person's own. Pure, but for the piece of SQL that writes it. */
import { isSameAddress } from '../../lib/names/same-address.ts';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { type Sql, sql } from '../../lib/sql.ts';
import type { UserRow } from '../../foundation/directory/index.ts';

/** Data written of a person. */
export interface PersonContent {
  readonly email: string;
  readonly displayName: string;
  readonly status: 'ENABLED' | 'DISABLED' | 'DELETED';
  readonly username: string;
  readonly employeeId: string;
  readonly externalId: string;
  readonly employmentType: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly managerId: string | null;
  /** The id of the source that reports them. */
  readonly source: string;
}

/** A person as the directory adds or changes them; their profile is that of files, and stays. `isNew` says it of one who has none yet. */
export function getPersonRowSql(id: string, person: PersonContent, isNew: boolean): Sql {
  return sql`SELECT ${id}::text AS id, ${person.email}::text AS email, ${getAddressKey(person.email)}::text AS email_key,
    ${person.displayName}::text AS display_name, ${person.status}::text AS status, ${isNew ? '' : null}::text AS employment_status,
    ${person.department}::text AS department, ${person.jobTitle}::text AS job_title, ${person.username}::text AS username,
    ${person.employeeId}::text AS employee_id, ${person.externalId}::text AS external_id, ${person.employmentType}::text AS employment_type,
    ${person.managerId}::text AS manager_id, ${isNew ? '{}' : null}::jsonb AS profile, ${person.source}::text AS source`;
}

/** The members of a person that a claim can be about, in the order in which they are shown. */
export const claimable = [
  'email',
  'status',
  'managerId',
  'displayName',
  'username',
  'employeeId',
  'externalId',
  'employmentType',
  'department',
  'jobTitle',
] as const;

/** One of them. */
export type Claimable = (typeof claimable)[number];

/** Changes wanted: member -> new value; '' for nothing. */
export type Wanted = Readonly<Partial<Record<Claimable, string>>>;

/**
 * Members that decide who somebody is and who answers for them: never changed of somebody who holds a role without an administrator. A file knows
 * people by their employee id, too, and would say all of the others of them. Their status is none of these: leaving takes effect at once, since all that
 * they held is suspended by it, and an administrator gives it back.
 */
export const guarded: readonly Claimable[] = ['email', 'managerId', 'employeeId'];

/** A person with what the delivering system calls them. */
export type Described = UserRow & { readonly externalId: string };

/** Returns the person's value of a member now. */
export function saidBy(person: Described, member: Claimable): string {
  return person[member] ?? '';
}

/** The members in which the content differs from the person. */
export function compareWith(person: Described, content: PersonContent): Wanted {
  const differing = claimable.filter((member) => {
    const [now, then] = [saidBy(person, member), content[member] ?? ''];
    return member === 'email' ? !isSameAddress(now, then) : now !== then;
  });
  return Object.fromEntries(differing.map((member) => [member, content[member] ?? '']));
}

/** True if the person is there and says all of this already. */
export function isSaidBy(person: Described, content: PersonContent): boolean {
  return (
    person.deletedAt === null &&
    person.source === content.source &&
    claimable.every((member) => saidBy(person, member) === (content[member] ?? ''))
  );
}

/** The person as they are, but for these members. */
export function contentWith(person: Described, wanted: Wanted, source: string): PersonContent {
  const pick = (member: Claimable): string => wanted[member] ?? saidBy(person, member);
  return {
    email: pick('email'),
    displayName: pick('displayName'),
    status: pick('status') as PersonContent['status'],
    username: pick('username'),
    employeeId: pick('employeeId'),
    externalId: pick('externalId'),
    employmentType: pick('employmentType'),
    department: pick('department'),
    jobTitle: pick('jobTitle'),
    managerId: pick('managerId') || null,
    source,
  };
}

/** True if two claims want the same. */
export function isSameWanted(left: Wanted, right: Wanted): boolean {
  return claimable.every((member) => left[member] === right[member]);
}
