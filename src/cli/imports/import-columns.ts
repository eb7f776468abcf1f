/** `countersign import ... --show-mapping`: what the columns of a file seem to be, for people to read. */
import type { ColumnMappingServiceInspectResponseJson } from '../../gen/countersign/v1/mapping_pb.js';
import { describeReading, formatCount } from './import-summary.ts';

/** Returns the columns, the guess with the options that say the same, and the first rows as they would be read. */
export function describeInspection(found: ColumnMappingServiceInspectResponseJson): string[] {
  const { suggestions = [], rows = [], missing = [], sheets = [] } = found;
  const lines = [`${found.format ?? ''} with the columns: ${(found.columns ?? []).join(', ')}`];
  if (sheets.length > 1) {
    lines.push(`Sheets: ${sheets.join(', ')}`);
  }
  if (found.isReady === true) {
    const used = Object.entries(found.used ?? {})
      .map(([column, from]) => `${column}=${from}`)
      .sort();
    lines.push(used.length === 0 ? 'An import reads this file as it is.' : `An import reads this file with: ${used.join(', ')}`);
  } else {
    lines.push(found.reason ?? '', ...(found.doubts ?? []).map((doubt) => `Not used unasked: ${doubt}.`), '', 'A guess:');
    for (const { column = '', from = '', confidence = 0 } of suggestions) {
      const what = from.startsWith('=') ? `the text ${JSON.stringify(from.slice(1))} in all rows` : JSON.stringify(from);
      lines.push(`  ${column.padEnd(18)} from ${what} (${confidence} %)`);
    }
    if (missing.length > 0) {
      lines.push(`  nothing found for: ${missing.join(', ')}`);
    }
    const meanings = (found.doubts ?? []).flatMap((doubt) =>
      [...doubt.matchAll(/such as "([a-z_]+:.*?=[A-Z_]+)"/gs)].map(([, one = '']) => one),
    );
    const options = suggestions.filter(({ column = '', from = '' }) => column !== from);
    lines.push(
      '',
      'To import it with this mapping:',
      `  ${[...options.map(({ column = '', from = '' }) => `--map ${quoteWord(`${column}=${from}`)}`), ...meanings.map((one) => `--map ${quoteWord(one)}`)].join(' ')}`,
      ...(meanings.length === 0 ? [] : ['  Look at each meaning: the word behind = may have to be another one.']),
    );
    for (const column of missing) {
      lines.push(`  and --map ${column}=COLUMN, or --map ${column}==TEXT for a text in all rows`);
    }
  }
  if (found.reading !== undefined) {
    lines.push('', `In the first ${formatCount(found.rowsRead)} rows:`, ...describeReading(found.reading).map((line) => `  ${line}`));
  }
  if (rows.length > 0) {
    lines.push('', 'The first rows:');
    for (const { line, values = {}, errors = [] } of rows) {
      lines.push(
        `  line ${line ?? '?'}: ${Object.entries(values)
          .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
          .join(' ')}`,
        ...errors.map((error) => `    wrong: ${error}`),
      );
    }
  }
  return lines;
}

/** A word of a command line, quoted where a shell would take it apart. */
function quoteWord(text: string): string {
  return /^[\w=.@%+:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
