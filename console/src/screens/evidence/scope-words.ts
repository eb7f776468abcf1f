/** The scope of a review as a sentence: which apps, then each condition with its values. */
import type { Review } from '~/data/reviews/review.ts';
import { type PlainTextKey, text } from '~/text/text.ts';

/** Members of a scope, in the order in which they are said; undefined for what asks about all and so says nothing. */
const members: Readonly<Record<keyof NonNullable<Review['scopeV2']>, PlainTextKey | undefined>> = {
  allUsers: undefined,
  allAccounts: undefined,
  allGrants: undefined,
  appAccess: 'scoped.appAccess',
  appSelectionCriteria: 'scoped.appSelectionCriteria',
  resourceSelection: 'scoped.resources',
  specificResources: 'scoped.resources',
  resourceTypeSelections: 'scoped.resourceTypes',
  scopeRoleSelection: 'scoped.roles',
  allAccessConflicts: 'scoped.allConflicts',
  specificAccessConflicts: 'scoped.conflicts',
  selectedUsers: 'scoped.selectedUsers',
  userCriteria: 'scoped.userCriteria',
  celExpression: 'scoped.userExpression',
  accountCriteria: 'scoped.accountCriteria',
  accountCelExpression: 'scoped.accountExpression',
  grantsByCriteria: 'scoped.grantsByCriteria',
  principalTypeFilter: 'scoped.principals',
  excludedSpecificResources: 'scoped.withoutResources',
  excludedResourceTypeSelections: 'scoped.withoutResourceTypes',
};

/** True if somebody chose this: replies hold every member, and what has its default was not chosen. */
function isChosen(value: unknown): boolean {
  const isNothing = value === undefined || value === null || value === '' || value === false;
  return !isNothing && !(Array.isArray(value) && value.length === 0) && !String(value).endsWith('_UNSPECIFIED');
}

/** `APP_USER_STATUS_ENABLED` as people read it; any other word as it is. */
const plain = (word: string): string => (/^[A-Z]+(_[A-Z]+)+$/.test(word) ? (word.split('_').at(-1) ?? word).toLowerCase() : word);
const nameOf = (member: string): string => member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Values within a member: names of members as the API has them, since an auditor looks them up there. */
function sayValues(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(sayValues).join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    const within = Object.entries(value).filter(([, one]) => isChosen(one));
    return within.map(([name, one]) => (one === true ? nameOf(name) : `${nameOf(name)} ${sayValues(one)}`)).join('; ');
  }
  return plain(String(value));
}

/** Says the scope: sentences of the apps, of each condition, and of what an older scope leaves out. */
export function sayScope(review: Review, apps: readonly string[]): string[] {
  const { scopeV2 = {}, scope = {}, inclusionScope = {}, exclusionScope = {} } = review;
  const conditions = Object.entries(members).flatMap(([member, key]) => {
    const value = scopeV2[member as keyof typeof members];
    return key !== undefined && isChosen(value) ? [[text(key), sayValues(value)].filter(Boolean).join(' ')] : [];
  });
  const older = [sayValues(scope), sayValues(inclusionScope)].filter(Boolean);
  const left = sayValues(exclusionScope);
  return [
    apps.length === 0 ? text('scoped.noApps') : text('scoped.apps', { apps: apps.join(', ') }),
    ...conditions.map((words) => `${words}.`),
    ...older.map((words) => text('scoped.only', { words })),
    ...(left === '' ? [] : [text('scoped.without', { words: left })]),
  ];
}
