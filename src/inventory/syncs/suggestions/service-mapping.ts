/**
 * The contract's service about the columns of files: each method calls one rule and shapes the reply.
 */
import { ColumnMappingService } from '../../../gen/countersign/v1/mapping_pb.js';
import { invalidField } from '../../../errors.ts';
import { implement } from '../../../wire/service.ts';
import { getColumnMapping, setColumnMapping } from './column-mapping.ts';
import { inspectColumns } from './inspect-columns.ts';
import { refuseFile } from '../values/index.ts';
import { shapeReading } from '../record/index.ts';

/** The service about columns. */
export const mappingService = implement(ColumnMappingService, {
  inspect: async (context, request, call) => {
    const { kind, sheet, map, app, headerLine, connectorId: sourceId } = request;
    if (kind !== 'people' && kind !== 'grants') {
      throw invalidField('kind', 'must be people or grants: what the file holds');
    }
    if (call.body === undefined) {
      throw refuseFile('the request has no body');
    }
    const upload = { body: call.body, encoding: call.contentEncoding };
    const found = await inspectColumns(context, { kind, sheet, map, app, headerLine, sourceId }, upload);
    return {
      ...found,
      isReady: found.reason === '',
      reading: found.reading && shapeReading(found.reading),
    };
  },
  get: async (context, { connectorId: sourceId }) => ({ columnMapping: await getColumnMapping(context, sourceId) }),
  set: async (context, { connectorId: sourceId, columnMapping }) => ({
    columnMapping: await setColumnMapping(context, sourceId, columnMapping),
  }),
});
