/** Words that systems write where they have nothing to say: one list for all columns. What such a word means in a column is said in odd-cells.ts and times.ts. */

/** Nobody and nothing is called so. */
const sure: ReadonlySet<string> = new Set(
  `null (null) <null> [null] {null} \\n nil (nil) <nil> undefined n/a (n/a) <n/a> n/v n/d (none) <none> [none] {none} (blank) <blank> [blank] (empty) <empty>
  [empty] (leer) <leer> (vide) <vide> (vacío) (vacio) (keine) (aucun) (aucune) (ninguno) <unset> (unset) (not_set) ? ??`
    .split(/\s+/)
    .concat([
      '(not set)',
      '<not set>',
      'not set',
      'not available',
      'not applicable',
      'nicht verfügbar',
      'nicht zutreffend',
      'non disponible',
    ]),
);

/** Something may be called so. */
const possible: ReadonlySet<string> = new Set(
  'none na n.a. k.a. nan unknown (unknown) <unknown> keine kein keiner unbekannt aucun aucune inconnu ninguno ninguna desconocido'.split(
    ' ',
  ),
);

/** The words, for those who look at the beginnings of millions of cells. */
export const wordsForNothing: readonly string[] = [...sure, ...possible];

/** True for a word for nothing that is never a name, such as `(null)`, `N/A` or dashes alone. */
export function isSurelyNothing(text: string): boolean {
  return sure.has(text.toLowerCase()) || /^[-–—]+$/.test(text);
}

/** True for a word for nothing, even if something could be called so, such as `None`. */
export function isNothing(text: string): boolean {
  return isSurelyNothing(text) || possible.has(text.toLowerCase());
}
