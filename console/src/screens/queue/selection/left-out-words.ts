/** Items of a selection that cannot be decided with the others, each with why. */
import { holderOf, rightOf } from '~/data/queue/state/standing.ts';
import type { LeftOut } from '~/data/queue/state/targets.ts';
import { nameBy } from '~/text/name-by.ts';
import { text } from '~/text/text.ts';

/** The most that are named in one message. */
const mostNamed = 3;

/** An item, and why it is left out. */
export function sayLeftOut({ kind, row }: LeftOut): string {
  if (row === undefined) {
    return text('queue.leftUnknown');
  }
  const of = { what: rightOf(row), who: holderOf(row) };
  switch (kind) {
    case 'others':
      return text('queue.leftOthers', { ...of, name: nameBy(row.decidedBy, row.decidedIssuer) || text('queue.somebody') });
    case 'mine':
      return text('queue.leftMine', of);
    case 'forbidden':
      return text('queue.leftForbidden', of);
    default:
      return text('queue.leftGone', of);
  }
}

/** What was done to the others, and the items that were left out of it. */
export function sayWithLeftOut(done: string, left: readonly LeftOut[]): string {
  const rest = left.length - mostNamed;
  const items = [...left.slice(0, mostNamed).map(sayLeftOut), ...(rest > 0 ? [text('queue.andMore', { count: rest })] : [])].join(' ');
  return text('queue.saidLeftOut', { done, items });
}
