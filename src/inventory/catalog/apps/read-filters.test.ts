/** Terms of searches: each member alone, nothing where they are empty, and nothing at all where they ask for what nothing here is. */
import { type DescMessage, fromJson, type JsonObject, type JsonValue, type MessageShape, ScalarType } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppEntitlementSearchServiceSearchRequestSchema } from '../../../gen/c1/api/app/v1/app_entitlement_search_service_pb.js';
import {
  SearchAppResourcesRequestSchema,
  SearchAppResourceTypesRequestSchema,
} from '../../../gen/c1/api/app/v1/app_resource_service_pb.js';
import { SearchAppsRequestSchema } from '../../../gen/c1/api/app/v1/app_service_pb.js';
import { AppUserServiceSearchRequestSchema } from '../../../gen/c1/api/app/v1/app_user_service_pb.js';
import { filterOfEntitlementSearch } from '../entitlements/entitlement-filter.ts';
import { filterOfAccountSearch, filterOfAppSearch } from './read-filters.ts';
import { filterOfResourceSearch, filterOfResourceTypeSearch } from '../entitlements/read-resource-filters.ts';

/** Keeps what is set. */
const setOf = (filter: object | undefined): object | undefined =>
  filter && Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));

interface Search {
  readonly desc: DescMessage;
  readonly read: (json: JsonObject) => object | undefined;
  /** Terms of a request, and the filter it becomes; undefined for nothing that is there. */
  readonly asks: readonly (readonly [JsonObject, object | undefined])[];
  /** Members that are no filter, or that everything here passes. */
  readonly others: readonly string[];
}

const searchOf = <Desc extends DescMessage>(
  desc: Desc,
  read: (request: MessageShape<Desc>) => object | undefined,
  asks: Search['asks'],
  others: readonly string[],
): Search => ({ desc, read: (json) => setOf(read(fromJson(desc, json as JsonValue))), asks, others: [...others, 'pageSize', 'pageToken'] });

