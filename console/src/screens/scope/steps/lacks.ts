/** Gaps in a draft before it asks anything, in the words of the form, where the server's are of its fields. */
import { type PlainTextKey, text } from '~/text/text.ts';

const words: Readonly<Record<string, PlainTextKey>> = {
  accessReview: 'scope.nothingChosen',
  'scopeV2.selectedUsers.userIds': 'scope.lacksPeople',
  'scopeV2.userCriteria': 'scope.lacksPeopleConditions',
  'scopeV2.accountCriteria': 'scope.lacksAccountConditions',
  'scopeV2.grantsByCriteria': 'scope.lacksDates',
  'scopeV2.appSelectionCriteria': 'scope.lacksMarks',
  'scopeV2.resourceTypeSelections': 'scope.lacksKinds',
  'scopeV2.specificAccessConflicts': 'scope.lacksRules',
  'scopeV2.resourceSelection': 'scope.lacksResources',
  'scopeV2.scopeRoleSelection': 'scope.lacksResources',
  'scopeV2.grantsByCriteria.accessProfileFilter.filterType': 'scope.lacksProfiles',
};

/** Text the server adds where an expression fails instead of leaving out. */
const failing = /an expression fails for (\d+) of (\d+) accounts, such as "((?:[^"\\]|\\.)*)": (.*)$/s;

/** One sentence on what is missing. */
export function lackOf({ field = '', description = '' }: { field?: string; description?: string }): string {
  if (field === 'accessReview' && description.includes('exclude everything')) {
    const [, failed = '', all = '', account = '', message = ''] = failing.exec(description) ?? [];
    return failed === '' ? text('scope.lacksEverything') : text('scope.lacksFailing', { failed, all, account, message });
  }
  if (field === 'accessReview' && description.includes('nobody holds')) {
    return text('scope.lacksHolders');
  }
  if (field === 'scopeType') {
    return text(
      description.startsWith('BY_USERS')
        ? 'scope.lacksPeople'
        : description.startsWith('BY_ACCESS_CONFLICTS')
          ? 'scope.lacksConflicts'
          : 'scope.lacksResources',
    );
  }
  const known = words[field];
  return known === undefined ? description : text(known);
}
