/**
 * Rows of a report that are no rows of its table: totals and notes at its end, numbers of pages, lines of dashes, and rows without anything. Only what
 * says so is one: a last row that was cut off is none.
 */

const count =
  '(users|accounts|records|rows|members|entries|results|people|benutzer|zeilen|datensätze|einträge|lignes|filas|registros|usuarios|utilisateurs)';
const total = new RegExp(
  `^((grand\\s+|sub-?)?(total|totals|sum|summe|gesamt|gesamtsumme|gesamtanzahl|zwischensumme|anzahl|count|suma|somme)(\\s+(of\\s+|number\\s+of\\s+|de\\s+|der\\s+)?${count})?|number\\s+of\\s+${count}|rows|records|datensätze)\\s*([:=]?\\s*[\\d.,]+(\\s+\\p{L}+)?)?\\s*[:=]?$`,
  'iu',
);
/** What a person or a program did with a report. */
const done =
  '(reviewed|prepared|approved|checked|signed(\\s+off)?|certified|confirmed|generated|exported|created|printed|extracted|produced|requested|run|executed|erstellt|exportiert|gedruckt|geprüft|freigegeben|genehmigt|généré|exporté|imprimé|vérifié|approuvé|généré|generado|exportado|impreso|revisado|aprobado)';
const link = '(by|on|at|from|am|von|le|par|el|por|date|time|datum|durch)';
const notes = [
  `\\(?\\d+\\s+(rows?|records?|users?|entries|results|accounts|members|zeilen?|datensätze|benutzer|lignes?|filas?|registros?)\\b.*`,
  `(end|ende|fin)\\s+(of|des|der|du|del)\\s+(the\\s+)?(report|file|export|list|data|berichts?|rapport|informe|liste|listado).*`,
  `((report|export|file|list|bericht|liste|rapport|informe)\\s+)?${done}\\s+${link}\\b.*`,
  `(report|export|file|run)\\s+${link}\\b.*`,
  `(confidential|vertraulich|confidentiel|confidencial|for\\s+internal\\s+use|internal\\s+use\\s+only|nur\\s+für\\s+den\\s+internen\\s+gebrauch|all\\s+rights\\s+reserved|completion\\s+time|elapsed|disclaimer)\\b.*`,
  `(notes?|remarks?|hinweise?|anmerkung|bemerkung|remarque|nota|source|quelle|filters?|legend|legende|stand|date|datum|fecha|signature|unterschrift|firma|reviewer|prüfer)\\s*:.*`,
  `(ort,\\s*datum|date\\s+and\\s+signature|datum\\s+und\\s+unterschrift)\\b.*`,
  `(the\\s+command\\s+completed\\s+successfully|der\\s+befehl\\s+wurde\\s+erfolgreich\\s+ausgeführt|pl/sql\\s+procedure\\s+successfully\\s+completed)\\.?`,
  `(sql|mysql|psql)>.*`,
  `copyright\\b.*|©.*|[-=_*#]{2,}.*`,
];
const note = new RegExp(`^(${notes.map((pattern) => `(${pattern})`).join('|')})$`, 'iu');
/** A label whose value stands in the next cell. */
const label = new RegExp(
  `^(((report|list)\\s+)?${done}\\s+${link}|(run|print|report|export)\\s+date|(notes?|hinweis|source|quelle|filter|stand|date|datum|fecha|signature|unterschrift|firma|reviewer|prüfer)\\s*:)\\s*:?$`,
  'iu',
);
const page = /^-*\s*(page|seite|página|pagina|pág\.|p\.)\s*:?\s*\d+(\s*(of|von|de|sur|\/)\s*\d+)?\s*-*$/iu;
const dashes = /^[-=+_*|:\s]+$/;
/** A ruler begins with one of these; hardly any other row does. */
const dashCodes: ReadonlySet<number> = new Set([...'-=+_*|:'].map((dash) => dash.charCodeAt(0)));

const space = 32;
const comma = 44;
const nine = 57;
const maxCells = 4;

/** Kind of row that is none of the table. */
export type OtherRow = 'BLANK' | 'RULER' | 'PAGE' | 'NOTE';

/** Characters that say nothing: white space, what nobody sees, and the end of a file of DOS. */
const nothing = /^[\s\p{Cc}\u200b-\u200f\u2060\ufeff]*$/u;

/** True if no cell of a row holds anything. */
function isBlankRow(row: readonly string[]): boolean {
  return row.every((cell) => cell === '' || nothing.test(cell));
}

/** True for a row that has too much in it to be any other than one of a table: asked first of each row of a file. */
export function isWide(row: readonly string[]): boolean {
  const code = row[0]?.charCodeAt(0) ?? 0;
  if (row.length <= maxCells || !(code > space) || dashCodes.has(code)) {
    return false;
  }
  let filled = 0;
  for (let index = 0; index < row.length && filled <= maxCells; index++) {
    const cell = row[index] as string;
    filled += cell.length > 0 && cell.charCodeAt(0) > space ? 1 : 0;
  }
  return filled > maxCells;
}

/** Kind of a row that is none of a table, wherever it stands; undefined for a row that may be one of it. */
export function kindOfOther(row: readonly string[]): OtherRow | undefined {
  let filled = 0;
  let isDashed = false;
  let last = 0;
  for (const cell of row) {
    // Asked of each row of a file, of which nearly none is one: a cell that begins with a letter or a digit holds something.
    if (cell !== '' && cell.charCodeAt(0) > space) {
      last = cell.charCodeAt(0);
      isDashed ||= filled === 0 && dashCodes.has(last);
      filled++;
      if (filled > maxCells && !isDashed) {
        return undefined;
      }
    }
  }
  // Three cells are a total, with nothing but numbers behind its word, or dashes.
  if (filled > 2 && !isDashed && (last < comma || last > nine)) {
    return undefined;
  }
  if ((filled === 0 || row.length === 1) && isBlankRow(row)) {
    return 'BLANK';
  }
  const [first, ...others] = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (first === undefined) {
    return 'BLANK';
  }
  if (isDashed && [first, ...others].every((cell) => dashes.test(cell)) && [first, ...others].some((cell) => cell.length > 2)) {
    return 'RULER';
  }
  if (others.length >= maxCells) {
    return undefined;
  }
  if (others.length === 0 && page.test(first)) {
    return 'PAGE';
  }
  const isTotal = total.test(first) && others.every((cell) => /^[\d.,\s]+$/.test(cell));
  const isNote = (others.length === 0 && note.test(first)) || (others.length === 1 && label.test(first));
  return isTotal || isNote ? 'NOTE' : undefined;
}
