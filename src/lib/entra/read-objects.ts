/** Users, service principals and groups of Microsoft Graph as what they become here. */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { asList, asObject, asTexts } from '../json.ts';

const maxOtherLength = 500;

/** An account; '' where the directory says nothing. */
export interface Account {
  readonly key: string;
  readonly isDisabled: boolean;
  readonly isService: boolean;
  readonly mail: string;
  readonly username: string;
  readonly employeeId: string;
  readonly employeeType: string;
  readonly displayName: string;
  /** Key of the manager's account. */
  readonly manager: string;
  readonly department: string;
  readonly jobTitle: string;
  readonly createdAt: string;
  readonly usedAt: string;
  /** `Member` or `Guest`; the type of a service principal. */
  readonly userType: string;
  readonly appId: string;
  /** Values of the properties that the settings name, in their order. */
  readonly others: readonly string[];
}

/** Properties that are asked for of users, whatever the settings name. */
export const userProperties: readonly string[] = [
  ...['id', 'userPrincipalName', 'mail', 'displayName', 'employeeId', 'employeeType', 'accountEnabled', 'userType', 'createdDateTime'],
  ...['department', 'jobTitle'],
];
/** Properties of service principals that are asked for. */
export const principalProperties = 'id,appId,displayName,accountEnabled,servicePrincipalType,appRoles';
/** Properties of groups that are asked for. */
export const groupProperties = 'id,displayName,description,groupTypes,onPremisesSyncEnabled,visibility';

/** Returns a text without the spaces around it; PostgreSQL takes no NUL in one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
}

/** Returns a moment as we write it; '' for none, and for the first year, by which Microsoft says never. */
export function timeOf(value: JsonValue | undefined): string {
  const time = typeof value === 'string' ? new Date(value) : new Date(Number.NaN);
  return time.getUTCFullYear() > 1 ? `${time.toISOString().slice(0, 19)}Z` : '';
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text) && !text.includes('#EXT#');
}

/** Returns a value of any form as one text. */
function plainOf(value: JsonValue | undefined): string {
  const texts = asList(value).map(plainOf);
  const text =
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : Array.isArray(value) ? texts.join(', ') : textOf(value);
  return text.slice(0, maxOtherLength);
}

/** Last sign-in: the last successful one, which is known since December 2023; before it the last try. */
function usedAtOf(activity: JsonObject): string {
  const tries = [activity.lastSignInDateTime, activity.lastNonInteractiveSignInDateTime].map(timeOf).sort();
  return timeOf(activity.lastSuccessfulSignInDateTime) || (tries.at(-1) ?? '');
}

/** Returns a user as an account. */
export function readUser(user: JsonObject, attributes: readonly string[]): Account {
  const username = textOf(user.userPrincipalName);
  return {
    key: textOf(user.id),
    isDisabled: user.accountEnabled === false,
    isService: false,
    mail: [textOf(user.mail), username].find(isAddress) ?? '',
    username,
    employeeId: textOf(user.employeeId),
    employeeType: textOf(user.employeeType) || (user.userType === 'Guest' ? 'Guest' : ''),
    displayName: textOf(user.displayName),
    manager: textOf(asObject(user.manager).id),
    department: textOf(user.department),
    jobTitle: textOf(user.jobTitle),
    createdAt: timeOf(user.createdDateTime),
    usedAt: usedAtOf(asObject(user.signInActivity)),
    userType: textOf(user.userType),
    appId: '',
    others: attributes.map((name) => plainOf(user[name])),
  };
}

/** Returns a service principal as an account. */
export function readPrincipal(principal: JsonObject, attributes: readonly string[]): Account {
  return {
    ...readUser({}, attributes),
    key: textOf(principal.id),
    isDisabled: principal.accountEnabled === false,
    isService: true,
    displayName: textOf(principal.displayName),
    userType: textOf(principal.servicePrincipalType),
    appId: textOf(principal.appId),
  };
}

/** A group, without its members. */
export interface Group {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Origin of its members, for those who would change them; '' where they are set in the group itself. */
  readonly origin: string;
  readonly isHidden: boolean;
}

/** Returns a group. */
export function readGroup(group: JsonObject): Group {
  const isDynamic = asTexts(group.groupTypes).includes('DynamicMembership');
  const isSynchronised = group.onPremisesSyncEnabled === true;
  return {
    key: textOf(group.id),
    name: textOf(group.displayName),
    description: textOf(group.description),
    origin: isDynamic
      ? 'Members follow a rule of the group and cannot be removed one by one: change the rule, or what it reads of them.'
      : isSynchronised
        ? 'Members come from the directory on premises: change them there.'
        : '',
    isHidden: group.visibility === 'HiddenMembership',
  };
}

/** A role that an application knows. */
export interface AppRole {
  readonly name: string;
  readonly description: string;
  /** True if people and groups may be given it. */
  readonly isForUsers: boolean;
}

/** Returns the roles of an application by their ids. */
export function readAppRoles(principal: JsonObject): Map<string, AppRole> {
  return new Map(
    asList(principal.appRoles).map((value) => {
      const role = asObject(value);
      const isForUsers = role.isEnabled !== false && asTexts(role.allowedMemberTypes).includes('User');
      return [textOf(role.id), { name: textOf(role.displayName) || textOf(role.value), description: textOf(role.description), isForUsers }];
    }),
  );
}
