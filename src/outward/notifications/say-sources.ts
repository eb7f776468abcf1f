/** Text of a mail on a source to those who look after it. Nothing where all is well again. */
import type { Facts, NoticeRow } from './notices/index.ts';
import type { Said } from './say-review.ts';
import { countNoun, dayOf, plain, quoted, section, textIn } from './say-words.ts';
import { lastingTroubles } from './source-jobs.ts';

/** Says what is wrong with a source now, what works again, and which credentials of its connector end or are not used. */
export function saySource(sourceId: string, notices: readonly NoticeRow[], { subjects, linkTo, timeZone }: Facts): Said | undefined {
  const name = subjects.nameOf(sourceId);
  const trouble = subjects.troubleOf(sourceId);
  if (name === undefined || trouble === undefined) {
    return undefined;
  }
  const { failures, error, heldReason, staleSince } = trouble;
  const kinds = new Set(notices.map(({ kind }) => kind));
  const lasts = (kind: keyof typeof lastingTroubles): boolean => kinds.has(kind) && lastingTroubles[kind]?.(trouble) === true;
  const [held, failing, stale] = [lasts('SOURCE_HELD'), lasts('SOURCE_FAILING'), lasts('SOURCE_STALE')];
  const ends = notices.filter(({ kind }) => kind === 'SOURCE_CREDENTIAL_ENDS');
  const unused = notices.filter(({ kind }) => kind === 'SOURCE_CREDENTIAL_UNUSED');
  const recovered = kinds.has('SOURCE_RECOVERED') && lastingTroubles.SOURCE_FAILING?.(trouble) === false;
  const said: readonly (readonly [boolean, string, readonly string[]])[] = [
    [
      held,
      `A fetch of ${quoted(name)} is held`,
      [
        `A fetch is held, and nothing of it is imported. ${plain(heldReason ?? '', 1_000)}`,
        'Confirm it if that is right, or discard it. After 14 days it is discarded.',
      ],
    ],
    [
      failing,
      `Fetches of ${quoted(name)} fail`,
      [`${countNoun(failures, 'fetch', 'fetches')} failed in a row, and the data are as old as they were. ${plain(error, 1_000)}`],
    ],
    [
      stale,
      `The data of ${quoted(name)} are too old`,
      [`Its data have been too old since ${dayOf(staleSince ?? new Date(0), timeZone)}. Look whether it still delivers something new.`],
    ],
    [recovered, `Fetches of ${quoted(name)} work again`, ['Fetches work again.']],
    [
      ends.length > 0,
      `A credential of ${quoted(name)} ends`,
      ends.map(
        (one) => `The credential ${textIn(one, 'clientId')} of its connector ends on ${dayOf(new Date(textIn(one, 'endsAt')), timeZone)}.`,
      ),
    ],
    [
      unused.length > 0,
      `A credential of ${quoted(name)} is not used`,
      unused.map(
        (one) => `The credential ${textIn(one, 'clientId')} of its connector was not used for 90 days. Revoke it if nothing needs it.`,
      ),
    ],
  ];
  const parts = said.filter(([isSo]) => isSo);
  const [first] = parts;
  if (first === undefined) {
    return undefined;
  }
  return {
    subject: first[1],
    notices,
    section: section(
      `Source ${quoted(name)}`,
      parts.flatMap(([, , lines]) => lines),
      [],
      'Open the source',
      linkTo(`/sources/${sourceId}`),
    ),
  };
}
