/**
 * Attributes by the names that requests write, in any case (RFC 7643 section 2.1). Which there are is in attributes.ts.
 */
import { type Attribute, commonAttributes, schemas, urns } from './attributes.ts';
import type { ResourceKind } from './store-resources.ts';

/** Attributes by name in lower case. */
export type ByName = ReadonlyMap<string, Attribute>;

/** The attributes of a list, by name. */
export const byName = (attributes: readonly Attribute[]): ByName => new Map(attributes.map((one) => [one.name.toLowerCase(), one]));

const core: Readonly<Record<ResourceKind, ByName>> = {
  USER: byName([...schemas.user.attributes, ...commonAttributes]),
  GROUP: byName([...schemas.group.attributes, ...commonAttributes]),
};
const enterprise = byName(schemas.enterprise.attributes);
const none: ByName = new Map();

/** The URNs of the core schemas. */
export const coreUrns: Readonly<Record<ResourceKind, string>> = { USER: urns.user, GROUP: urns.group };

/** True if this is the URN of a kind's core schema. */
export function isCoreUrn(kind: ResourceKind, urn: string): boolean {
  return urn.toLowerCase() === coreUrns[kind].toLowerCase();
}

/** True if this is the URN of the enterprise extension, which users have. */
export function isEnterpriseUrn(kind: ResourceKind, urn: string): boolean {
  return kind === 'USER' && urn.toLowerCase() === urns.enterprise.toLowerCase();
}

/** The attributes of a schema, '' for the core one; none for one that is not known here. */
export function attributesOf(kind: ResourceKind, urn: string): ByName {
  return urn === '' || isCoreUrn(kind, urn) ? core[kind] : isEnterpriseUrn(kind, urn) ? enterprise : none;
}

/** The attribute of this name; undefined for one that is not known here. */
export function findAttribute(kind: ResourceKind, urn: string, name: string): Attribute | undefined {
  return attributesOf(kind, urn).get(name.toLowerCase());
}

/** The part of this name of a complex attribute; undefined for one that is not known here. */
export function findSub(attribute: Attribute | undefined, name: string): Attribute | undefined {
  return attribute?.subAttributes?.find((sub) => sub.name.toLowerCase() === name.toLowerCase());
}
