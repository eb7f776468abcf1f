/** Events of apps and what is in them, of their owners, of access profiles and of classifications. */
import { type EventType, ownersChange } from './event-type.ts';
import { flag, group, groups, json, maybe, orNull, record, records, text, texts, whole, wholes } from './members.ts';

const changed = { fields: texts, from: record, to: record };
const matched = { revisions: maybe(wholes), changedAccounts: maybe(whole), accounts: maybe(records) };
const documents = group({ mergeConfig: record, accountFilter: record });
const accountType = group({ appUserType: text, byHand: flag });
const entries = { added: records, removed: records, order: maybe(records) };
const merged = { appId: text, revision: whole, fromId: text, fromName: text, name: text };
const membership = { appId: text, revision: whole, accountId: text, entitlementIds: texts };

export const catalogEvents = {
  'app.created': { target: 'app', activity: 'create', data: { displayName: text, ownerIds: texts } },
  'app.updated': { target: 'app', activity: 'update', data: changed },
  'app.owners_changed': { target: 'app', activity: 'other', data: ownersChange },
  'app.deleted': {
    target: 'app',
    activity: 'delete',
    data: { displayName: text, ownerIds: texts, userCount: whole, grantCount: whole, revision: orNull(whole) },
  },
  'app.access_ended': {
    target: 'app',
    activity: 'other',
    data: { revision: whole, ended: group({ grants: whole, appAccess: whole, accounts: whole }) },
  },
  'directory.created': { target: 'app', activity: 'create', data: { mergeConfig: record, accountFilter: record, ...matched } },
  'directory.updated': { target: 'app', activity: 'update', data: { from: documents, to: documents, ...matched } },
  'directory.deleted': { target: 'app', activity: 'delete', data: { displayName: text } },
  'resource_type.created': { target: 'resource_type', activity: 'create', data: { appId: text, displayName: text, traitIds: texts } },
  'resource_type.updated': { target: 'resource_type', activity: 'update', data: { appId: text, ...changed } },
  'resource_type.deleted': { target: 'resource_type', activity: 'delete', data: { appId: text, displayName: text } },
  'resource_type.merged': { target: 'resource_type', activity: 'update', data: { ...merged, resourcesGained: whole } },
  'resource.created': {
    target: 'resource',
    activity: 'create',
    data: { appId: text, resourceTypeId: text, displayName: text, ownerIds: texts },
  },
  'resource.updated': { target: 'resource', activity: 'update', data: { appId: text, ...changed } },
  'resource.owners_changed': { target: 'resource', activity: 'other', data: ownersChange },
  'resource.deleted': {
    target: 'resource',
    activity: 'delete',
    data: { appId: text, resourceTypeId: text, displayName: text, entitlementCount: whole },
  },
  'resource.merged': { target: 'resource', activity: 'update', data: { ...merged, entitlementsGained: whole } },
  'entitlement.created': {
    target: 'entitlement',
    activity: 'create',
    data: { appId: text, resourceTypeId: text, resourceId: text, displayName: text, ownerIds: texts },
  },
  'entitlement.updated': { target: 'entitlement', activity: 'update', data: { appId: text, fields: texts, from: record, to: record } },
  'entitlement.owners_changed': { target: 'entitlement', activity: 'other', data: ownersChange },
  'entitlement.members_added': {
    target: 'entitlement',
    activity: 'other',
    data: { appId: text, revision: whole, members: groups({ userId: text, accountId: maybe(text) }), accountsMade: texts },
  },
  'entitlement.member_removed': { target: 'entitlement', activity: 'other', data: membership },
  'entitlement.deleted': {
    target: 'entitlement',
    activity: 'delete',
    data: { appId: text, displayName: text, endedGrants: whole, revision: orNull(whole) },
  },
  'entitlement.merged': { target: 'entitlement', activity: 'update', data: { ...merged, grantsGained: whole } },
  'account.updated': {
    target: 'account',
    activity: 'update',
    data: { appId: text, revision: orNull(whole), fields: texts, from: accountType, to: accountType },
  },
  'account.owner_changed': {
    target: 'account',
    activity: 'other',
    data: { appId: text, revision: orNull(whole), from: text, to: text, byHand: flag, byFormerAddress: maybe(flag) },
  },
  'account.owners_changed': { target: 'account', activity: 'other', data: ownersChange },
  'account.deleted': { target: 'account', activity: 'delete', data: membership },
  'account.merged': {
    target: 'account',
    activity: 'update',
    data: { ...merged, grantsGained: whole },
  },
  'grant.duration_changed': {
    target: 'entitlement',
    activity: 'other',
    data: { appId: text, revision: whole, accountId: text, from: text, to: text },
  },
  'grants.expired': { target: 'app', activity: 'other', data: { revision: whole, count: whole, grants: records, accountIds: texts } },
  'attribute_value.created': { target: 'attribute_value', activity: 'create', data: { attributeTypeId: text, value: text } },
  'attribute_value.deleted': {
    target: 'attribute_value',
    activity: 'delete',
    data: { attributeTypeId: text, value: text, entitlementCount: whole, entitlementIds: texts },
  },
  'access_profile.created': {
    target: 'access_profile',
    activity: 'create',
    data: {
      displayName: text,
      published: flag,
      visibleToEveryone: flag,
      // The rest as it was sent.
      annotations: maybe(json),
      description: maybe(json),
      enrollmentBehavior: maybe(json),
      requestBundle: maybe(json),
      unenrollmentBehavior: maybe(json),
      unenrollmentEntitlementBehavior: maybe(json),
    },
  },
  'access_profile.updated': { target: 'access_profile', activity: 'update', data: changed },
  'access_profile.entitlements_changed': { target: 'access_profile', activity: 'other', data: entries },
  'access_profile.visibility_changed': { target: 'access_profile', activity: 'other', data: entries },
  'access_profile.deleted': { target: 'access_profile', activity: 'delete', data: { displayName: text } },
} as const satisfies Readonly<Record<string, EventType>>;
