/** Ages as people write them, and as the API has them: whole seconds. */

/** Unit of an age. */
export type AgeUnit = 'hours' | 'days';

const secondsIn: Readonly<Record<AgeUnit, number>> = { hours: 3600, days: 86_400 };

/** Returns an age such as "86400s" in the largest unit that it is whole in; in hours where it is in none. */
export function ageOf(duration: string): { readonly count: number; readonly unit: AgeUnit } {
  const seconds = Number(duration.replace(/s$/, ''));
  const unit = seconds % secondsIn.days === 0 ? 'days' : 'hours';
  return { count: Math.round(seconds / secondsIn[unit]), unit };
}

/** Returns so many hours or days as the API has them. */
export function secondsOf(count: string, unit: AgeUnit): string {
  return `${Number(count.trim()) * secondsIn[unit]}s`;
}
