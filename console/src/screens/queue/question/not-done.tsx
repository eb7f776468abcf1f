/** Items that something was not done to, each with why. */
import type { NotDone as Refused } from '~/data/act-on-each.ts';
import { holderOf, rightOf } from '~/data/queue/state/standing.ts';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { useQueue } from '~/screens/queue/use-queue.ts';

/** More of them are in the list, still selected. */
const most = 8;

interface NotDoneProps {
  /** What was done to the others; empty where nothing was. */
  readonly done: string;
  /** The tasks, by id. */
  readonly notDone: readonly Refused<string>[];
}

export function NotDone({ done, notDone }: NotDoneProps) {
  const { store } = useQueue();
  if (notDone.length === 0) {
    return null;
  }
  const rest = notDone.length - most;
  return (
    <Note kind="fault">
      {done === '' ? null : <p>{done}</p>}
      {notDone.slice(0, most).map(({ one, message }) => {
        const row = store.state.rows.byId.get(one);
        return <p key={one}>{row === undefined ? message : text('queue.notDone', { what: rightOf(row), who: holderOf(row), message })}</p>;
      })}
      {rest > 0 ? <p>{text('queue.andMore', { count: rest })}</p> : null}
    </Note>
  );
}
