/**
 * Sample requests of the operations about attributes.
 */
import { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from '../../../src/inventory/classifications/index.ts';
import type { World } from '../world.ts';
import type { MakeSample } from './sample.ts';

const newValue = (): string => `Value ${Math.random()}`;

/** A value that was made to be deleted. */
async function makeValue(world: World, attributeTypeId: string): Promise<string> {
  const { body } = await world.call(world.tenant.admin, 'POST', '/api/v1/attributes', { attributeTypeId, value: newValue() });
  return body.value.id;
}

/** By the name of the operation. */
export const samples: Readonly<Record<string, MakeSample>> = {
  'AttributeService.createAttributeValue': () => ({ fields: { attributeTypeId: RISK_LEVEL.id, value: newValue() } }),
  'AttributeService.deleteAttributeValue': async (world) => ({ path: { id: await makeValue(world, RISK_LEVEL.id) } }),
  'AttributeService.getAttributeValue': (world) => ({ path: { id: world.riskLevelId } }),
  'AttributeService.listAttributeTypes': () => ({}),
  'AttributeService.listAttributeValues': () => ({ path: { attribute_type_id: RISK_LEVEL.id } }),
  'AttributeService.searchAttributeValues': () => ({ fields: { query: 'level' } }),
  'ComplianceFrameworkService.createComplianceFrameworkAttributeValue': () => ({ fields: { value: newValue() } }),
  'ComplianceFrameworkService.deleteComplianceFrameworkAttributeValue': async (world) => ({
    path: { id: await makeValue(world, COMPLIANCE_FRAMEWORK.id) },
  }),
  'ComplianceFrameworkService.getComplianceFrameworkAttributeValue': (world) => ({ path: { id: world.frameworkId } }),
  'ComplianceFrameworkService.listComplianceFrameworks': () => ({}),
  'RiskLevelService.createRiskLevelAttributeValue': () => ({ fields: { value: newValue() } }),
  'RiskLevelService.deleteRiskLevelAttributeValue': async (world) => ({ path: { id: await makeValue(world, RISK_LEVEL.id) } }),
  'RiskLevelService.getRiskLevelAttributeValue': (world) => ({ path: { id: world.riskLevelId } }),
  'RiskLevelService.listRiskLevels': () => ({}),
};
