/** The public interface of attribute values: risk levels and compliance frameworks. */
export { type AttributeTypeRow, COMPLIANCE_FRAMEWORK, RISK_LEVEL } from './attribute-types.ts';
export { findWrongValues, keepValues, requireValue } from './require.ts';
export { services } from './service.ts';
export { findValue, lockValues, removeValue } from './store.ts';
