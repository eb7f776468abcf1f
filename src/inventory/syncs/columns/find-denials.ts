/**
 * Columns that say of a row that it gives nothing: access that is denied, or was taken away. Such a row is no grant, and must not be read as one.
 */
import { plainName } from '../../../lib/names/plain-name.ts';
import { type Complain, isWrittenTime, quote, readOtherTime } from '../values/index.ts';

/** A column, and whether a value of it says that the row gives nothing. */
export interface Denial {
  readonly name: string;
  readonly at: number;
  readonly isDenied: (value: string) => boolean;
}

const flagNames: ReadonlySet<string> = new Set(['deny', 'denied', 'isdeny', 'isdenied']);
const wordNames: ReadonlySet<string> = new Set(
  'statedesc state permissionstate accesscontroltype allowdeny allowordeny grantdeny grantordeny effect permissiontype accesstype granttype action access'.split(
    ' ',
  ),
);
const endNames: ReadonlySet<string> = new Set(
  'deletedon deletedat deleteddate datedeleted revokedon revokedat revokeddate daterevoked removedon removedat removeddate dateremoved'.split(
    ' ',
  ),
);

/** Of columns that nothing else is read from, those that may say so. */
export function findDenials(others: readonly { readonly name: string; readonly at: number }[]): readonly Denial[] {
  return others.flatMap(({ name, at }) => {
    const plain = plainName(name);
    const isDenied = flagNames.has(plain)
      ? (value: string) => /^(true|t|yes|y|1|x|deny|denied)$/i.test(value)
      : wordNames.has(plain)
        ? (value: string) => /^(deny|denied)$/i.test(value)
        : endNames.has(plain)
          ? isTime
          : undefined;
    return isDenied === undefined ? [] : [{ name, at, isDenied }];
  });
}

/** Notes of a row that it gives nothing, where a column says so. */
export function complainOfDenial(denials: readonly Denial[], row: readonly string[], complain: Complain): void {
  for (const { name, at, isDenied } of denials) {
    const value = (row[at] ?? '').trim();
    if (value !== '' && isDenied(value)) {
      complain(
        name,
        `${quote(value)} says that this access is denied or was taken away, so the row is no grant: leave such rows out of the file, or pass map=ignore=${name} if it means something else`,
      );
    }
  }
}

function isTime(value: string): boolean {
  const read = readOtherTime(value, 'DMY') ?? readOtherTime(value, 'MDY');
  return isWrittenTime(value) || (read !== undefined && read.text !== '');
}
