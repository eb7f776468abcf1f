/**
 * The contract's services about attributes: each method calls one rule and shapes the reply. Those of risk levels and compliance
 * frameworks do what those of attributes do, and know no values of other types. Deleting a value is in the catalog.
 */
import { AttributeService, type SearchAttributeValuesRequest } from '../../gen/c1/api/attribute/v1/attribute_service_pb.js';
import { ComplianceFrameworkService } from '../../gen/c1/api/attribute/v1/compliance_framework_service_pb.js';
import { RiskLevelService } from '../../gen/c1/api/attribute/v1/risk_level_service_pb.js';
import { AppError } from '../../errors.ts';
import { getCaselessNameKey } from '../../lib/names/same-name.ts';
import { some, wantedText } from '../../lib/where.ts';
import type { Context } from '../../context.ts';
import { readPage } from '../../wire/page.ts';
import { type Call, implementPart } from '../../wire/service.ts';
import { attributeTypes, COMPLIANCE_FRAMEWORK, findAttributeType, RISK_LEVEL } from './attribute-types.ts';
import { createValue, createValueOfType } from './change-values.ts';
import { requireValue } from './require.ts';
import { type AttributeValueRow, listValues, type ValueFilter } from './store.ts';
import { shapeValue } from './view.ts';

async function pageOfValues(context: Context, call: Call, filter: ValueFilter) {
  const { rows, nextPageToken } = await readPage(call, (after, limit) => listValues(context, filter, after, limit));
  return { list: rows.map(shapeValue), nextPageToken };
}

const one = (row: AttributeValueRow) => ({ value: shapeValue(row) });

/** Empty lists and texts filter nothing. */
function filterOf(request: SearchAttributeValuesRequest): ValueFilter {
  return {
    ids: some(request.ids),
    excludeIds: some(request.excludeIds),
    typeIds: some(request.attributeTypeIds),
    value: request.value.trim() === '' ? undefined : getCaselessNameKey(request.value),
    query: wantedText(request.query),
  };
}

const attributeService = implementPart(AttributeService, {
  createAttributeValue: async (context, { attributeTypeId, value }) => one(await createValueOfType(context, attributeTypeId, value)),
  getAttributeValue: async (context, { id }) => one(await requireValue(context, id)),
  listAttributeTypes: async (_context, _request, call) => {
    const { rows, nextPageToken } = await readPage(call, (after, limit) => attributeTypes.filter(({ id }) => id > after).slice(0, limit));
    return { list: rows, nextPageToken };
  },
  listAttributeValues: async (context, { attributeTypeId }, call) => {
    if (findAttributeType(attributeTypeId) === undefined) {
      throw new AppError('NOT_FOUND', 'There is no such attribute type.');
    }
    return pageOfValues(context, call, { typeIds: [attributeTypeId] });
  },
  searchAttributeValues: async (context, request, call) => pageOfValues(context, call, filterOf(request)),
});

const riskLevelService = implementPart(RiskLevelService, {
  createRiskLevelAttributeValue: async (context, { value }) => one(await createValue(context, RISK_LEVEL, value)),
  getRiskLevelAttributeValue: async (context, { id }) => one(await requireValue(context, id, RISK_LEVEL)),
  listRiskLevels: async (context, _request, call) => pageOfValues(context, call, { typeIds: [RISK_LEVEL.id] }),
});

const complianceFrameworkService = implementPart(ComplianceFrameworkService, {
  createComplianceFrameworkAttributeValue: async (context, { value }) => one(await createValue(context, COMPLIANCE_FRAMEWORK, value)),
  getComplianceFrameworkAttributeValue: async (context, { id }) => one(await requireValue(context, id, COMPLIANCE_FRAMEWORK)),
  listComplianceFrameworks: async (context, _request, call) => pageOfValues(context, call, { typeIds: [COMPLIANCE_FRAMEWORK.id] }),
});

/** Services of the module. */
export const services = [attributeService, riskLevelService, complianceFrameworkService];
