/** Kinds one can leave out by name, and what each is called. */
import { type PlainTextKey, text } from '~/text/text.ts';
import type { Exclusion } from '~/screens/scope/use-lists.ts';

/** The kinds as the contract calls them. */
export const exclusionKinds = {
  entitlement: 'SCOPE_EXCLUSION_KIND_ENTITLEMENT',
  person: 'SCOPE_EXCLUSION_KIND_USER',
  account: 'SCOPE_EXCLUSION_KIND_ACCOUNT',
  grant: 'SCOPE_EXCLUSION_KIND_GRANT',
  resource: 'SCOPE_EXCLUSION_KIND_RESOURCE',
  resourceType: 'SCOPE_EXCLUSION_KIND_RESOURCE_TYPE',
} as const satisfies Readonly<Record<string, Exclusion['kind']>>;

/** One of them by the name it has here. */
export type ExclusionKind = keyof typeof exclusionKinds;

/** Name of each, the common ones first. */
export const kindLabels: Readonly<Record<ExclusionKind, PlainTextKey>> = {
  entitlement: 'scope.anEntitlement',
  person: 'scope.aPerson',
  account: 'scope.anAccount',
  grant: 'scope.aGrant',
  resource: 'scope.aResource',
  resourceType: 'scope.aKindOfResource',
};

/** Names a kind of the contract. */
export function kindName(kind: Exclusion['kind']): string {
  const found = (Object.keys(exclusionKinds) as ExclusionKind[]).find((name) => exclusionKinds[name] === kind);
  return found === undefined ? '' : text(kindLabels[found]);
}