const ref = { appId: 'a', id: 'i' };
const searches: Record<string, Search> = {
  apps: searchOf(
    SearchAppsRequestSchema,
    filterOfAppSearch,
    [
      [{ appIds: ['a', 'a'] }, { ids: ['a', 'a'] }],
      [{ excludeAppIds: ['a'] }, { excludeIds: ['a'] }],
      [{ displayName: ' x ' }, { displayName: 'x' }],
      [{ query: ' x y ' }, { query: 'x y' }],
      [{ policyRefs: [{ id: 'p' }, { id: 'q' }] }, { policyIds: ['p', 'q'] }],
      [{ onlyDirectories: true }, { isDirectory: true }],
    ],
    [],
  ),
  entitlements: searchOf(
    AppEntitlementSearchServiceSearchRequestSchema,
    filterOfEntitlementSearch,
    [
      [{ appIds: ['a'] }, { appIds: ['a'] }],
      [{ excludeAppIds: ['a'] }, { excludeAppIds: ['a'] }],
      [{ refs: [ref] }, { refs: ['a/i'] }],
      [{ excludedEntitlementRefs: [ref, ref] }, { excludeRefs: ['a/i', 'a/i'] }],
      [{ resourceTypeIds: ['t'] }, { resourceTypeIds: ['t'] }],
      [{ excludeResourceTypeIds: ['t'] }, { excludeResourceTypeIds: ['t'] }],
      [{ resourceIds: ['r'] }, { resourceIds: ['r'] }],
      [{ resourceTraitIds: ['role'] }, { traitIds: ['role'] }],
      [{ appUserIds: ['c'] }, { accountIds: ['c'] }],
      [{ excludeAppUserIds: ['c'] }, { excludeAccountIds: ['c'] }],
      [{ onlyGetExpiring: true }, { isExpiring: true }],
      [
        { onlyGetExpiring: true, appUserIds: ['c'] },
        { accountIds: ['c'], expiringFor: ['c'] },
      ],
      [{ riskLevelIds: ['v'] }, { riskLevelIds: ['v'] }],
      [{ complianceFrameworkIds: ['v'] }, { frameworkIds: ['v'] }],
      [{ requestSchemaIds: ['s'] }, { requestSchemaIds: ['s'] }],
      [{ alias: ' Alias ' }, { alias: 'Alias' }],
      [{ sourceConnectorId: 'k' }, { sourceId: 'k' }],
      [{ displayName: 'x' }, { displayName: 'x' }],
      [{ query: 'x' }, { query: 'x' }],
      [{ policyRefs: [{ id: 'p' }] }, { policyIds: ['p'] }],
      [{ accessReviewId: 'z' }, { reviewId: 'z' }],
      [{ includeDeleted: true }, { includeDeleted: true }],
      [{ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_MEMBER'] }, { purposes: ['ASSIGNMENT', 'PERMISSION'] }],
      [{ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER'] }, { purposes: ['OWNERSHIP'] }],
      [{ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_ADMIN', 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_OWNER'] }, { purposes: ['OWNERSHIP'] }],
      [{ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_UNSPECIFIED'] }, {}],
      [{ membershipType: ['APP_ENTITLEMENT_MEMBERSHIP_TYPE_EXCLUSION', 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_ADMIN'] }, undefined],
      [{ isAutomated: true }, undefined],
    ],
    ['excludeImmutable', 'expandMask'],
  ),
  accounts: searchOf(
    AppUserServiceSearchRequestSchema,
    filterOfAccountSearch,
    [
      [{ appId: 'a' }, { appId: 'a' }],
      [{ appIds: ['a'] }, { appIds: ['a'] }],
      [{ appUserIds: ['c'] }, { ids: ['c'] }],
      [{ excludeAppUserIds: ['c'] }, { excludeIds: ['c'] }],
      [{ refs: [ref] }, { refs: ['a/i'] }],
      [{ userIds: ['u'] }, { userIds: ['u'] }],
      [{ appUserTypes: ['APP_USER_TYPE_USER', 'APP_USER_TYPE_SYSTEM_ACCOUNT'] }, { types: ['USER', 'SYSTEM_ACCOUNT'] }],
      [{ appUserStatuses: ['STATUS_DISABLED', 'STATUS_DELETED'] }, { statuses: ['DISABLED', 'DELETED'] }],
      [{ withoutResponsibleParty: true }, { isUnowned: true }],
      [{ appUserDomains: ['APP_USER_DOMAIN_EXTERNAL'] }, { isExternal: true }],
      [{ appUserDomains: ['APP_USER_DOMAIN_TRUSTED'] }, { isExternal: false }],
      [{ appUserDomains: ['APP_USER_DOMAIN_TRUSTED', 'APP_USER_DOMAIN_EXTERNAL'] }, {}],
      [{ query: 'x' }, { query: 'x' }],
      [{ agentStatuses: ['APP_USER_AGENT_STATUS_READY'] }, undefined],
      [{ agentStatuses: ['APP_USER_AGENT_STATUS_READY', 'APP_USER_AGENT_STATUS_UNSPECIFIED'] }, {}],
      [{ nhiTypes: ['APP_USER_NHI_TYPE_ASSUMABLE_ROLE'] }, undefined],
      [{ nhiTypes: ['APP_USER_NHI_TYPE_UNSPECIFIED'] }, {}],
      [{ appUserStatusDetails: ['locked'] }, undefined],
      [{ appUserStatusDetails: ['locked', ''] }, {}],
      [{ withOpenFindings: true }, undefined],
    ],
    // The order of a page, and what is so whether it is asked for or not.
    ['sortBy', 'excludeDeletedApps', 'expandMask'],
  ),
  resources: searchOf(
    SearchAppResourcesRequestSchema,
    filterOfResourceSearch,
    [
      [{ appId: 'a' }, { appId: 'a' }],
      [{ appIds: ['a'] }, { appIds: ['a'] }],
      [{ resourceIds: ['r'] }, { ids: ['r'] }],
      [{ excludeResourceIds: ['r'] }, { excludeIds: ['r'] }],
      [{ refs: [{ appId: 'a', appResourceTypeId: 't', id: 'r' }, ref] }, { refs: ['a/t/r', 'a//i'] }],
      [{ resourceTypeIds: ['t'] }, { resourceTypeIds: ['t'] }],
      [{ resourceTypeTraitIds: ['role'] }, { traitIds: ['role'] }],
      [{ excludeResourceTypeTraitIds: ['role'] }, { excludeTraitIds: ['role'] }],
      [{ appUserIds: ['c'] }, { accountIds: ['c'] }],
      [{ ownerUserIds: ['u'] }, { ownerIds: ['u'] }],
      [{ unownedOnly: true }, { isUnowned: true }],
      [{ query: 'x' }, { query: 'x' }],
      [{ agentStatuses: ['AGENT_STATUS_READY'] }, undefined],
      [{ agentStatuses: ['AGENT_STATUS_UNSPECIFIED'] }, {}],
      [{ nhiTypes: ['NHI_TYPE_MANAGED_IDENTITY'] }, undefined],
      [{ credentialTypes: ['CREDENTIAL_TYPE_CERTIFICATE'] }, undefined],
      [{ secretAging: {} }, {}],
      [{ secretAging: { lastUsedBefore: '2024-01-01T00:00:00Z' } }, undefined],
      [{ withOpenFindings: true }, undefined],
    ],
    ['direction', 'sortField', 'excludeDeletedApps', 'excludeDeletedResourceBindings'],
  ),
  'resource types': searchOf(
    SearchAppResourceTypesRequestSchema,
    filterOfResourceTypeSearch,
    [
      [{ appIds: ['a'] }, { appIds: ['a'] }],
      [{ resourceTypeIds: ['t'] }, { ids: ['t'] }],
      [{ excludeResourceTypeIds: ['t'] }, { excludeIds: ['t'] }],
      [{ resourceTypeTraitIds: ['role'] }, { traitIds: ['role'] }],
      [{ excludeResourceTypeTraitIds: ['role'] }, { excludeTraitIds: ['role'] }],
      [{ appUserIds: ['c'] }, { accountIds: ['c'] }],
      [{ displayName: 'x' }, { displayName: 'x' }],
      [{ query: 'x' }, { query: 'x' }],
    ],
    [],
  ),
};

describe.each(Object.entries(searches))('a search for %s', (_name, { desc, read, asks, others }) => {
  it.each(asks.map(([json, filter]) => [JSON.stringify(json), json, filter] as const))('takes %s', (_text, json, filter) => {
    expect(read(json)).toEqual(filter);
  });

  it('knows every member of its request', () => {
    const asked = new Set(asks.flatMap(([json]) => Object.keys(json)));
    expect(desc.fields.map(({ jsonName }) => jsonName).filter((name) => !asked.has(name) && !others.includes(name))).toEqual([]);
  });

  it('takes empty members for none', () => {
    const empty: JsonObject = {};
    for (const field of desc.fields) {
      if (field.fieldKind === 'list') {
        empty[field.jsonName] = [];
      } else if (field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING) {
        empty[field.jsonName] = '';
      }
    }
    expect(read(empty)).toEqual({});
    expect(read({})).toEqual({});
    const texts = Object.fromEntries(
      ['query', 'displayName', 'alias'].filter((name) => desc.field[name] !== undefined).map((name) => [name, ' \t ']),
    );
    expect(read(texts)).toEqual({});
  });

  it('asks for all that any of its members asks for, or for nothing where one does', () => {
    fc.assert(
      fc.property(fc.subarray([...asks], { minLength: 1 }), (chosen) => {
        const members = chosen.flatMap(([json]) => Object.keys(json));
        fc.pre(new Set(members).size === members.length);
        const filters = chosen.map(([, filter]) => filter);
        const together = read(Object.assign({}, ...chosen.map(([json]) => json)));
        if (filters.includes(undefined)) {
          expect(together).toBeUndefined();
        } else {
          expect(together).toEqual(
            expect.objectContaining(Object.assign({}, ...filters.filter((one) => one !== undefined && !('isExpiring' in one)))),
          );
        }
      }),
    );
  });
});
