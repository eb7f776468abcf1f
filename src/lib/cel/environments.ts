/** Places of expressions: what they may name there, which functions they may call, and what they must give. */
import { boolType, listOf, objectOf, stringType, type Type } from './types.ts';

/** Place of an expression. */
export type Environment = 'REVIEW_USERS' | 'REVIEW_ACCOUNTS' | 'POLICY_CONDITION' | 'WAIT' | 'POLICY_APPROVER' | 'TRIGGER';

/** Result of an expression: whether it holds for what it is asked of, one person, or a list of people or accounts. */
export type ResultKind = 'bool' | 'user' | 'users' | 'accounts';

/** Names allowed and results required. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, Type>>;
  readonly results: readonly ResultKind[];
}

const user = objectOf('User');
const account = objectOf('AppUser');
const policy = { subject: user, account, entitlement: objectOf('AppEntitlement'), task: objectOf('Task') };

const places = {
  REVIEW_USERS: { variables: { subject: user, user }, results: ['bool', 'users'] },
  REVIEW_ACCOUNTS: { variables: { subject: account, account }, results: ['bool', 'accounts'] },
  POLICY_CONDITION: { variables: policy, results: ['bool'] },
  WAIT: { variables: policy, results: ['bool'] },
  POLICY_APPROVER: { variables: { ...policy, appOwners: listOf(user) }, results: ['user', 'users'] },
  TRIGGER: { variables: { ctx: objectOf('TriggerContext') }, results: ['bool'] },
} satisfies Readonly<Record<Environment, Surroundings>>;

/** Each environment's variables and results. */
export const environments: Readonly<Record<Environment, Surroundings>> = places;

/** The names of all environments. */
export const environmentNames = Object.keys(places) as readonly Environment[];

/** A variable that a place offers, as its values are given: where a person or an account of a review has two names, it is the subject. */
export type VariableOf<Place extends Environment> = Place extends 'REVIEW_USERS' | 'REVIEW_ACCOUNTS'
  ? 'subject'
  : keyof (typeof places)[Place]['variables'];

/** A variable of any place. */
export type VariableName = { [Place in Environment]: VariableOf<Place> }[Environment];

/** A function that the inventory answers: what it takes, what it gives, and where it may be called. */
export interface DirectoryFunction {
  /** Several where it may be called in several ways. */
  readonly takes: readonly (readonly Type[])[];
  readonly gives: Type;
  readonly where: readonly Environment[];
}

const users: Environment = 'REVIEW_USERS';
const accounts: Environment = 'REVIEW_ACCOUNTS';
const policies: readonly Environment[] = ['POLICY_CONDITION', 'WAIT', 'POLICY_APPROVER'];
const usersAndPolicies = [users, ...policies];
const everywhere = [users, accounts, ...policies];

const userOfApp = [[user, stringType]];
const userOfEntitlement = [[user, stringType, stringType]];

/** The functions that the inventory answers, by their full names. */
export const directoryFunctions = {
  'c1.user.v1.HasApp': { takes: userOfApp, gives: boolType, where: usersAndPolicies },
  'c1.user.v1.HasEntitlement': { takes: userOfEntitlement, gives: boolType, where: usersAndPolicies },
  'c1.user.v1.GetAppUserStatus': { takes: userOfApp, gives: stringType, where: usersAndPolicies },
  'c1.user.v1.GrantedFromEnrollment': { takes: userOfEntitlement, gives: boolType, where: ['POLICY_CONDITION', 'WAIT'] },
  'c1.user.v1.AutomaticallyGrantedFromEnrollment': { takes: userOfEntitlement, gives: boolType, where: ['POLICY_CONDITION', 'WAIT'] },
  'c1.user.v1.ListAppUsersForUser': { takes: userOfApp, gives: listOf(account), where: [accounts, ...policies] },
  'c1.user.v1.GetAppUserManagers': { takes: userOfApp, gives: listOf(user), where: ['POLICY_APPROVER'] },
  'c1.directory.users.v1.FindByEmail': { takes: [[stringType]], gives: user, where: everywhere },
  'c1.directory.users.v1.GetByID': { takes: [[stringType]], gives: user, where: everywhere },
  'c1.directory.users.v1.FindByName': { takes: [[stringType]], gives: user, where: everywhere },
  'c1.directory.users.v1.GetManagers': { takes: [[user]], gives: listOf(user), where: usersAndPolicies },
  'c1.directory.users.v1.DirectReports': { takes: [[user], [listOf(user)]], gives: listOf(user), where: usersAndPolicies },
  'c1.directory.apps.v1.GetEntitlementMembers': { takes: [[stringType, stringType]], gives: listOf(user), where: usersAndPolicies },
  'c1.directory.apps.v1.GetEntitlementOwners': { takes: [[stringType, stringType]], gives: listOf(user), where: usersAndPolicies },
} satisfies Readonly<Record<string, DirectoryFunction>>;

/** The full name of a function that the inventory answers. */
export type DirectoryFunctionName = keyof typeof directoryFunctions;

/** True if a name is one of a function that the inventory answers. */
export function isDirectoryFunction(name: string): name is DirectoryFunctionName {
  return Object.hasOwn(directoryFunctions, name);
}
