/** Dry run as clients see it, and the token by which its differences go on. */
import type { ImportDryRun, Import } from '../../../gen/countersign/v1/imports_pb.js';
import { invalidField } from '../../../errors.ts';
import type { Row } from '../../../wire/row.ts';
import type { Rehearsal } from './rehearse.ts';
import { shapeImport } from '../record/index.ts';

/** The place that a token names; undefined for none. INVALID_ARGUMENT for what is no token. */
export function readDifferenceToken(token: string): readonly string[] | undefined {
  if (token === '') {
    return undefined;
  }
  const text = /^[\w-]{1,8000}$/.test(token) ? Buffer.from(token, 'base64url').toString('utf8') : '';
  try {
    const parts: unknown = JSON.parse(text);
    if (Array.isArray(parts) && parts.length === 2 && parts.every((part) => typeof part === 'string' && !part.includes('\u0000'))) {
      return parts;
    }
  } catch {
    // Refused below, as everything else that is no token.
  }
  throw invalidField('differenceToken', 'must be the nextDifferenceToken of the answer before, or absent');
}

/** Shapes an import as a dry run. What is undone has no id and no revision, and neither has what it would make. */
export function shapeRehearsal({ row, refusal, differences, nextKey }: Rehearsal): { import: Row<Import>; dryRun: Row<ImportDryRun> } {
  return {
    import: {
      ...shapeImport(row),
      id: '',
      revision: '0',
      appId: row.findings?.isNewApp === true ? '' : row.appId,
      connectorId: row.previousId === '' ? '' : row.sourceId,
    },
    dryRun: {
      refusal,
      differences: differences.map(({ place: _place, fields, change, ...rest }) => ({
        ...rest,
        change,
        fields,
      })),
      nextDifferenceToken: nextKey === undefined ? '' : Buffer.from(JSON.stringify(nextKey)).toString('base64url'),
    },
  };
}
