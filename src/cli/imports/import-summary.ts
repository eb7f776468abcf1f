/** Summary of an import on the command line: what it made, how it read the file, what it guessed, and what it left without an owner. */
import type { ImportJson } from '../../gen/countersign/v1/imports_pb.js';
import type { ImportFindingsJson, ImportReadingJson, ImportRowNoteJson } from '../../gen/countersign/v1/reading_pb.js';
import { type CommandIo, writeLines } from '../frame/io.ts';

/** So many rows that were left out are shown one by one. */
const maxSkippedShown = 20;

/** A count with separators. */
export function formatCount(value: string | number | undefined): string {
  return Number(value ?? 0).toLocaleString('en');
}

/** Describes a row error or a warning; one of no line is about the rows together. */
export function describeNote({ line = '0', column = '', reason = '' }: ImportRowNoteJson): string {
  return line === '0' ? `  ${reason}` : `  line ${line}${column === '' ? '' : `, ${column}`}: ${reason}`;
}

/** Describes the reading of a file, a line for each thing to check. */
export function describeReading(reading: ImportReadingJson): string[] {
  const { mapping = {}, guessed = [], constants = {}, values = [], skipped = [] } = reading;
  const form = [reading.encoding, reading.separator && `separated by ${reading.separator}`, `header on line ${reading.headerLine ?? 1}`];
  const lines = [`Read as ${form.filter((one) => one).join(', ')}${reading.preset ? `, by the preset ${reading.preset}` : ''}.`];
  if (reading.encoding === 'windows-1252' && mapping['encoding'] === undefined) {
    lines.push('Guessed, please check in names with accents: the encoding windows-1252. To set it: --encoding');
  }
  const found = guessed.filter((column) => !mapping[column]?.startsWith('='));
  if (found.length > 0) {
    const told = found.map((column) => `${column} from ${JSON.stringify(mapping[column] ?? '')}`);
    lines.push(`Guessed, please check: ${told.join(', ')}.`);
  }
  const same = Object.entries(constants).map(([column, text]) => `${column} ${JSON.stringify(text)}`);
  if (same.length > 0) {
    lines.push(`The same in all rows, because nothing in the file says it: ${same.sort().join(', ')}.`);
  }
  for (const column of new Set(values.map((one) => one.column ?? ''))) {
    const told = values.flatMap((one) =>
      one.column === column ? [`${JSON.stringify(one.value ?? '')} is ${one.meaning} (${formatCount(one.count)})`] : [],
    );
    lines.push(`${column}: ${told.slice(0, 20).join(', ')}${told.length > 20 ? ', ...' : ''}.`);
  }
  if (reading.dateOrder) {
    lines.push(`Dates have the ${reading.dateOrder === 'DMY' ? 'day' : 'month'} first.`);
  }
  for (const { line, reason } of skipped.slice(0, maxSkippedShown)) {
    lines.push(`Skipped line ${line}: ${reason}`);
  }
  if (Number(reading.skippedCount ?? 0) > maxSkippedShown) {
    lines.push(`Rows skipped in all: ${formatCount(reading.skippedCount)}.`);
  }
  return lines;
}

function describeFindings({ isNewApp, similarApps = [], ...found }: ImportFindingsJson, app: string): string[] {
  const lines: string[] = [];
  if (isNewApp) {
    const near = similarApps.map((name) => JSON.stringify(name)).join(' or ');
    lines.push(`Made the new app ${JSON.stringify(app)}${near === '' ? '' : `; did you mean ${near}?`}`);
  }
  if (Number(found.unownedAccounts ?? 0) > 0) {
    const many =
      Number(found.ambiguousAccounts ?? 0) > 0 ? `, ${formatCount(found.ambiguousAccounts)} of them because they match several people` : '';
    lines.push(`Accounts without an owner: ${formatCount(found.unownedAccounts)}${many}. To set owners: countersign account assign --file`);
  }
  if (Number(found.formerAddressAccounts ?? 0) > 0) {
    lines.push(
      `Accounts whose owner was found by a former address: ${formatCount(found.formerAddressAccounts)}. Check that they are still theirs.`,
    );
  }
  if (Number(found.repeatedRows ?? 0) > 0) {
    lines.push(`Rows that repeat a grant of another row: ${formatCount(found.repeatedRows)}.`);
  }
  return lines;
}

/** The summary of an import that was done. */
export function describeImport(made: ImportJson): string[] {
  return [
    ...(Number(made.counts?.people?.disputed ?? 0) === 0
      ? []
      : ['Disputed rows stand for nobody until you say who they are: countersign identity disputed']),
    ...(made.findings === undefined ? [] : describeFindings(made.findings, made.source ?? '')),
    ...(made.reading === undefined ? [] : describeReading(made.reading)),
  ];
}

/** The counts of an import in one line. */
export function describeCounts(made: ImportJson, what: string): string {
  const disputed = Number(made.counts?.people?.disputed ?? 0);
  const more = disputed === 0 ? '' : `, ${formatCount(disputed)} disputed`;
  return `${formatCount(made.rows)} rows of ${what}: ${formatCount(made.added)} added, ${formatCount(made.changed)} changed, ${formatCount(made.removed)} removed, ${formatCount(made.unchanged)} unchanged${more}`;
}

/** Prints the warnings of an import, if it has any. */
export function printWarnings(io: CommandIo, made: ImportJson): void {
  const warnings = made.warnings ?? [];
  if (warnings.length > 0) {
    writeLines(
      io.stderr,
      `${formatCount(made.warningCount)} warnings:`,
      ...warnings.map((one) => describeNote(one)),
      ...(Number(made.warningCount) > warnings.length ? ['  ...'] : []),
    );
  }
}
