/** Keys of names, where only one of a kind may have each. */

/** The key of a name: the same in whatever case, with whatever spaces around it, and however its accents are written. */
export function getNameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
