/**
 * Reading which entitlements a review's document chooses. Pure: nothing here reads the database, so ids may still be of nothing
 * (choose-scope.ts). What contradicts itself is check-scope.ts; the meaning of each member is the table in docs/scopes.md.
 */
import { type ReviewSettings, setupAppIds } from '../record/index.ts';
import type { NamedEntitlement, ScopeType, What } from '../../snapshots/index.ts';

/** The type of a scope; what was never said is by entitlements. */
export function wantedScopeType(document: ReviewSettings): ScopeType {
  const name = (document.scopeType ?? '').replace(/^ACCESS_REVIEW_SCOPE_TYPE_/, '');
  switch (name) {
    case 'BY_USERS':
    case 'BY_ACCESS_CONFLICTS':
    case 'BY_RESOURCE':
    case 'BY_INHERITANCE':
      return name;
    default:
      return 'BY_ENTITLEMENTS';
  }
}

function readNamedEntitlements({ singleApp, multiApp }: ReviewSettings): { entitlements: NamedEntitlement[]; wholeAppIds: string[] } {
  const wholeAppIds = singleApp?.appId ? [singleApp.appId] : [];
  const entitlements: NamedEntitlement[] = [];
  for (const [key, app] of Object.entries(multiApp?.appEntitlements ?? {})) {
    const appId = app.appId || key;
    const ids = app.entitlementIds ?? [];
    if (ids.length === 0) {
      wholeAppIds.push(appId);
    }
    entitlements.push(...ids.map((entitlementId) => ({ appId, entitlementId, policyId: '' })));
  }
  for (const [key, { entitlementDetails }] of Object.entries(multiApp?.appEntitlementDetails ?? {})) {
    for (const [id, { appId, entitlementId, policyId = '' }] of Object.entries(entitlementDetails ?? {})) {
      entitlements.push({ appId: appId || key, entitlementId: entitlementId || id, policyId });
    }
  }
  return { entitlements, wholeAppIds };
}

/** Reads what a document chooses; `everything` says that it chooses people or accounts and nothing else. */
export function readWhat(document: ReviewSettings, everything: boolean): What {
  const v2 = document.scopeV2 ?? {};
  const criteria = v2.appSelectionCriteria;
  return {
    scopeType: wantedScopeType(document),
    ...readNamedEntitlements(document),
    namedAppIds: setupAppIds(document),
    appAccess: v2.appAccess !== undefined,
    allMonitors: v2.allAccessConflicts !== undefined,
    byResources: v2.resourceSelection !== undefined,
    byRoles: v2.scopeRoleSelection !== undefined,
    criteria: criteria && {
      riskLevelIds: criteria.riskLevelAttributeValueIds ?? [],
      frameworkIds: criteria.complianceFrameworkAttributeValueIds ?? [],
    },
    everything,
  };
}
