/** Events of people, service principals and how they sign in. */
import { type EventType, ownersChange } from './event-type.ts';
import { flag, group, maybe, orNull, record, records, text, texts, whole, wholes } from './members.ts';

const delegation = group({ delegatedUserId: text, startsAt: orNull(text), expiresAt: orNull(text) });
const claim = { claimId: text, claimKind: text, sourceId: text };
const credential = { clientId: text, userId: text, displayName: text };
const newCredential = { ...credential, scopedRoles: texts, allowSourceCidr: texts, expiresTime: orNull(text) };
const limits = group({ displayName: text, allowSourceCidr: texts, scopedRoles: texts });
const named = group({ displayName: text });

export const peopleEvents = {
  'user.created': { target: 'user', activity: 'create', data: { email: text, displayName: text } },
  'user.erased': { target: 'user', activity: 'delete', data: { accounts: whole, matchedAccounts: maybe(whole), revisions: maybe(wholes) } },
  'user.suspended': {
    target: 'user',
    activity: 'update',
    data: {
      cause: text,
      sourceId: text,
      roleIds: texts,
      credentialIds: texts,
      credentials: whole,
      delegatedUserId: text,
      delegators: whole,
    },
  },
  'user.restored': {
    target: 'user',
    activity: 'update',
    data: { roleIds: texts, credentialIds: texts, credentials: whole, delegatedUserId: text, delegators: whole, left: whole },
  },
  'user.kept_enabled': { target: 'user', activity: 'other', data: { sourceId: text, why: text } },
  'user.roles_changed': { target: 'user', activity: 'update', data: { added: texts, removed: texts, roleIds: texts } },
  'user.owners_changed': { target: 'user', activity: 'other', data: ownersChange },
  'user.preferences_changed': { target: 'user', activity: 'other', data: { changed: texts } },
  'user.delegation_set': { target: 'user', activity: 'other', data: { before: orNull(delegation), after: delegation } },
  'user.delegation_ended': { target: 'user', activity: 'other', data: { before: delegation } },
  'user.identity_linked': {
    target: 'user',
    activity: 'other',
    data: { issuer: text, provider: text, address: text, formerUserId: maybe(text) },
  },
  'person_claim.made': { target: 'user', activity: 'other', data: { ...claim, wanted: record, replacedId: maybe(text) } },
  'person_claim.withdrawn': { target: 'user', activity: 'other', data: claim },
  'person_claim.accepted': {
    target: 'user',
    activity: 'other',
    data: { ...claim, wanted: record, matchedAccounts: maybe(whole), accounts: maybe(records), revisions: maybe(wholes) },
  },
  'person_claim.rejected': { target: 'user', activity: 'other', data: { ...claim, wanted: record } },
  'person_record.answered': {
    target: 'user',
    activity: 'other',
    data: {
      recordId: text,
      sourceId: text,
      verdict: text,
      candidateIds: texts,
      matchedAccounts: maybe(whole),
      accounts: maybe(records),
      revisions: maybe(wholes),
      stays: maybe(text),
    },
  },
  'user.merged': {
    target: 'user',
    activity: 'update',
    data: {
      fromId: text,
      recordIds: texts,
      records: whole,
      accounts: whole,
      matchedAccounts: whole,
      revisions: wholes,
      items: whole,
      ownerships: whole,
      reviewIds: texts,
      reviews: whole,
      templates: whole,
      reports: whole,
      changed: texts,
    },
  },
  'user.split': {
    target: 'user',
    activity: 'update',
    data: { newUserId: text, recordIds: texts, matchedAccounts: whole, accounts: records, revisions: wholes, changed: texts },
  },
  'profile_attribute.set': {
    target: 'profile_attribute',
    activity: 'update',
    data: { before: orNull(text), after: text, converted: whole },
  },
  'profile_attribute.removed': { target: 'profile_attribute', activity: 'delete', data: { before: text, converted: whole } },
  'service_principal.created': { target: 'service_principal', activity: 'create', data: { displayName: text } },
  'service_principal.updated': { target: 'service_principal', activity: 'update', data: { before: named, after: named } },
  'service_principal.deleted': {
    target: 'service_principal',
    activity: 'delete',
    data: { displayName: text, revokedCredentialIds: texts },
  },
  'service_principal.credential_created': { target: 'service_principal_credential', activity: 'other', data: newCredential },
  'service_principal.credential_updated': {
    target: 'service_principal_credential',
    activity: 'other',
    data: { userId: text, before: named, after: named },
  },
  'service_principal.credential_revoked': { target: 'service_principal_credential', activity: 'other', data: credential },
  'credential.created': { target: 'personal_client', activity: 'create', data: newCredential },
  'credential.issued': { target: 'personal_client', activity: 'create', data: newCredential },
  'credential.updated': { target: 'personal_client', activity: 'update', data: { before: limits, after: limits } },
  'credential.revoked': { target: 'personal_client', activity: 'delete', data: credential },
  'credential.token_refused': {
    target: ['personal_client', 'service_principal_credential'],
    activity: 'other',
    isFailure: true,
    transaction: false,
    data: { clientId: text, reason: text, count: whole },
  },
  'auth_config.created': { target: 'auth_config', activity: 'create', data: { displayName: text, issuer: text, hasSecret: flag } },
  'auth_config.updated': {
    target: 'auth_config',
    activity: 'update',
    data: { fields: texts, from: record, to: record, newSecret: flag, endedSessions: maybe(whole), sessionIds: maybe(texts) },
  },
  'auth_config.deleted': {
    target: 'auth_config',
    activity: 'delete',
    data: { displayName: text, issuer: text, endedSessions: whole, sessionIds: texts },
  },
  'step_up_provider.created': {
    target: 'step_up_provider',
    activity: 'create',
    data: { displayName: text, issuer: text, hasSecret: flag },
  },
  'step_up_provider.updated': {
    target: 'step_up_provider',
    activity: 'update',
    data: { fields: texts, from: record, to: record, newSecret: flag },
  },
  'step_up_provider.deleted': { target: 'step_up_provider', activity: 'delete', data: { displayName: text, issuer: text } },
  'step_up.begun': { target: 'step_up', activity: 'create', data: { providerId: text, signatureId: text } },
  'step_up.verified': {
    target: 'step_up',
    activity: 'other',
    data: { providerId: text, signatureId: text, userId: text, issuer: text },
  },
  'step_up.failed': {
    target: 'step_up',
    activity: 'other',
    isFailure: true,
    data: { providerId: text, signatureId: text, userId: text, reason: text },
  },
  'session.started': { target: 'session', activity: 'update', data: { userId: text, how: text, provider: text } },
  'session.ended': { target: 'session', activity: 'other', data: { userId: text, why: text } },
  'session.all_ended': { target: 'user', activity: 'other', data: { endedCount: whole, sessionIds: texts, removedLinks: whole } },
  'session.refused': {
    target: ['tenant', 'user'],
    activity: 'other',
    isFailure: true,
    transaction: false,
    data: { how: text, why: text, count: maybe(whole) },
  },
  'sign_in_link.made': { target: 'sign_in_link', activity: 'other', data: { userId: text, expiresAt: text } },
  'sign_in_link.requested': { target: 'sign_in_link', activity: 'other', data: { userId: text } },
  'device_grant.approved': { target: 'device_grant', activity: 'other', data: { program: text, address: text } },
  'device_grant.denied': { target: 'device_grant', activity: 'other', data: { program: text, address: text } },
} as const satisfies Readonly<Record<string, EventType>>;
