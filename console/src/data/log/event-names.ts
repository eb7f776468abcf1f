/** Names of who did things in the log and of what they did them to. Whoever and whatever cannot be read is absent. */
import { useQueries } from '@tanstack/react-query';
import type { LogEvent } from './events.ts';
import { loadNamesAt, momentKey, type NameRef, useNamesAt } from '~/data/names-at.ts';
import { useAppNames, useNamed } from '~/data/names.ts';
import { call, read } from '~/data/query.ts';

const idsOf = (events: readonly LogEvent[], ...types: readonly string[]): string[] =>
  events.flatMap(({ targetType, targetId }) => (types.includes(targetType) ? [targetId] : []));

function userIn(data: unknown): string | undefined {
  const id = (data as { userId?: unknown } | undefined)?.userId;
  return typeof id === 'string' ? id : undefined;
}

async function loadItemNames(some: readonly string[], signal?: AbortSignal): Promise<[string, string][]> {
  if (some.length === 0) {
    return [];
  }
  const request = { refs: some.map((id) => ({ id })), pageSize: 100 };
  const reply = await call('TaskService.Search', request, signal === undefined ? {} : { signal });
  return (reply.list ?? []).map(({ task }) => [task?.id ?? '', task?.displayName ?? '']);
}

/** People of an event: who acted, to whom it happened, and whom its data name, all at its moment. */
const peopleOf = ({ actorKind, actorId, targetType, targetId, data, at }: LogEvent): NameRef[] =>
  [actorKind === 'system' ? '' : actorId, targetType === 'user' ? targetId : '', userIn(data) ?? ''].flatMap((id) =>
    id === '' ? [] : [[id, at] as const],
  );

/** Names for an export: what the page asks in pieces, asked at once; of people those of then alone. */
export async function loadEventNames(events: readonly LogEvent[]): Promise<ReadonlyMap<string, string>> {
  const people = new Set(events.flatMap(peopleOf).map(([id, at]) => momentKey(id, at)));
  const tasks = new Set(idsOf(events, 'task'));
  const [named, items] = await Promise.all([loadNamesAt([...people], undefined, true), loadItemNames([...tasks])]);
  return new Map([...named, ...items]);
}

/** By id; those of people by id and moment. */
export function useEventNames(events: readonly LogEvent[]): ReadonlyMap<string, string> {
  const people = events.flatMap(peopleOf);
  const nameAt = useNamesAt(people);
  const apps = useAppNames([...new Set(idsOf(events, 'app'))]);
  const items = useNamed('item-names', idsOf(events, 'task'), loadItemNames);
  const reviews = useQueries({
    queries: [...new Set(idsOf(events, 'access_review'))]
      .slice(0, 20)
      .map((id) => ({ ...read('AccessReviewService.Get', { id }), retry: false })),
  });
  const named = reviews.flatMap(({ data }): [string, string][] => {
    const review = data?.accessReview?.accessReview;
    return review?.id ? [[review.id, review.displayName ?? '']] : [];
  });
  return new Map([...people.map(([id, at]): [string, string] => [momentKey(id, at), nameAt(id, at)]), ...apps, ...items, ...named]);
}
