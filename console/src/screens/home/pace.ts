/** Time waiting work takes at the pace of the person, in words. Pure. */
import { text } from '~/text/text.ts';

/** Empty where the pace is not known or nothing waits. Minutes are rounded up; from 90 on it is hours. */
export function sayPace(waiting: number, secondsPerDecision: number): string {
  if (waiting === 0 || !(secondsPerDecision > 0)) {
    return '';
  }
  const minutes = Math.ceil((waiting * secondsPerDecision) / 60);
  return minutes < 90 ? text('home.paceMinutes', { minutes }) : text('home.paceHours', { hours: Math.round(minutes / 60) });
}
