/**
 * The kinds of attributes there are: fixed, with the same ids in every tenant and for ever. Their values are in the store.
 */

/** A kind of attribute. */
export interface AttributeTypeRow {
  readonly id: string;
  readonly name: string;
}

/** Harm that wrong access through an entitlement would do; an entitlement has one at most. */
export const RISK_LEVEL: AttributeTypeRow = { id: '000000000000000000RiskLevel', name: 'Risk Level' };

/** The rules an entitlement falls under; it may have several. */
export const COMPLIANCE_FRAMEWORK: AttributeTypeRow = { id: '00000000ComplianceFramework', name: 'Compliance Framework' };

/** All of them, by id. */
export const attributeTypes: readonly AttributeTypeRow[] = [RISK_LEVEL, COMPLIANCE_FRAMEWORK];

/** The type with this id. */
export function findAttributeType(id: string): AttributeTypeRow | undefined {
  return attributeTypes.find((type) => type.id === id);
}
