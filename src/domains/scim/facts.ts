/**
 * What the document of a user says of a person, and what filters look in. Pure.
 */
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { urns } from './attributes.ts';
import { isObject } from './match-value.ts';
import type { ResourceKind } from './store-resources.ts';

/** What a user's document says; '' for what it does not. */
export interface Facts {
  readonly userName: string;
  readonly externalId: string;
  readonly email: string;
  readonly displayName: string;
  readonly jobTitle: string;
  readonly employmentType: string;
  readonly department: string;
  readonly employeeId: string;
  /** A SCIM id. */
  readonly managerId: string;
  readonly isActive: boolean;
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;
const maxEmailLength = 320;
const maxTextLength = 1000;

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.trim().slice(0, maxTextLength) : '');
const listOf = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter((one) => isObject(one)) : []);
const partOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

/** What texts are compared by, in whatever case they are written. */
export function foldText(text: string): string {
  return text.trim().toLowerCase();
}

/** The facts in a user's document. */
export function factsOf(document: JsonObject): Facts {
  const name = partOf(document.name);
  const extension = partOf(document[urns.enterprise]);
  const whole = [name.givenName, name.familyName].map(textOf).filter((part) => part !== '');
  return {
    userName: textOf(document.userName),
    externalId: textOf(document.externalId),
    email: emailOf(document),
    displayName: textOf(document.displayName) || textOf(name.formatted) || whole.join(' ') || textOf(document.userName),
    jobTitle: textOf(document.title),
    employmentType: textOf(document.userType),
    department: textOf(extension.department),
    employeeId: textOf(extension.employeeNumber),
    managerId: textOf(partOf(extension.manager).value),
    isActive: document.active !== false,
  };
}

/** The primary address, else the one for work, else the first; a userName that is one where there is none. */
function emailOf(document: JsonObject): string {
  const emails = listOf(document.emails).filter((one) => isEmail(textOf(one.value)));
  const chosen =
    emails.find((one) => one.primary === true) ?? emails.find((one) => foldText(textOf(one.type)) === 'work') ?? emails[0] ?? undefined;
  const userName = textOf(document.userName);
  return chosen === undefined ? (isEmail(userName) ? userName : '') : textOf(chosen.value);
}

function isEmail(text: string): boolean {
  return text.length <= maxEmailLength && emailPattern.test(text);
}

/** The columns that filters look in. */
export interface SearchKeys {
  readonly nameKey: string;
  readonly externalId: string;
  readonly isActive: boolean;
  /** Texts in lower case by attribute path in lower case; addresses as a list of {value, type}. */
  readonly keys: JsonObject;
}

const ofUsers = ['displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'];
const ofNames = ['formatted', 'familyName', 'givenName'];
const ofEnterprise = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'];
const extensionKey = urns.enterprise.toLowerCase();

/** The attribute paths of users, in lower case, whose texts are kept for filters. */
export const textPaths: readonly string[] = [
  ...ofUsers.map((name) => name.toLowerCase()),
  ...ofNames.map((name) => `name.${name.toLowerCase()}`),
  ...ofEnterprise.map((name) => `${extensionKey}:${name.toLowerCase()}`),
];

/** What is kept of a document for filters. */
export function searchKeysOf(kind: ResourceKind, document: JsonObject): SearchKeys {
  const externalId = typeof document.externalId === 'string' ? document.externalId : '';
  if (kind === 'GROUP') {
    return { nameKey: foldText(textOf(document.displayName)), externalId, isActive: true, keys: {} };
  }
  const keys: JsonObject = {};
  const keep = (prefix: string, names: readonly string[], from: JsonObject): void => {
    for (const name of names) {
      const text = foldText(textOf(from[name]));
      if (text !== '') {
        keys[`${prefix}${name.toLowerCase()}`] = text;
      }
    }
  };
  keep('', ofUsers, document);
  keep('name.', ofNames, partOf(document.name));
  keep(`${extensionKey}:`, ofEnterprise, partOf(document[urns.enterprise]));
  const emails = listOf(document.emails).map((one) => ({ value: foldText(textOf(one.value)), type: foldText(textOf(one.type)) }));
  return {
    nameKey: foldText(textOf(document.userName)),
    externalId,
    isActive: document.active !== false,
    keys: { ...keys, ...(emails.length === 0 ? {} : { emails }) },
  };
}
