/** Whole seconds in words; less than one is not none. */
import { number } from '~/text/format.ts';

export function saySeconds(seconds: number): string {
  return seconds > 0 && seconds < 1 ? `<${number(1)}` : number(Math.round(seconds));
}
