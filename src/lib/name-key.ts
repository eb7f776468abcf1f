/**
 * What names are distinguished by where one of a kind has each.
 */

/** The key of a name: the same in whatever case, with whatever spaces around it, and however its accents are written. */
export function getNameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}
