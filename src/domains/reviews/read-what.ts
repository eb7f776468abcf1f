/**
 * Reading which entitlements a review's document chooses. Pure: nothing here reads the database, so ids may still be of nothing
 * (freeze-scope.ts). What contradicts itself is check-scope.ts; the meaning of each member is the table in docs/scopes.md.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { asObject, asTexts, isJsonObject } from '../../lib/json.ts';
import { setupAppIds, textOf } from './document.ts';

/** Which members choose entitlements (`scopeType` without its prefix). */
export type ScopeType = 'BY_ENTITLEMENTS' | 'BY_USERS' | 'BY_ACCESS_CONFLICTS' | 'BY_RESOURCE' | 'BY_INHERITANCE';

/** An entitlement named one by one, with the policy that decides it where one was named. */
export interface NamedEntitlement {
  readonly appId: string;
  readonly entitlementId: string;
  readonly policyId: string;
}

/** Values of which an entitlement must carry one; an empty list filters nothing. */
export interface SelectionCriteria {
  readonly riskLevelIds: readonly string[];
  readonly frameworkIds: readonly string[];
}

/** Which entitlements a document chooses, beside those of its lists. */
export interface What {
  readonly scopeType: ScopeType;
  /** Apps chosen whole: all their entitlements but app access. */
  readonly wholeAppIds: readonly string[];
  /** Every app that is named, by whichever member. */
  readonly namedAppIds: readonly string[];
  readonly entitlements: readonly NamedEntitlement[];
  /** Exactly the built-in entitlement of the chosen apps, in place of their others. */
  readonly appAccess: boolean;
  readonly criteria: SelectionCriteria | undefined;
  /** Resources, or pairs of scope and role, that are listed beside the document. */
  readonly byResources: boolean;
  readonly byRoles: boolean;
  /** Of a scope by conflicts: those of every enabled monitor, not of those listed beside the document. */
  readonly allMonitors: boolean;
  /** Nothing was chosen but people or accounts: everything they hold. */
  readonly everything: boolean;
}

/** The type of a scope; what was never said is by entitlements. */
export function scopeTypeOf(document: JsonObject): ScopeType {
  const name = textOf(document, 'scopeType').replace(/^ACCESS_REVIEW_SCOPE_TYPE_/, '');
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

function readNamedEntitlements(document: JsonObject): { entitlements: NamedEntitlement[]; wholeAppIds: string[] } {
  const multiApp = asObject(document.multiApp);
  const single = textOf(asObject(document.singleApp), 'appId');
  const wholeAppIds = single === '' ? [] : [single];
  const entitlements: NamedEntitlement[] = [];
  for (const [key, entry] of Object.entries(asObject(multiApp.appEntitlements))) {
    const app = asObject(entry);
    const appId = textOf(app, 'appId') || key;
    const ids = asTexts(app.entitlementIds);
    if (ids.length === 0) {
      wholeAppIds.push(appId);
    }
    entitlements.push(...ids.map((entitlementId) => ({ appId, entitlementId, policyId: '' })));
  }
  for (const [key, entry] of Object.entries(asObject(multiApp.appEntitlementDetails))) {
    for (const [id, detail] of Object.entries(asObject(asObject(entry).entitlementDetails))) {
      const fields = asObject(detail);
      entitlements.push({
        appId: textOf(fields, 'appId') || key,
        entitlementId: textOf(fields, 'entitlementId') || id,
        policyId: textOf(fields, 'policyId'),
      });
    }
  }
  return { entitlements, wholeAppIds };
}

/** What a document chooses; `everything` says that it chooses people or accounts and nothing else. */
export function readWhat(document: JsonObject, everything: boolean): What {
  const v2 = asObject(document.scopeV2);
  const criteria = v2.appSelectionCriteria;
  return {
    scopeType: scopeTypeOf(document),
    ...readNamedEntitlements(document),
    namedAppIds: setupAppIds(document),
    appAccess: v2.appAccess !== undefined,
    allMonitors: v2.allAccessConflicts !== undefined,
    byResources: isJsonObject(v2.resourceSelection),
    byRoles: isJsonObject(v2.scopeRoleSelection),
    criteria: isJsonObject(criteria)
      ? {
          riskLevelIds: asTexts(criteria.riskLevelAttributeValueIds),
          frameworkIds: asTexts(criteria.complianceFrameworkAttributeValueIds),
        }
      : undefined,
    everything,
  };
}
