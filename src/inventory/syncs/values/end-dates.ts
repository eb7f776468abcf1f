/**
 * The day on which an account ends by what its system says: columns that hold it, and whether it is over.
 */
import type { DateOrder } from './mapping.ts';
import { readOtherTime } from './times.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Names that can only mean the end of an account, as plainName of lib/names/plain-name.ts has them. */
const plainNames = words(
  `userenddate accountenddate useraccountenddate accountexpires accountexpireson accountexpiration accountexpirationdate accountexpiry accountexpirydate
  accountvalidto accountvaliduntil userexpires userexpirationdate userexpirydate uservalidto uservaliduntil kontogultigbis kontoablaufdatum
  benutzergultigbis benutzerablaufdatum compteexpirele cuentaexpira`,
);
/** Names that as often mean the end of a single grant: used where a mapping says that they are of the account. */
const possibleNames = words(
  'gltgb validto validuntil enddate expires expireson expirationdate expirydate gultigbis ablaufdatum valableau validohasta',
);

/** Names of the day on which a person leaves. */
const exitNames = words(
  `exitdate leavedate leavingdate leaverdate departuredate separationdate terminationdate employmentenddate lastday lastdayofwork lastworkingday lastworkingdate
  austrittsdatum austritt austrittam datumaustritt datedesortie datesortie datededepart datedepart fechadebaja fechabaja fechadesalida fechasalida fechadecese`,
);

/** True if a column of this plain name says when a person leaves. */
export function isExitName(plain: string): boolean {
  return exitNames.has(plain);
}

/** True if a column of this plain name says by itself when an account ends. */
export function isEndName(plain: string): boolean {
  return plainNames.has(plain);
}

/** True if a column of this plain name can say when an account ends. */
export function canBeEndName(plain: string): boolean {
  return plainNames.has(plain) || possibleNames.has(plain);
}

const dayMs = 86_400_000;

/** True if an end is over, the day itself still being valid; undefined for one that cannot be read, or is over only in one order of day and month. */
export function isOver(text: string, order: DateOrder | undefined, now: Date): boolean | undefined {
  const found = (order === undefined ? (['DMY', 'MDY'] as const) : [order]).map((one) => {
    const read = readOtherTime(text, one);
    if (read === undefined || read.as === 'either') {
      // RFC 3339 with a zone is not among the other forms.
      const at = Date.parse(text);
      return Number.isNaN(at) ? undefined : at <= now.getTime();
    }
    const end = Date.parse(read.text) + (read.text.endsWith('T00:00:00Z') ? dayMs : 0);
    return read.text !== '' && end <= now.getTime();
  });
  return found.every((one) => one === found[0]) ? found[0] : undefined;
}
