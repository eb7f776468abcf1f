/** Fields a column of a file can be, with their words. */
import type { PlainTextKey } from '~/text/text.ts';

export type Kind = 'people' | 'grants';

export const wantedFields: Readonly<Record<Kind, readonly string[]>> = {
  people: [
    'email',
    'display_name',
    'manager_email',
    'department',
    'job_title',
    'employment_status',
    'employee_id',
    'username',
    'employment_type',
  ],
  grants: [
    'account',
    'email',
    'entitlement',
    'resource',
    'resource_type',
    'account_type',
    'account_status',
    'granted_at',
    'last_used_at',
    'expires_at',
    'username',
    'employee_id',
    'display_name',
    'granted_via',
    'parent_resource',
    'parent_resource_type',
    'resource_name',
    'resource_description',
    'entitlement_name',
    'entitlement_description',
    'purpose',
    'account_created_at',
    'account_used_at',
    'linked_from',
  ],
};

const labels: Readonly<Record<string, PlainTextKey>> = {
  account: 'imports.field.account',
  email: 'imports.field.email',
  entitlement: 'imports.field.entitlement',
  resource: 'imports.field.resource',
  resource_type: 'imports.field.resourceType',
  account_type: 'imports.field.accountType',
  account_status: 'imports.field.accountStatus',
  granted_at: 'imports.field.grantedAt',
  last_used_at: 'imports.field.lastUsedAt',
  expires_at: 'imports.field.expiresAt',
  username: 'imports.field.username',
  employee_id: 'imports.field.employeeId',
  display_name: 'imports.field.displayName',
  granted_via: 'imports.field.grantedVia',
  parent_resource: 'imports.field.parentResource',
  parent_resource_type: 'imports.field.parentResourceType',
  resource_name: 'imports.field.resourceName',
  resource_description: 'imports.field.resourceDescription',
  entitlement_name: 'imports.field.entitlementName',
  entitlement_description: 'imports.field.entitlementDescription',
  purpose: 'imports.field.purpose',
  account_created_at: 'imports.field.accountCreatedAt',
  account_used_at: 'imports.field.accountUsedAt',
  linked_from: 'imports.field.linkedFrom',
  manager_email: 'imports.field.managerEmail',
  department: 'imports.field.department',
  job_title: 'imports.field.jobTitle',
  employment_status: 'imports.field.employmentStatus',
  employment_type: 'imports.field.employmentType',
};

/** The key of a field's words; undefined for one that is not known here. */
export function fieldLabelKey(field: string): PlainTextKey | undefined {
  return labels[field];
}

/** The words that the values of a field can mean. */
export const meaningsOf: Readonly<Record<string, readonly string[]>> = {
  account_status: ['ENABLED', 'DISABLED'],
  employment_status: ['ACTIVE', 'TERMINATED'],
  account_type: ['USER', 'SERVICE_ACCOUNT', 'SYSTEM_ACCOUNT'],
};

const meaningWords: Readonly<Record<string, PlainTextKey>> = {
  ENABLED: 'imports.meaning.enabled',
  DISABLED: 'imports.meaning.disabled',
  ACTIVE: 'imports.meaning.active',
  TERMINATED: 'imports.meaning.terminated',
  USER: 'imports.meaning.user',
  SERVICE_ACCOUNT: 'imports.meaning.service',
  SYSTEM_ACCOUNT: 'imports.meaning.system',
};

/** The key of a meaning's words; undefined for a text that is none. */
export function wordOfMeaning(word: string): PlainTextKey | undefined {
  return meaningWords[word];
}

const factWords: Readonly<Record<string, PlainTextKey>> = {
  displayName: 'imports.field.displayName',
  email: 'imports.field.email',
  status: 'imports.field.status',
  employmentStatus: 'imports.field.employmentStatus',
  employmentType: 'imports.field.employmentType',
  department: 'imports.field.department',
  jobTitle: 'imports.field.jobTitle',
  username: 'imports.field.username',
  employeeId: 'imports.field.employeeId',
  manager: 'imports.field.managerEmail',
};

/** The key of the words for a fact of a person, by its name in answers. */
export function wordOfFact(name: string): PlainTextKey | undefined {
  return factWords[name];
}
