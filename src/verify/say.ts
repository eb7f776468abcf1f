/** Sentences of a verification that holds: what was shown, with its numbers, and what must be believed. */
import type { AnchorCounts } from './anchors.ts';
import type { EventCounts } from './events.ts';
import type { Seal } from './log.ts';
import type { Bundle } from './members.ts';
import type { People } from './people.ts';
import type { VerdictReplay } from './replay.ts';
import type { Counted } from './rows.ts';
import type { Signatures } from './signatures.ts';

/** Numbers of what was erased. */
export interface Erased {
  readonly events: number;
  readonly people: number;
  /** Rows whose events were erased. */
  readonly rows: number;
  readonly tokens: number;
}

/** All that was found out about a bundle. */
export interface Facts {
  readonly bundle: Bundle;
  readonly seal: Seal;
  readonly stampedAt: Date | undefined;
  readonly events: EventCounts;
  readonly signatures: Signatures;
  readonly people: People;
  readonly counted: Counted;
  /** Rows that are as they were logged. */
  readonly rows: number;
  readonly erased: Erased;
  /** Grants that the sums account for. */
  readonly accounted: number;
  /** Checkpoints that others hold. */
  readonly anchors: AnchorCounts;
  /** Verdicts that were worked out anew; undefined where the bundle does not say all that they follow from. */
  readonly replayed: VerdictReplay | undefined;
  /** True if a checkpoint was given that somebody kept. */
  readonly kept: boolean;
}

const number = (value: number): string => value.toLocaleString('en');
const plural = (count: number, one: string, many = `${one}s`): string => `${number(count)} ${count === 1 ? one : many}`;

/** Returns what was shown. */
export function sayHeld({
  bundle,
  seal,
  stampedAt,
  events,
  signatures,
  people,
  counted,
  rows,
  accounted,
  replayed,
  anchors,
  kept,
}: Facts): string[] {
  const { manifest } = bundle;
  const outcomes = [...counted.outcomes].map(([outcome, count]) => `${number(count)} ${outcome.toLowerCase().replaceAll('_', ' ')}`);
  return [
    `The bundle of review ${manifest.review} is whole: every byte of it is under the seal at position ${seal.event?.position ?? '?'} of the log ${manifest.origin}.`,
    ...(stampedAt === undefined ? [] : [`A time stamp server saw the seal at ${stampedAt.toISOString()}.`]),
    `The log of ${number(seal.sealed?.size ?? 0)} events that holds the seal begins with the log of ${number(seal.checkpoint?.size ?? 0)} events that holds the review.`,
    ...(kept ? ['The log begins as it did in the checkpoint that was kept outside.'] : []),
    ...(anchors.held === 0
      ? []
      : [
          `${plural(anchors.held, 'checkpoint')} that others hold of the log are of this one, ${number(anchors.proven)} with their word over it.`,
        ]),
    `All ${number(events.ofReview)} events of the review are here, none is missing between the first and the last.`,
    `${plural(events.all, 'event')} and ${plural(rows, 'row')} are as they were logged.`,
    `${plural(people.count, 'person', 'people')} and ${plural(counted.comments, 'comment')} are those that were recorded.`,
    `${plural(accounted, 'grant')} add up: ${number(counted.items)} in scope, each with one item, and the rest left out for a reason.`,
    ...(replayed === undefined
      ? []
      : [`The rules of the review give the verdict on ${plural(replayed.counts.same, 'grant')} that the bundle has, worked out anew.`]),
    `${plural(counted.items, 'item')}: ${outcomes.join(', ')}, by ${plural(counted.decisions, 'decision')}.`,
    ...signatures.list.map((one) => {
      const name = people.names.get(one.signer) ?? one.signer;
      const when = one.stamp === undefined ? '' : ` at ${one.stamp.at.toISOString()} (time stamp of ${one.stamp.server})`;
      const how =
        one.token === undefined
          ? one.isTokenErased
            ? ', signed in by an ID token that was erased and is not verified any more'
            : ''
          : `, signed in at ${one.token.issuer}${one.token.email === '' ? '' : ` as ${one.token.email}`}`;
      const what = one.isAcknowledgement ? 'that the decisions of others are acknowledged' : plural(one.decisions, 'decision');
      return `${name} signed ${what}${when}${how}: "${one.meaning}"`;
    }),
  ];
}

/** Returns what was erased, in words; nothing where nothing was. */
export function sayErased({ events, people, rows, tokens }: Erased): string[] {
  const said = [
    ...(people > 0 ? [`the details of ${plural(people, 'person', 'people')}`] : []),
    ...(events > 0 ? [`the content of ${plural(events, 'event')}`] : []),
    ...(rows > 0 ? [`what events recorded of ${plural(rows, 'row')}`] : []),
    ...(tokens > 0 ? [`${plural(tokens, 'ID token')}`] : []),
  ];
  return said.length === 0 ? [] : [`erased, and not verified any more: ${said.join(', ')}`];
}

/** Returns what must be believed. */
export function sayBelief({ stampedAt, signatures, kept, erased, replayed }: Facts, brought: readonly string[]): string[] {
  const isSigned = signatures.list.some(({ token }) => token !== undefined);
  const isStamped = stampedAt !== undefined || signatures.list.some(({ stamp }) => stamp !== undefined);
  return [
    ...(brought.length === 0
      ? []
      : [`That the keys in ${brought.join(', ')} are those of whom they name: the bundle itself brought them.`]),
    'That the events and rows were true when they were written: what was recorded cannot be changed later without being found.',
    ...(kept ? [] : ['That the log was not written anew as a whole: a checkpoint that somebody else kept would show it (--checkpoint).']),
    ...sayVerdicts(replayed),
    ...(isSigned
      ? ['That the identity provider signs in nobody but the person it names, and does not work together with the operator.']
      : []),
    ...(isStamped ? ['That the time stamp server has the right time, and does not work together with the operator.'] : []),
    ...(signatures.list.length === 0
      ? ['That the people who are named decided: nobody signed, so the sessions of the service are all there is.']
      : []),
    ...(erased.people > 0 || erased.events > 0
      ? [
          `That what was erased (${plural(erased.people, 'person', 'people')}, ${plural(erased.events, 'event')}) was as its commitment says.`,
        ]
      : []),
    ...(erased.rows > 0
      ? [`That the ${plural(erased.rows, 'row')} whose events were erased are as they were written: the seal alone holds them.`]
      : []),
  ];
}

/** Verdicts that were not worked out anew, and what those rest on that were. */
function sayVerdicts(replayed: VerdictReplay | undefined): string[] {
  if (replayed === undefined) {
    return ['That each grant was left out for the reason that its verdict names: the bundle does not say all that verdicts follow from.'];
  }
  const { counts, isLogged } = replayed;
  const { taken, erased } = counts;
  return [
    ...(isLogged ? [] : ['That review.json has the scope of the review: the bundle does not say it in the words whose hash the log has.']),
    'That the right entitlements were chosen, and that expressions, conflicts and reviews before came to what was recorded of them: verdicts rest on it.',
    ...(taken > 0
      ? [
          `That the verdict on ${plural(taken, 'grant')} is right: links of resources, and what inheritance leaves out, are not worked out anew.`,
        ]
      : []),
    ...(erased > 0 ? [`That the verdict on ${plural(erased, 'grant')} is right: it rests on details that were erased.`] : []),
  ];
}
