/** What the server said of an act that it refused; nothing where it did not. */
import { messageOf } from '../../../data/act.ts';
import { Note } from '../../../parts/note.tsx';

export function Fault({ of }: { of: unknown }) {
  return of === null || of === undefined ? null : <Note kind="fault">{messageOf(of)}</Note>;
}
