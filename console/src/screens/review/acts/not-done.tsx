/** Items of a review that something was not done to, each with why. */
import type { Item } from '~/app/reviews/item.ts';
import type { NotDone as Refused } from '~/data/act-on-each.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';

/** More of them stay selected. */
const most = 8;

interface NotDoneProps {
  /** Items that it was done to. */
  readonly done: number;
  readonly notDone: readonly Refused<Item>[];
}

export function NotDone({ done, notDone }: NotDoneProps) {
  if (notDone.length === 0) {
    return null;
  }
  return (
    <Note kind="fault">
      {done === 0 ? null : <p>{text('review.actDone', { count: done })}</p>}
      <p>{text('review.actRefused', { count: notDone.length })}</p>
      {notDone.slice(0, most).map(({ one, message }) => (
        <p key={one.id}>{text('review.actRefusedOne', { right: one.entitlement, who: one.person || one.account, message })}</p>
      ))}
      {notDone.length > most ? <p>{text('review.andMore', { count: notDone.length - most })}</p> : null}
    </Note>
  );
}
