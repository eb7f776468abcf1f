/**
 * The contract's service about the columns of files: each method calls one rule and shapes the reply.
 */
import {
  ColumnMappingService,
  ColumnMappingServiceGetResponseSchema,
  ColumnMappingServiceInspectResponseSchema,
  ColumnMappingServiceSetResponseSchema,
  ColumnSuggestionSchema,
  InspectedRowSchema,
} from '../../gen/countersign/v1/mapping_pb.js';
import { invalidField } from '../../errors.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { getColumnMapping, setColumnMapping } from './column-mapping.ts';
import { inspectColumns } from './inspect-columns.ts';
import { refuseFile } from './notes.ts';
import { shapeReading } from './view.ts';

/** The service about columns. */
export const mappingService = implement(ColumnMappingService, {
  inspect: async (context, request, call) => {
    const { kind, sheet, map, app, connectorId: sourceId } = request;
    if (kind !== 'people' && kind !== 'grants') {
      throw invalidField('kind', 'must be people or grants: what the file holds');
    }
    if (call.body === undefined) {
      throw refuseFile('the request has no body');
    }
    const upload = { body: call.body, encoding: call.contentEncoding };
    const found = await inspectColumns(context, { kind, sheet, map, app, sourceId }, upload);
    return shape(ColumnMappingServiceInspectResponseSchema, {
      format: found.format,
      sheets: [...found.sheets],
      columns: [...found.columns],
      suggestions: found.suggestions.map((one) => shape(ColumnSuggestionSchema, one)),
      mapping: { ...found.mapping },
      missing: [...found.missing],
      used: { ...found.used },
      rows: found.rows.map(({ line, values, others, errors }) =>
        shape(InspectedRowSchema, { line: String(line), values: { ...values }, others: { ...others }, errors: [...errors] }),
      ),
      isReady: found.reason === '',
      reason: found.reason,
      doubts: [...found.doubts],
      rowsRead: String(found.rowsRead),
      ...(found.reading && { reading: shapeReading(found.reading) }),
    });
  },
  get: async (context, { connectorId: sourceId }) =>
    shape(ColumnMappingServiceGetResponseSchema, { columnMapping: { ...(await getColumnMapping(context, sourceId)) } }),
  set: async (context, { connectorId: sourceId, columnMapping }) =>
    shape(ColumnMappingServiceSetResponseSchema, { columnMapping: { ...(await setColumnMapping(context, sourceId, columnMapping)) } }),
});
