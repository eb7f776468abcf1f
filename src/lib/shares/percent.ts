/** Shares in percent, rounded down: 100 % is said of all alone, and 0 % of nothing alone. */

/** Returns a share in percent, rounded down to so many digits; less than 100 for a part that is less than the whole. */
export function floorPercent(part: number, whole: number, digits = 0): number {
  if (whole === 0) {
    return 0;
  }
  const unit = 10 ** digits;
  // 0.29 of 1 is 29, though 0.29 * 100 is a little less.
  const units = Math.floor(Number(((part * 100 * unit) / whole).toFixed(6)));
  return (part < whole ? Math.min(units, 100 * unit - 1) : units) / unit;
}

/** Returns the least share that so many digits can say, where a part is something but less than that; undefined for any other. */
export function leastPercent(part: number, whole: number, digits = 0): number | undefined {
  return part > 0 && floorPercent(part, whole, digits) === 0 ? 10 ** -digits : undefined;
}

/** Returns a share in words: `44 %`, `<1 %`. */
export function sayPercent(part: number, whole: number, digits = 0): string {
  const least = leastPercent(part, whole, digits);
  return least === undefined ? `${floorPercent(part, whole, digits).toFixed(digits)} %` : `<${least.toFixed(digits)} %`;
}
