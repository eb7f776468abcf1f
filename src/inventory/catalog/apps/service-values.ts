/**
 * The parts of the services about attributes that delete values: each method calls one rule and shapes the reply.
 */
import { AttributeService } from '../../../gen/c1/api/attribute/v1/attribute_service_pb.js';
import { ComplianceFrameworkService } from '../../../gen/c1/api/attribute/v1/compliance_framework_service_pb.js';
import { RiskLevelService } from '../../../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { implementPart } from '../../../wire/service.ts';
import { COMPLIANCE_FRAMEWORK, RISK_LEVEL } from '../../classifications/index.ts';
import { deleteValue } from './delete-value.ts';

const attributeService = implementPart(AttributeService, {
  deleteAttributeValue: async (context, { id }) => {
    await deleteValue(context, id);
    return {};
  },
});

const riskLevelService = implementPart(RiskLevelService, {
  deleteRiskLevelAttributeValue: async (context, { id }) => {
    await deleteValue(context, id, RISK_LEVEL);
    return {};
  },
});

const complianceFrameworkService = implementPart(ComplianceFrameworkService, {
  deleteComplianceFrameworkAttributeValue: async (context, { id }) => {
    await deleteValue(context, id, COMPLIANCE_FRAMEWORK);
    return {};
  },
});

/** Values that go. */
export const valueServices = [attributeService, riskLevelService, complianceFrameworkService];
