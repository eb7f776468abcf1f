/** The size of a file in words. */
import { locale } from './text.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `38 kB`, `846 bytes`. */
export function bytes(size: number): string {
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    // In short, English says `846 byte`.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}
