/** Facts of a person in the document of a user, and what filters look in besides. Pure. */
import { asList, asObject } from '../../lib/json.ts';
import { dropUnseen, getAddressKey, getCaselessNameKey, getIdKey } from '../../lib/names/same-name.ts';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type ResourceKind, foldText, keysOfUser, urns } from './document/index.ts';

/** Facts that a user's document says; '' for what it does not. */
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
  /** Undefined where it says nothing of it. */
  readonly saysActive: boolean | undefined;
}

const emailPattern = /^[^\s@]+@[^\s@]+$/;
const maxEmailLength = 320;
const maxTextLength = 1000;

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.trim().slice(0, maxTextLength) : '');

/** The facts in a user's document. */
export function readFacts(document: JsonObject): Facts {
  const name = asObject(document.name);
  const extension = asObject(document[urns.enterprise]);
  const whole = [name.givenName, name.familyName].map(textOf).filter((part) => part !== '');
  return {
    userName: textOf(document.userName),
    externalId: textOf(document.externalId),
    email: dropUnseen(emailOf(document)),
    displayName: textOf(document.displayName) || textOf(name.formatted) || whole.join(' ') || textOf(document.userName),
    jobTitle: textOf(document.title),
    employmentType: textOf(document.userType),
    department: textOf(extension.department),
    employeeId: getIdKey(textOf(extension.employeeNumber)),
    managerId: textOf(asObject(extension.manager).value),
    isActive: document.active !== false,
    saysActive: typeof document.active === 'boolean' ? document.active : undefined,
  };
}

/** The primary address, else the one for work, else the first; a userName that is one where there is none. */
function emailOf(document: JsonObject): string {
  const emails = asList(document.emails)
    .map(asObject)
    .filter((one) => isEmail(textOf(one.value)));
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
  /** The other attributes: see search-keys.ts. */
  readonly keys: JsonObject;
}

/** Picks what is kept of a document for filters. */
export function makeSearchKeys(kind: ResourceKind, document: JsonObject): SearchKeys {
  const externalId = typeof document.externalId === 'string' ? document.externalId : '';
  const nameKey = kind === 'USER' ? getAddressKey(textOf(document.userName)) : getCaselessNameKey(textOf(document.displayName));
  const isActive = kind === 'GROUP' || document.active !== false;
  return { nameKey, externalId, isActive, keys: kind === 'USER' ? keysOfUser(document) : {} };
}
