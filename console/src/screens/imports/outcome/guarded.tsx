/** Refusals of the guard against removals: figures, what to look at, and that it is meant. */
import { Checkbox } from '~/parts/controls/checkbox.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import type { TooMuch } from './refusal.ts';
import type { ImportState } from '~/screens/imports/use-import.ts';

export function Guarded({ state, tooMuch }: { state: ImportState; tooMuch: TooMuch }) {
  const figures = { removed: tooMuch.removed, total: tooMuch.total };
  return (
    <>
      <Note kind="warn">
        <strong>{state.target.kind === 'people' ? text('imports.tooMuchPeople', figures) : text('imports.tooMuch', figures)}</strong>
        <p>{text('imports.tooMuchShare', { found: tooMuch.found, share: tooMuch.share })}</p>
        <p>{text('imports.tooMuchNext')}</p>
      </Note>
      <Checkbox label={text('imports.meant', { count: tooMuch.removed })} checked={state.isMeant} onChange={state.setMeant} />
    </>
  );
}
