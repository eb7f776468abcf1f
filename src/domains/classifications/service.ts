/**
 * The contract's services about attributes: each method calls one rule and shapes the reply. Those of risk levels and compliance
 * frameworks do what those of attributes do, and know no values of other types. Deleting a value is in the catalog.
 */
import {
  AttributeService,
  CreateAttributeValueResponseSchema,
  GetAttributeValueResponseSchema,
  ListAttributeTypesResponseSchema,
  ListAttributeValuesResponseSchema,
  type SearchAttributeValuesRequest,
  SearchAttributeValuesResponseSchema,
} from '../../gen/c1/api/attribute/v1/attribute_service_pb.js';
import {
  ComplianceFrameworkService,
  CreateComplianceFrameworkAttributeValueResponseSchema,
  GetComplianceFrameworkAttributeValueResponseSchema,
  ListComplianceFrameworksResponseSchema,
} from '../../gen/c1/api/attribute/v1/compliance_framework_service_pb.js';
import {
  CreateRiskLevelAttributeValueResponseSchema,
  GetRiskLevelAttributeValueResponseSchema,
  ListRiskLevelsResponseSchema,
  RiskLevelService,
} from '../../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { AppError } from '../../errors.ts';
import { getNameKey } from '../../lib/name-key.ts';
import { some, textOf } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { pageOf } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { type Call, implementPart } from '../../wire/service.ts';
import { attributeTypes, COMPLIANCE_FRAMEWORK, findAttributeType, RISK_LEVEL } from './attribute-types.ts';
import { createValue, createValueOfType } from './change-values.ts';
import { requireValue } from './require.ts';
import { type AttributeValueRow, listValues, type ValueFilter } from './store.ts';
import { shapeType, shapeValue } from './view.ts';

async function pageOfValues(context: Context, call: Call, filter: ValueFilter) {
  const { rows, nextPageToken } = await pageOf(
    call,
    (after, limit) => listValues(context, filter, after, limit),
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

const attributeService = implementPart(AttributeService, {
  createAttributeValue: async (context, { attributeTypeId, value }) =>
    shape(CreateAttributeValueResponseSchema, one(await createValueOfType(context, attributeTypeId, value))),
  getAttributeValue: async (context, { id }) => shape(GetAttributeValueResponseSchema, one(await requireValue(context, id))),
  listAttributeTypes: async (_context, _request, call) => {
    const { rows, nextPageToken } = await pageOf(
      call,
      (after, limit) => attributeTypes.filter(({ id }) => id > after).slice(0, limit),
      (type) => type.id,
    );
    return shape(ListAttributeTypesResponseSchema, { list: rows.map(shapeType), nextPageToken });
  },
  listAttributeValues: async (context, { attributeTypeId }, call) => {
    if (findAttributeType(attributeTypeId) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such attribute type.');
    }
    return shape(ListAttributeValuesResponseSchema, await pageOfValues(context, call, { typeIds: [attributeTypeId] }));
  },
  searchAttributeValues: async (context, request, call) =>
    shape(SearchAttributeValuesResponseSchema, await pageOfValues(context, call, filterOf(request))),
});

const riskLevelService = implementPart(RiskLevelService, {
  createRiskLevelAttributeValue: async (context, { value }) =>
    shape(CreateRiskLevelAttributeValueResponseSchema, one(await createValue(context, RISK_LEVEL, value))),
  getRiskLevelAttributeValue: async (context, { id }) =>
    shape(GetRiskLevelAttributeValueResponseSchema, one(await requireValue(context, id, RISK_LEVEL))),
  listRiskLevels: async (context, _request, call) =>
    shape(ListRiskLevelsResponseSchema, await pageOfValues(context, call, { typeIds: [RISK_LEVEL.id] })),
});

const complianceFrameworkService = implementPart(ComplianceFrameworkService, {
  createComplianceFrameworkAttributeValue: async (context, { value }) =>
    shape(CreateComplianceFrameworkAttributeValueResponseSchema, one(await createValue(context, COMPLIANCE_FRAMEWORK, value))),
  getComplianceFrameworkAttributeValue: async (context, { id }) =>
    shape(GetComplianceFrameworkAttributeValueResponseSchema, one(await requireValue(context, id, COMPLIANCE_FRAMEWORK))),
  listComplianceFrameworks: async (context, _request, call) =>
    shape(ListComplianceFrameworksResponseSchema, await pageOfValues(context, call, { typeIds: [COMPLIANCE_FRAMEWORK.id] })),
});

/** What the module serves. */
export const services = [attributeService, riskLevelService, complianceFrameworkService];
