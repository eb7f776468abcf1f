/** The fields of people, accounts, entitlements and tasks as columns. */
import type { Node } from '../../../lib/cel/node.ts';
import { fixed, type Sql, sql } from '../../../lib/sql.ts';

/** Type of what a piece of SQL gives: a value of a profile is jsonb, a moment or a duration its nanoseconds. */
export type Kind = 'bool' | 'text' | 'int' | 'double' | 'nanos' | 'json';

/** A piece of an expression as SQL; NULL is an error. */
export interface Piece {
  readonly kind: Kind;
  readonly sql: Sql;
  /** Set where it is always the same. */
  readonly value?: string | boolean | bigint | number;
  /** Of nanoseconds that are always the same: whether they are a duration. */
  readonly isDuration?: boolean;
  /** Set for an error that is always there. */
  readonly mayFail?: boolean;
  /** Set where NULL is a value and not an error: it has no order, and is compared with nothing else. */
  readonly isOptional?: boolean;
}

/** An item of a list, and when it is there: always where that is not said. */
export interface Item {
  readonly piece: Piece;
  readonly when?: Sql;
}

/** A field that is read. */
interface Read {
  readonly object: string;
  readonly field: string;
  readonly of: Node;
}

/** Places of the columns of people and accounts, as what their names begin with, and what else is known of an item. */
export interface Places {
  readonly person: string;
  readonly account: string;
  /** There may be no person or no account: their columns are NULL then. */
  readonly mayLack: boolean;
  /** Parts of a task that are the same for a whole review; undefined where no task may be named. */
  readonly task?: { readonly requestorUserId: string; readonly createdAt: Date };
}

/** Live people `p` and accounts `a`. */
export const livePlaces: Places = { person: 'p.', account: 'a.', mayLack: false };

const text = (column: string): string => `(${column} COLLATE "C")`;

/** The column of each field of texts, behind what its name begins with; `of` puts that in. */
const columns: Readonly<Record<string, Readonly<Record<string, (of: string) => string>>>> = {
  User: {
    id: (of) => `${of}user_id`,
    email: (of) => `${of}email`,
    displayName: (of) => `${of}display_name`,
    username: (of) => `${of}username`,
    department: (of) => `${of}department`,
    jobTitle: (of) => `${of}job_title`,
    employmentType: (of) => `${of}employment_type`,
    employmentStatus: (of) => `${of}employment_status`,
    status: (of) => `('USER_STATUS_' || ${of}status)`,
    directoryStatus: (of) => `('USER_STATUS_' || ${of}status)`,
    type: (of) => `('USER_TYPE_' || ${of}user_type)`,
    manager: (of) => `${of}manager_email`,
    managerId: (of) => `coalesce(${of}manager_id, '')`,
  },
  AppUser: {
    id: (of) => `${of}id`,
    appId: (of) => `${of}app_id`,
    displayName: (of) => `${of}display_name`,
    username: (of) => `${of}username`,
    email: (of) => `${of}email`,
    appUserType: (of) => `('APP_USER_TYPE_' || ${of}account_type)`,
    identityUserId: (of) => `coalesce(${of}user_id, '')`,
  },
  AppEntitlement: {
    id: (of) => `${of}entitlement_id`,
    appId: (of) => `${of}app_id`,
    appResourceId: (of) => `${of}resource_id`,
    appResourceTypeId: (of) => `${of}resource_type_id`,
    appResourceType: (of) => `${of}resource_type_display_name`,
    displayName: (of) => `${of}display_name`,
    description: (of) => `${of}description`,
    alias: (of) => `${of}alias`,
    slug: (of) => `${of}slug`,
    purpose: (of) => `${of}purpose`,
    riskLevelValueId: (of) => `${of}risk_level_value_id`,
  },
};

/** Milliseconds of a moment, as other evaluations know it, in nanoseconds. */
const nanosOf = (moment: string): string => `(extract(epoch FROM date_trunc('milliseconds', ${moment})) * 1000000000)`;

/** Returns what `of` of the columns of an object begins with; frozen entitlements are `e`. */
function placeOf(places: Places, object: string): string | undefined {
  return { User: places.person, AppUser: places.account, AppEntitlement: 'e.' }[object];
}

/** The piece, an error where there is no person or account. */
export function getWherePresent(places: Places, object: string, piece: Piece): Piece {
  const presence = getPresenceSql(places, object);
  return presence === undefined ? piece : { kind: piece.kind, sql: sql`CASE WHEN ${presence} THEN ${piece.sql} END` };
}

