/** Events of sources and what they deliver: files, and what identity providers push. */
import { type EventType, ownersChange } from './event-type.ts';
import { flag, maybe, orNull, record, records, text, texts, whole, wholes } from './members.ts';

const source = { appId: text, displayName: text };
const fetched = { ...source, fetchId: text };
const matched = { revisions: wholes, changedAccounts: whole, accounts: records };
const pushed = { appId: text, sourceId: text, scimId: text };
const pushedUser = {
  ...pushed,
  accountId: text,
  revision: orNull(whole),
  fields: texts,
  personMade: maybe(flag),
  matchedAccounts: maybe(whole),
  accounts: maybe(records),
  revisions: maybe(wholes),
  managerProblem: maybe(text),
  stays: maybe(text),
  disputed: maybe(record),
  formerPersonIds: maybe(texts),
};
const pushedGroup = { ...pushed, displayName: text, fields: texts, membersAdded: whole, membersRemoved: whole, revision: orNull(whole) };
const delivered = {
  source: text,
  sourceId: text,
  appId: text,
  fileSha256: text,
  revision: orNull(whole),
  rows: whole,
  added: whole,
  changed: whole,
  removed: whole,
  unchanged: whole,
  counts: record,
  warningCount: whole,
};
const refused = { source: text, sourceId: text, appId: text, fileSha256: text, rows: whole, rejected: whole, error: text };

export const sourcesEvents = {
  'connector.created': { target: 'connector', activity: 'create', data: { ...source, userIds: texts } },
  'connector.updated': { target: 'connector', activity: 'update', data: { appId: text, fields: texts, from: record, to: record } },
  'connector.owners_changed': { target: 'connector', activity: 'other', data: ownersChange },
  'connector.paused': { target: 'connector', activity: 'other', data: source },
  'connector.resumed': { target: 'connector', activity: 'other', data: source },
  'connector.deleted': {
    target: 'connector',
    activity: 'delete',
    data: { ...source, revision: orNull(whole), grantsEnded: whole, accounts: whole },
  },
  'connector.removal_share_changed': { target: 'connector', activity: 'other', data: { ...source, from: whole, to: whole } },
  'connector.column_mapping_changed': { target: 'connector', activity: 'other', data: { ...source, from: record, to: record } },
  'connector.match_order_changed': { target: 'connector', activity: 'other', data: { appId: text, from: texts, to: texts, ...matched } },
  'connector.sync_requested': { target: 'connector', activity: 'other', data: { ...source, ...matched } },
  'connector.settings_changed': { target: 'connector', activity: 'other', data: { ...source, from: record, to: record } },
  'connector.schedule_changed': { target: 'connector', activity: 'other', data: { ...source, cronSpec: text, timezone: text } },
  'connector.fetch_failing': {
    target: 'connector',
    activity: 'other',
    isFailure: true,
    data: { ...fetched, failures: whole, error: text },
  },
  'connector.removals_changed': {
    target: 'connector',
    activity: 'update',
    data: { ...source, enabled: flag, hourly: whole, from: record },
  },
  'connector.fetch_missed': { target: 'connector', activity: 'other', data: { ...source, count: whole } },
  'connector.stale': { target: 'connector', activity: 'other', data: { ...source, observedFrom: text, staleSince: text } },
  'connector.recovered': { target: 'connector', activity: 'other', data: { ...fetched, failures: whole } },
  'connector.sync_held': { target: 'connector', activity: 'other', data: { ...fetched, reason: text } },
  'connector.sync_confirmed': { target: 'connector', activity: 'other', data: fetched },
  'connector.sync_discarded': { target: 'connector', activity: 'other', data: { ...fetched, reason: text } },
  'connector.scim_token_created': { target: 'connector', activity: 'other', data: { appId: text, connectorMade: flag, replaced: flag } },
  'connector.credential_created': { target: 'connector', activity: 'other', data: { appId: text, credentialId: text, clientId: text } },
  'connector.credential_revoked': { target: 'connector', activity: 'other', data: { appId: text, credentialId: text, clientId: text } },
  'connector.hello': {
    target: 'connector',
    activity: 'other',
    data: { appId: text, hostId: text, hostname: text, package: text, packageVersion: text, capabilities: texts },
  },
  'connector.scim_token_revoked': { target: 'connector', activity: 'other', data: { appId: text } },
  'connector.secret_set': { target: 'connector', activity: 'other', data: { ...source, name: text, fromFile: text } },
  'connector.secrets_removed': { target: 'connector', activity: 'other', data: { ...source, names: texts } },
  'people.imported': { target: 'import', activity: 'create', data: delivered },
  'people.import_refused': { target: 'import', activity: 'other', isFailure: true, data: refused },
  'grants.imported': { target: 'import', activity: 'create', data: delivered },
  'grants.import_refused': { target: 'import', activity: 'other', isFailure: true, data: refused },
  'scim.user_created': { target: 'user', activity: 'other', data: pushedUser },
  'scim.user_updated': { target: 'user', activity: 'other', data: pushedUser },
  'scim.user_deleted': {
    target: 'user',
    activity: 'other',
    data: {
      ...pushed,
      accountId: orNull(text),
      revision: orNull(whole),
      membershipsEnded: whole,
      stays: maybe(text),
      matchedAccounts: maybe(whole),
      accounts: maybe(records),
      revisions: maybe(wholes),
    },
  },
  'scim.group_created': { target: 'entitlement', activity: 'other', data: pushedGroup },
  'scim.group_updated': { target: 'entitlement', activity: 'other', data: pushedGroup },
  'scim.group_deleted': {
    target: 'entitlement',
    activity: 'other',
    data: { ...pushed, membersRemoved: whole, revision: orNull(whole), entitlementDeleted: flag },
  },
} as const satisfies Readonly<Record<string, EventType>>;
