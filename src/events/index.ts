/**
 * The catalogue of events: each kind once, with what it happens to, its data and what it is for whoever collects logs. Whoever writes, follows or shows
 * events is typed by it, and docs/events.md is made from it.
 */
import { catalogEvents } from './catalog.ts';
import { companyEvents } from './company.ts';
import type { EventType } from './event-type.ts';
import type { DataOf } from './members.ts';
import { peopleEvents } from './people.ts';
import { removalsEvents } from './removals.ts';
import { reviewsEvents } from './reviews.ts';
import { rulesEvents } from './rules.ts';
import { sourcesEvents } from './sources.ts';
import { tasksEvents } from './tasks.ts';

export type { Activity } from './event-type.ts';
export { describeMembers } from './members.ts';

const catalogue = {
  ...companyEvents,
  ...peopleEvents,
  ...catalogEvents,
  ...sourcesEvents,
  ...rulesEvents,
  ...reviewsEvents,
  ...tasksEvents,
  ...removalsEvents,
};

/** The name of a kind of event: object and verb, such as `review.prepared`. */
export type EventKind = keyof typeof catalogue;

/** The data of each kind of event. */
export type EventMap = { readonly [K in EventKind]: DataOf<(typeof catalogue)[K]['data']> };

/** The kinds of events that may be recorded outside a transaction. */
export type OccurrenceKind = { [K in EventKind]: (typeof catalogue)[K] extends { readonly transaction: false } ? K : never }[EventKind];

/** Subjects of kinds of events: `review`, `task`. */
export type EventObject = EventKind extends `${infer Name}.${string}` ? Name : never;

/** What it happened to; where the catalogue names several, which of them, unless its object is not known. */
type TargetOf<K extends EventKind> = (typeof catalogue)[K]['target'] extends readonly (infer One extends string)[]
  ? { readonly targetType: One; readonly targetId: string } | { readonly targetType?: never; readonly targetId?: never }
  : { readonly targetType?: Extract<(typeof catalogue)[K]['target'], string>; readonly targetId?: string };

/** Event's content beyond who, when and from where, which come from the context. */
export type NewEvent<K extends EventKind = EventKind> = { [One in K]: EventOf<One> }[K];

type EventOf<K extends EventKind> = TargetOf<K> & {
  readonly kind: K;
  /** The review it belongs to, where that is not the target itself. */
  readonly reviewId?: string;
  /** Drawn before by `newId`, where rows that it records name it. */
  readonly id?: string | undefined;
  /** Digests of the rows of evidence that it records, by their table: become the member `evidence` of its data. */
  readonly evidence?: Readonly<Record<string, { readonly rows: number; readonly sha256: string; readonly marks: string }>> | undefined;
} & (object extends EventMap[K] ? { readonly data?: EventMap[K] } : { readonly data: EventMap[K] });

/** An event as far as a reaction may look at it. */
export interface OccurredEvent<K extends EventKind = EventKind> {
  readonly kind: K;
  readonly targetId?: string;
  /** Absent where one statement writes an event for each of many rows: its kind is heard once. */
  readonly data?: EventMap[K];
}

/** Every kind of event. */
export const events: Readonly<Record<EventKind, EventType>> = catalogue;

/** A kind of event by its name; undefined for one that an earlier version wrote and that there is no longer. */
export function findEventType(kind: string): EventType | undefined {
  return Object.hasOwn(events, kind) ? events[kind as EventKind] : undefined;
}
