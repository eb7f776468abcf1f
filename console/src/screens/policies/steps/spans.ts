/** Spans of time as a form shows them: a number, and the largest unit that divides them. */
import { type PlainTextKey, text } from '~/text/text.ts';

/** The units by their seconds, the largest first. */
export const units = [
  { seconds: 86_400, word: 'policies.unitDays' },
  { seconds: 3_600, word: 'policies.unitHours' },
  { seconds: 60, word: 'policies.unitMinutes' },
] as const satisfies readonly { seconds: number; word: PlainTextKey }[];

/** The seconds of a duration as the API has it, such as "86400s" or "86400"; 0 where there is none. */
export function spanSeconds(duration: string | undefined): number {
  const seconds = Number.parseFloat(duration ?? '0');
  return Number.isFinite(seconds) ? seconds : 0;
}

/** The largest unit that divides this span; days for none. */
export function unitOf(seconds: number): (typeof units)[number] {
  return units.find((unit) => seconds % unit.seconds === 0) ?? units[2];
}

/** A span in words, such as "3 days". */
export function spanWords(seconds: number): string {
  const unit = unitOf(seconds);
  const count = Math.round((seconds / unit.seconds) * 100) / 100;
  return text(unit.seconds === 86_400 ? 'policies.days' : unit.seconds === 3_600 ? 'policies.hours' : 'policies.minutes', { count });
}
