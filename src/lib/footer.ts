/**
 * Rows at the end of a report that are no rows of its table: totals, and notes about who made it. Only what says so is one: a last row that was
 * cut off is none.
 */

const total =
  /^(grand\s+|sub-?)?(total|totals|sum|summe|gesamt|gesamtsumme|gesamtanzahl|anzahl|count|suma|somme)(\s+(of\s+)?(users|accounts|records|rows|members|entries|benutzer|zeilen|lignes|filas|usuarios|utilisateurs))?\s*([:=]?\s*[\d.,]+(\s+\p{L}+)?)?\s*[:=]?$/iu;
const note =
  /^(\(?\d+\s+(rows?|records?|users?|entries|results|accounts|members|zeilen|datensätze|benutzer|lignes|filas|registros)\b.*|(end|ende|fin)\s+(of|des|der|du|del)\s+(the\s+)?(report|file|export|list|berichts?|rapport|informe|liste).*|(report|export|file|generated|exported|created|erstellt|exportiert|généré|generado)\s+(generated|created|exported|by|on|at|am|von|le|par|el|por|date|time)\b.*|(confidential|vertraulich|confidentiel|confidencial)\b.*|(page|seite|página)\s+\d+.*|copyright\b.*|©.*|[-=_*#]{3,}.*)$/i;

const space = 32;
const maxCells = 4;

/** True if a row is a total or a note: a word that says so, and nothing beside it but numbers. */
export function isFooter(row: readonly string[]): boolean {
  let filled = 0;
  for (const cell of row) {
    // Asked of each row of a file, of which nearly none is one: a cell that begins with a letter or a digit holds something.
    filled += cell !== '' && cell.charCodeAt(0) > space ? 1 : 0;
    if (filled > maxCells) {
      return false;
    }
  }
  const [first, ...others] = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (first === undefined || others.length >= maxCells) {
    return false;
  }
  return (total.test(first) && others.every((cell) => /^[\d.,\s]+$/.test(cell))) || (others.length === 0 && note.test(first));
}
