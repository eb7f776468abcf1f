/** Names of columns for comparison, however a system spells them. */

/** A name by its letters and digits, without accents and without what stands in brackets: `E-Mail [Required]` and `e_mail` are one. */
export function plainName(name: string): string {
  // Most names are plain but for their case, and a file may have tens of thousands.
  if (/^[a-z0-9]*$/i.test(name)) {
    return name.toLowerCase();
  }
  const bare = name.replace(/\[[^\]]*\]|\([^)]*\)/g, '');
  return (bare.trim() === '' ? name : bare)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}#]/gu, '');
}
