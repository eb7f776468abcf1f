/** Counts of the contract: 64-bit numbers come as text, and 0 is left out. */
export function count(value: string | number | undefined): number {
  return value === undefined ? 0 : Number(value);
}
