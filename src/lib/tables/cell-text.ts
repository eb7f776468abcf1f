/** Text of a cell as spreadsheets write it into files, whatever the file is: CSV and Excel files are read by the same rules. */

const equals = 61;

/** The text that a cell holds as a formula, so that a spreadsheet keeps its zeros: `="00123"` is `00123`. Any other text is returned as it is. */
export function unwrapText(text: string): string {
  if (text.charCodeAt(0) !== equals) {
    return text;
  }
  const inner = /^="((?:[^"]|"")*)"$/.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

const errorWords = `NULL! DIV/0! VALUE! REF! NAME? NUM! N/A GETTING_DATA SPILL! CONNECT! BLOCKED! UNKNOWN! FIELD! CALC! BUSY! EXTERNAL! PYTHON! TIMEOUT! ERROR! ADDIN? MACRO?
  WERT! BEZUG! ZAHL! NV DATEN_ABRUFEN ÜBERLAUF! VERBINDEN! BLOCKIERT! UNBEKANNT! FELD! KALK!
  NUL! VALEUR! NOM? NOMBRE! CHARGEMENT_DONNEES EPARS! PROPAGATION! CONNEXION! BLOQUE! INCONNU! CHAMP! OBTENTION_DONNEES
  ¡NULO! ¡DIV/0! ¡VALOR! ¡REF! ¿NOMBRE? ¡NUM! N/D OBTENIENDO_DATOS ¡DESBORDAMIENTO! ¡CONECTAR! ¡BLOQUEADO! ¡DESCONOCIDO! ¡CAMPO! ¡CALC! NULO! VALOR! NOMBRE? DESBORDAMIENTO!
  NULLO! VALORE! RIF! NOME? ESTRAZIONE_DATI ESPANSIONE! NÚM! OBTENDO_DADOS DESPEJAR! LEEG! DEEL/0! WAARDE! VERW! NAAM? GETAL! N/B OVERLOOP!
  ZERO! DZIEL/0! ARG! ADR! NAZWA? LICZBA! N/D! SKÄRNING! DIVISION/0! VÄRDEFEL! REFERENS! NAMN? OGILTIGT! SAKNAS! VÆRDI! REFERENCE! NAVN? I/T VERDI!
  TYHJÄ! JAKO/0! ARVO! VIITTAUS! NIMI? LUKU! PUUTTUU! BOŞ! SAYI/0! DEĞER! BAŞV! AD? SAYI! YOK ПУСТО! ДЕЛ/0! ЗНАЧ! ССЫЛКА! ИМЯ? ЧИСЛО! Н/Д`;
const errors: ReadonlySet<string> = new Set(errorWords.split(/\s+/).map((word) => `#${word}`));

const asCorrected = 'correct its formula, or clear it';

/** What is wrong with a cell that holds an error of a spreadsheet. */
export function describeErrorCell(error: string): string {
  return `the cell holds the error ${error.slice(0, 30)}; ${asCorrected}`;
}

/**
 * Says what is wrong with a text that a spreadsheet shows where it has nothing to show: an error in the languages of Excel, or the signs of a column
 * that was too narrow. Undefined for any other text.
 */
export function findErrorValue(text: string): string | undefined {
  const value = text.trim();
  if (/^#{4,}$/.test(value)) {
    return `the cell holds ${value.slice(0, 30)}, which Excel shows where a column is too narrow; widen the column, and save the file again`;
  }
  return errors.has(value.toUpperCase()) || /^Err:5\d\d$/.test(value) ? describeErrorCell(value) : undefined;
}

/**
 * True if a text is a number as spreadsheets shorten it: one digit, the others behind a point or a comma, and a power of ten with its sign
 * (`1.23457E+15`). `1E5` and `12E34` are names.
 */
export function isShortenedNumber(text: string): boolean {
  return /^\s*-?\d(?:[.,]\d+)?e[+-]\d{2,3}\s*$/i.test(text);
}
