/**
 * Origin of each attribute of a person: a column of a file, an attribute that an identity provider pushes, or no source's word but that of whoever
 * made them manually, which is reported by an empty list. Pure.
 */
import type { UserAttributeMappingSource } from '../../gen/c1/api/user/v1/user_pb.js';
import { getAddressKey } from '../../lib/names/same-name.ts';
import { type Row, unset } from '../../wire/row.ts';
import type { UserRow } from './store.ts';
import type { PushSource } from './store-sources.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The attributes of the contract that have sources: the column of a people file, and the attribute of a pushed user ('' for none). */
const attributes = {
  email: { column: 'email', path: 'emails' },
  username: { column: 'username', path: 'userName' },
  employeeId: { column: 'employee_id', path: `${enterprise}:employeeNumber` },
  department: { column: 'department', path: `${enterprise}:department` },
  jobTitle: { column: 'job_title', path: 'title' },
  employmentType: { column: 'employment_type', path: 'userType' },
  employmentStatus: { column: 'employment_status', path: '' },
  directoryStatus: { column: 'employment_status', path: 'active' },
  manager: { column: 'manager_email', path: `${enterprise}:manager` },
} as const;

type Attribute = keyof typeof attributes;
type Told = Pick<
  UserRow,
  | 'email'
  | 'username'
  | 'employeeId'
  | 'department'
  | 'jobTitle'
  | 'employmentType'
  | 'employmentStatus'
  | 'status'
  | 'managerId'
  | 'managerEmail'
  | 'source'
  | 'file'
  | 'pushes'
>;

/** Returns a person's value of an attribute; '' for nothing. */
function spokenValue(row: Told, attribute: Attribute): string {
  switch (attribute) {
    case 'manager':
      return row.managerEmail ?? '';
    case 'directoryStatus':
      return row.employmentStatus;
    default:
      return row[attribute];
  }
}

/** Returns a push's value of an attribute, where the person has the same; undefined otherwise. Keys are kept in lower case. */
function pushedValue(row: Told, push: PushSource, attribute: Attribute): string | undefined {
  const { path } = attributes[attribute];
  const value = spokenValue(row, attribute);
  const key = value.trim().toLowerCase();
  switch (attribute) {
    case 'directoryStatus':
      return String(push.isActive);
    case 'manager':
      return push.managerId !== null && push.managerId === row.managerId ? (push.managerScimId ?? undefined) : undefined;
    case 'username':
      return key !== '' && push.nameKey === getAddressKey(value) ? value : undefined;
    case 'email': {
      const emails = Array.isArray(push.keys.emails) ? (push.keys.emails as { value?: unknown }[]) : [];
      const keys = [push.nameKey, ...emails.map((one) => getAddressKey(String(one.value ?? '')))];
      return key !== '' && keys.includes(getAddressKey(value)) ? value : undefined;
    }
    default:
      return key !== '' && path !== '' && push.keys[path.toLowerCase()] === key ? value : undefined;
  }
}

/**
 * The sources that say what the person says, the one that reported them last first; `priority` counts them. A file is taken at its word for
 * everything it may have a column for, unless a push says the same: which columns each file had is not kept.
 */
export function attributeSources(row: Told, attribute: Attribute): Row<UserAttributeMappingSource>[] {
  const { column, path } = attributes[attribute];
  const found: Omit<Row<UserAttributeMappingSource>, 'priority'>[] = [];
  const pushes = [...row.pushes].sort((a, b) => Number(b.sourceId === row.source) - Number(a.sourceId === row.source));
  for (const push of pushes) {
    const value = pushedValue(row, push, attribute);
    if (value !== undefined) {
      found.push({
        appId: push.appId,
        appUserId: push.accountId,
        appUserProfileAttributeKey: path,
        userAttributeMappingId: push.sourceId,
        value,
      });
    }
  }
  const value = spokenValue(row, attribute);
  if (row.file !== null && value !== '') {
    const { sourceId, columns } = row.file;
    const mapped = Object.hasOwn(columns, column) ? (columns[column] ?? '') : '';
    // A mapping to `=text` is a text for all rows, of no column.
    const key = mapped === '' || mapped.startsWith('=') ? column : mapped;
    found.unshift({ appUserProfileAttributeKey: key, userAttributeMappingId: sourceId, value, ...unset('appId', 'appUserId') });
  }
  return found.map((source, priority) => ({ ...source, priority }));
}
