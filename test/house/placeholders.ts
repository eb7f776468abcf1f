/** Places for placeholder numbers in SQL: beside the values they stand for, and nowhere else. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile, stringsOf, withoutComments } from './tree.ts';

/** The library of pieces numbers values; the database takes what it numbered. */
const mayNumber = (path: string): boolean => path === 'src/lib/sql.ts' || path.startsWith('src/db/');

const sentence = 'SQL is put together from pieces that carry their values (src/lib/sql.ts)';

/** Code that makes the number of a placeholder: a template with a dollar sign before its value, or such a text with something added. */
export function builtPlaceholders(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !mayNumber(file.path))
    .filter((file) => /\$\$\{|\$(['"`])\s*\+|\$(['"`])\.concat\(/.test(withoutComments(file.text)))
    .map((file) => `${file.path}: no code numbers a placeholder: ${sentence}`);
}

/** Texts that are a placeholder and nothing else: what one function hands another, so that it must know how the other counts. */
export function passedPlaceholders(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !mayNumber(file.path))
    .flatMap((file) =>
      stringsOf(file.text)
        .filter((text) => /^[\s(]*\$\d+(?:::\w+(?:\[\])?)?[\s)]*$/.test(text))
        .map((text) => `${file.path}: '${text}': no function is given a placeholder: ${sentence}`),
    );
}

/** Exported texts with a placeholder: another file would have to know what it stands for. Functions that run their own SQL are none. */
export function exportedPlaceholders(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && !mayNumber(file.path))
    .flatMap((file) =>
      withoutComments(file.text)
        .split(/^(?=export |const |let |function |async |class |interface |type )/m)
        .filter((declared) => /^export\s/.test(declared) && !/\b(?:rows|maybe|one|column|maybeValue|value|run)(?:<|\()/.test(declared))
        .filter((declared) => stringsOf(declared).some((text) => /\$\d/.test(text)))
        .map((declared) => `${file.path}: ${/(\w+)\s*[(=:]/.exec(declared)?.[1]}: no exported text has a placeholder: ${sentence}`),
    );
}
