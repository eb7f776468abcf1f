/** The objects that expressions read: their fields, and the enums of some of these. What a field holds is what the caller gives. */
import { boolType, durationType, dynType, listOf, mapType, objectOf, stringType, timestampType, type Type } from './types.ts';

/** The objects. */
export type ObjectName =
  | 'User'
  | 'AppUser'
  | 'AppUserStatusValue'
  | 'AppEntitlement'
  | 'Task'
  | 'TaskAnalysis'
  | 'TriggerContext'
  | 'Trigger';

/** A field: its type, the enum it holds a value of, and the field it is another name of. */
export interface Field {
  readonly type: Type;
  /** Of enums: what their full names begin with. The caller may give the short name. */
  readonly prefix?: string;
  readonly alias?: string;
}

/** Prefix of each enum's names, and what may follow. */
export const enums = {
  UserStatus: { prefix: 'USER_STATUS_', values: ['UNSPECIFIED', 'ENABLED', 'DISABLED', 'DELETED'] },
  UserType: { prefix: 'USER_TYPE_', values: ['UNSPECIFIED', 'SYSTEM', 'HUMAN', 'SERVICE', 'AGENT'] },
  AppUserStatus: { prefix: 'APP_USER_STATUS_', values: ['UNSPECIFIED', 'ENABLED', 'DISABLED', 'DELETED'] },
  Status: { prefix: 'APP_USER_STATUS_', values: ['UNSPECIFIED', 'ENABLED', 'DISABLED', 'DELETED'] },
  AppUserType: { prefix: 'APP_USER_TYPE_', values: ['UNSPECIFIED', 'USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'] },
  TaskOrigin: {
    prefix: 'TASK_ORIGIN_',
    values: [
      'UNSPECIFIED',
      'PROFILE_MEMBERSHIP_AUTOMATION',
      'SLACK',
      'API',
      'JIRA',
      'COPILOT',
      'WEBAPP',
      'TIME_REVOKE',
      'NON_USAGE_REVOKE',
      'PROFILE_MEMBERSHIP_MANUAL',
      'PROFILE_MEMBERSHIP',
      'AUTOMATION',
      'ACCESS_REVIEW',
      'CASCADE_DELETE',
    ],
  },
} satisfies Readonly<Record<string, { readonly prefix: string; readonly values: readonly string[] }>>;

const enumField = (name: keyof typeof enums): Field => ({ type: stringType, prefix: enums[name].prefix });
const text: Field = { type: stringType };
const texts: Field = { type: listOf(stringType) };
const profile: Field = { type: mapType(dynType) };

const declared = {
  User: {
    id: text,
    email: text,
    emails: texts,
    displayName: text,
    username: text,
    usernames: texts,
    department: text,
    jobTitle: text,
    employmentType: text,
    employmentStatus: text,
    employeeIds: texts,
    status: enumField('UserStatus'),
    directoryStatus: enumField('UserStatus'),
    type: enumField('UserType'),
    manager: text,
    managerId: text,
    profile,
    attributes: { ...profile, alias: 'profile' },
  },
  AppUser: {
    id: text,
    appId: text,
    displayName: text,
    username: text,
    usernames: texts,
    email: text,
    emails: texts,
    employeeIds: texts,
    appUserType: enumField('AppUserType'),
    status: { type: objectOf('AppUserStatusValue') },
    profile,
    attributes: { ...profile, alias: 'profile' },
    identityUserId: text,
  },
  AppUserStatusValue: { status: enumField('AppUserStatus'), details: text },
  AppEntitlement: {
    id: text,
    appId: text,
    appResourceId: text,
    appResourceTypeId: text,
    appResourceType: text,
    displayName: text,
    description: text,
    alias: text,
    slug: text,
    purpose: text,
    riskLevelValueId: text,
    complianceFrameworkValueIds: texts,
  },
  Task: {
    origin: enumField('TaskOrigin'),
    isGrantPermanent: { type: boolType },
    grantDuration: { type: durationType },
    subjectUserId: text,
    requestorUserId: text,
    createdAt: { type: timestampType },
    analysis: { type: objectOf('TaskAnalysis') },
  },
  TaskAnalysis: { id: text, hasConflictViolations: { type: boolType }, conflictViolations: texts },
  TriggerContext: { trigger: { type: objectOf('Trigger') } },
  Trigger: { oldUser: { type: objectOf('User') }, newUser: { type: objectOf('User') } },
} satisfies Readonly<Record<ObjectName, Readonly<Record<string, Field>>>>;

/** Every field of every object, by its camelCase name. */
export const objectFields: Readonly<Record<ObjectName, Readonly<Record<string, Field>>>> = declared;

/** A field of an object that is no other name of another one. */
export type FieldOf<Name extends ObjectName> = {
  [Member in keyof (typeof declared)[Name]]: (typeof declared)[Name][Member] extends { readonly alias: string } ? never : Member;
}[keyof (typeof declared)[Name]];

/** The field's camelCase name, of one written in either way; undefined where the object has no such field. */
export function fieldNamed(object: ObjectName, written: string): string | undefined {
  const name = written.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(objectFields[object], name) && (name === written || !/[A-Z]/.test(written)) ? name : undefined;
}

/** The full name of an enum's value: of UserStatus.ENABLED, UserStatus.USER_STATUS_ENABLED or, without an enum, USER_STATUS_ENABLED. */
export function enumValue(enumName: string | undefined, member: string): string | undefined {
  for (const [name, { prefix, values }] of Object.entries(enums)) {
    if (enumName === undefined || enumName === name) {
      const short = member.startsWith(prefix) ? member.slice(prefix.length) : enumName === undefined ? '' : member;
      if (values.includes(short)) {
        return `${prefix}${short}`;
      }
    }
  }
  return undefined;
}