/** Condition that there is a person or an account; undefined where there always is. */
export function getPresenceSql(places: Places, object: string): Sql | undefined {
  const column = { User: `${places.person}user_id`, AppUser: `${places.account}id` }[object];
  return places.mayLack && column !== undefined ? fixed(`(${column} IS NOT NULL)`) : undefined;
}

/** The column of a field of a person, an account, an entitlement or a task, or of a status; undefined where there is none. */
export function getColumn(places: Places, { object, field, of }: Read): Piece | undefined {
  if (object === 'AppUserStatusValue' && of.op === 'field' && of.of.op === 'variable') {
    const piece: Piece = {
      kind: 'text',
      sql: fixed(field === 'status' ? text(`('APP_USER_STATUS_' || ${places.account}status)`) : text("''::text")),
    };
    return field === 'status' ? piece : getWherePresent(places, 'AppUser', piece);
  }
  if (object === 'TaskAnalysis') {
    return of.op === 'field' && of.of.op === 'variable' ? getAnalysis(field) : undefined;
  }
  if (of.op !== 'variable') {
    return undefined;
  }
  if (object === 'Task') {
    return getTaskColumn(places, field);
  }
  const place = placeOf(places, object);
  if (place === undefined) {
    return undefined;
  }
  if (field === 'profile') {
    return { kind: 'json', sql: fixed(`${place}profile`) };
  }
  const column = Object.hasOwn(columns[object] ?? {}, field) ? columns[object]?.[field] : undefined;
  if (column === undefined) {
    return undefined;
  }
  const piece: Piece = { kind: 'text', sql: fixed(text(column(place))) };
  return field === 'managerId' || field === 'identityUserId' ? getWherePresent(places, object, piece) : piece;
}

/** A field of the task of an item `h`: its grant says when it began and when it ends. */
function getTaskColumn({ account, task }: Places, field: string): Piece | undefined {
  switch (task && field) {
    case 'origin':
      return { kind: 'text', sql: fixed(text("'TASK_ORIGIN_ACCESS_REVIEW'::text")) };
    case 'requestorUserId':
      return { kind: 'text', sql: sql`(${task?.requestorUserId}::text COLLATE "C")` };
    case 'subjectUserId':
      return { kind: 'text', sql: fixed(text(`coalesce(${account}user_id, '')`)) };
    case 'createdAt':
      return { kind: 'nanos', sql: sql`${String((task?.createdAt.getTime() ?? 0) * 1_000_000)}::numeric`, isDuration: false };
    case 'isGrantPermanent':
      return { kind: 'bool', sql: fixed('(h.deprovision_at IS NULL)') };
    case 'grantDuration': {
      const begin = nanosOf('coalesce(h.granted_at, h.created_at)');
      return { kind: 'nanos', sql: fixed(`(${nanosOf('h.deprovision_at')} - ${begin})`), isDuration: true, isOptional: true };
    }
    default:
      return undefined;
  }
}

/** A field of the analysis of an item: `y` are the conflicts that its grant made. */
function getAnalysis(field: string): Piece | undefined {
  switch (field) {
    case 'id':
      return { kind: 'text', sql: fixed(text("''::text")) };
    case 'hasConflictViolations':
      return { kind: 'bool', sql: fixed('(y.account_id IS NOT NULL)') };
    default:
      return undefined;
  }
}

/** The array of texts that a list of an entitlement or of an analysis is; undefined for other lists. */
export function getArraySql({ object, field, of }: Read): Sql | undefined {
  if (object === 'AppEntitlement' && field === 'complianceFrameworkValueIds' && of.op === 'variable') {
    return fixed('e.compliance_framework_value_ids');
  }
  const isOfTask = object === 'TaskAnalysis' && of.op === 'field' && of.of.op === 'variable';
  return isOfTask && field === 'conflictViolations' ? fixed("coalesce(y.monitor_ids, '{}')") : undefined;
}

/** The items of a list that a person or an account has: each column that is not empty. */
export function getItems(places: Places, { object, field }: Read): readonly Item[] | undefined {
  const place = placeOf(places, object);
  const lists: Readonly<Record<string, readonly string[]>> = {
    emails: ['email'],
    usernames: object === 'User' ? ['username'] : ['username', 'external_id'],
    employeeIds: ['employee_id'],
  };
  const names = (object === 'User' || object === 'AppUser') && Object.hasOwn(lists, field) ? lists[field] : undefined;
  return names?.map((name) => ({
    piece: { kind: 'text', sql: fixed(text(`${place}${name}`)) },
    when: fixed(`(${place}${name} <> '')`),
  }));
}

/** True if PostgreSQL can hold a text. */
export function hasOnlyStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
