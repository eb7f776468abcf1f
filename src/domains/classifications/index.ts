/** The public interface of attribute values: risk levels and compliance frameworks. */
export { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from './attribute-types.ts';
export { findWrongValues, keepValues } from './require.ts';
export { services } from './service.ts';
