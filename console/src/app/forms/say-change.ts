/** A change of somebody else in words: who made it, and when. */
import type { OtherChange } from '~/data/change.ts';
import { relative } from '~/text/format.ts';
import { text } from '~/text/text.ts';

export function sayChange({ by, isOwn, at }: OtherChange): string {
  const when = at === undefined ? '' : relative(new Date(at));
  return isOwn ? text('changed.own', { when }) : by === '' ? text('changed.unknown', { when }) : text('changed.said', { who: by, when });
}
