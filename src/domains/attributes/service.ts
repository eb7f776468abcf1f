/**
 * The contract's services about attributes: each method calls one rule and shapes the reply. Those of risk levels and compliance
 * frameworks do what those of attributes do, and know no values of other types.
 */
import {
  AttributeService,
  CreateAttributeValueResponseSchema,
  DeleteAttributeValueResponseSchema,
  GetAttributeValueResponseSchema,
  ListAttributeTypesResponseSchema,
  ListAttributeValuesResponseSchema,
  type SearchAttributeValuesRequest,
  SearchAttributeValuesResponseSchema,
} from '../../gen/c1/api/attribute/v1/attribute_service_pb.js';
import {
  ComplianceFrameworkService,
  CreateComplianceFrameworkAttributeValueResponseSchema,
  DeleteComplianceFrameworkAttributeValueResponseSchema,
  GetComplianceFrameworkAttributeValueResponseSchema,
  ListComplianceFrameworksResponseSchema,
} from '../../gen/c1/api/attribute/v1/compliance_framework_service_pb.js';
import {
  CreateRiskLevelAttributeValueResponseSchema,
  DeleteRiskLevelAttributeValueResponseSchema,
  GetRiskLevelAttributeValueResponseSchema,
  ListRiskLevelsResponseSchema,
  RiskLevelService,
} from '../../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { AppError } from '../../errors.ts';
import { getNameKey } from '../../lib/name-key.ts';
import { some, textOf } from '../../lib/where.ts';
import type { Scope } from '../../scope.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implement } from '../../wire/service.ts';
import { attributeTypes, COMPLIANCE_FRAMEWORK, findAttributeType, RISK_LEVEL } from './attribute-types.ts';
import { createValue, createValueOfType, deleteValue } from './change-values.ts';
import { requireValue } from './require.ts';
import { type AttributeValueRow, listValues, type ValueFilter } from './store.ts';
import { shapeType, shapeValue } from './view.ts';

async function pageOfValues(scope: Scope, call: Call, filter: ValueFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listValues(scope, filter, after, limit),
    (row) => row.id,
  );
  return { list: rows.map(shapeValue), nextPageToken };
}

const one = (row: AttributeValueRow) => ({ value: shapeValue(row) });

/** Empty lists and texts filter nothing. */
function filterOf(request: SearchAttributeValuesRequest): ValueFilter {
  return {
    ids: some(request.ids),
    excludeIds: some(request.excludeIds),
    typeIds: some(request.attributeTypeIds),
    value: request.value.trim() === '' ? undefined : getNameKey(request.value),
    query: textOf(request.query),
  };
}

const attributeService = implement(AttributeService, {
  createAttributeValue: async (scope, { attributeTypeId, value }) =>
    shape(CreateAttributeValueResponseSchema, one(await createValueOfType(scope, attributeTypeId, value))),
  getAttributeValue: async (scope, { id }) => shape(GetAttributeValueResponseSchema, one(await requireValue(scope, id))),
  deleteAttributeValue: async (scope, { id }) => {
    await deleteValue(scope, id);
    return shape(DeleteAttributeValueResponseSchema, {});
  },
  listAttributeTypes: async (_scope, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => attributeTypes.filter(({ id }) => id > after).slice(0, limit),
      (type) => type.id,
    );
    return shape(ListAttributeTypesResponseSchema, { list: rows.map(shapeType), nextPageToken });
  },
  listAttributeValues: async (scope, { attributeTypeId }, call) => {
    if (findAttributeType(attributeTypeId) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such attribute type.');
    }
    return shape(ListAttributeValuesResponseSchema, await pageOfValues(scope, call, { typeIds: [attributeTypeId] }));
  },
  searchAttributeValues: async (scope, request, call) =>
    shape(SearchAttributeValuesResponseSchema, await pageOfValues(scope, call, filterOf(request))),
});

const riskLevelService = implement(RiskLevelService, {
  createRiskLevelAttributeValue: async (scope, { value }) =>
    shape(CreateRiskLevelAttributeValueResponseSchema, one(await createValue(scope, RISK_LEVEL, value))),
  getRiskLevelAttributeValue: async (scope, { id }) =>
    shape(GetRiskLevelAttributeValueResponseSchema, one(await requireValue(scope, id, RISK_LEVEL))),
  deleteRiskLevelAttributeValue: async (scope, { id }) => {
    await deleteValue(scope, id, RISK_LEVEL);
    return shape(DeleteRiskLevelAttributeValueResponseSchema, {});
  },
  listRiskLevels: async (scope, _request, call) =>
    shape(ListRiskLevelsResponseSchema, await pageOfValues(scope, call, { typeIds: [RISK_LEVEL.id] })),
});

const complianceFrameworkService = implement(ComplianceFrameworkService, {
  createComplianceFrameworkAttributeValue: async (scope, { value }) =>
    shape(CreateComplianceFrameworkAttributeValueResponseSchema, one(await createValue(scope, COMPLIANCE_FRAMEWORK, value))),
  getComplianceFrameworkAttributeValue: async (scope, { id }) =>
    shape(GetComplianceFrameworkAttributeValueResponseSchema, one(await requireValue(scope, id, COMPLIANCE_FRAMEWORK))),
  deleteComplianceFrameworkAttributeValue: async (scope, { id }) => {
    await deleteValue(scope, id, COMPLIANCE_FRAMEWORK);
    return shape(DeleteComplianceFrameworkAttributeValueResponseSchema, {});
  },
  listComplianceFrameworks: async (scope, _request, call) =>
    shape(ListComplianceFrameworksResponseSchema, await pageOfValues(scope, call, { typeIds: [COMPLIANCE_FRAMEWORK.id] })),
});

/** What the room serves. */
export const services = [attributeService, riskLevelService, complianceFrameworkService];
