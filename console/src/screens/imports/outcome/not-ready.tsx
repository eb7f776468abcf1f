/** What is still to be said of a file before it can be imported: a column, the meaning of words, or whatever else the server says. */
import { Name } from '~/parts/words/name.tsx';
import { Note } from '~/parts/states/note.tsx';
import { text } from '~/text/text.ts';
import { fieldWord } from '~/screens/imports/file/columns.tsx';
import { type Inspection, type Mapping, withoutProposal } from '~/screens/imports/file/mapping.ts';
import { readUnknown } from './refusal.ts';

export function NotReady({ found, mapping }: { found: Inspection; mapping: Mapping }) {
  const { reason = '', rows = [], doubts = [], missing = [] } = found;
  const said = [reason, ...doubts, ...rows.flatMap(({ errors = [] }) => errors)];
  const unknown = readUnknown(said).filter(({ column, value }) => mapping[`${column}:${value}`] === undefined);
  const unsaid = missing.filter((field) => mapping[field] === undefined);
  if (found.isReady === true && unknown.length === 0) {
    return null;
  }
  const words = [
    ...(unsaid.length > 0 ? [text('imports.missing', { fields: unsaid.map(fieldWord).join(', ') })] : []),
    ...(unknown.length > 0
      ? [text('imports.unknownWords', { count: unknown.length, words: unknown.map(({ value }) => value).join(', ') })]
      : []),
  ];
  // What the page has a field for is said with the field; all else as the server says it.
  const shown = words.length > 0 ? words : reason === '' ? [] : [withoutProposal(reason)];
  return shown.map((one) => (
    <Note key={one} kind="warn">
      <Name>{one}</Name>
    </Note>
  ));
}
