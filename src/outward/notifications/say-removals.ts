/** Text of a mail about an app's removals to one person. Nothing where nothing is left to say. */
import type { RemovalKind } from './notices/index.ts';
import type { SaySubject } from './say-subjects.ts';
import { countNoun, listOfNames, quoted, section } from './say-words.ts';

/** Phrases some removals for a kind of notice: a subject without its place, and sentences. */
export function sayRemovals(kind: RemovalKind, count: number): { readonly subject: string; readonly lines: readonly string[] } {
  const removals = countNoun(count, 'removal');
  const are = count === 1 ? 'is' : 'are';
  switch (kind) {
    case 'REMOVALS_OVERDUE':
      return {
        subject: `${removals} ${are} overdue`,
        lines: [`${removals} of denied access ${are} overdue. The access stays until somebody removes it.`],
      };
    case 'REMOVALS_REAPPEARED':
      return {
        subject: `${countNoun(count, 'removed grant')} ${are} back`,
        lines: [`${removals} ${count === 1 ? 'was' : 'were'} proven, and a later sync has the access again. Find out who granted it.`],
      };
    case 'REMOVALS_TO_APPROVE':
      return {
        subject: `${removals} ${count === 1 ? 'waits' : 'wait'} for your approval`,
        lines: [`${removals} of access ${count === 1 ? 'begins' : 'begin'} only when you approve. Nobody removes the access before.`],
      };
    case 'REMOVALS_REQUESTED':
      return {
        subject: `${removals} ${count === 1 ? 'waits' : 'wait'} for you`,
        lines: [
          `Access was denied, and ${removals} ${count === 1 ? 'waits' : 'wait'} for you. Remove the access in the app; a later sync proves that it is gone.`,
        ],
      };
  }
}

/** Says how the removals of an app stand, as a kind of notice asks. */
export const sayRemovalsOfApp =
  (kind: RemovalKind): SaySubject =>
  (appId, notices, { subjects, linkTo }) => {
    const name = subjects.nameOf(appId);
    const found = subjects.removalsOf(kind, appId);
    if (name === undefined || found === undefined) {
      return undefined;
    }
    const { subject, lines } = sayRemovals(kind, found.count);
    return {
      subject: `${subject} in ${quoted(name)}`,
      notices,
      section: section(`Removals in ${quoted(name)}`, lines, listOfNames(found), 'See the removals', linkTo(`/revocations?app=${appId}`)),
    };
  };
