/** Words of the server on an act that it refused; nothing where it did not. */
import { errorMessage } from '~/data/act.ts';
import { Note } from '~/parts/states/note.tsx';

export function Fault({ of }: { of: unknown }) {
  return of === null || of === undefined ? null : <Note kind="fault">{errorMessage(of)}</Note>;
}
