/** Names of who did things in the log and of what they did them to. Whoever and whatever cannot be read is absent. */
import { useQueries } from '@tanstack/react-query';
import type { LogEvent } from './events.ts';
import { loadNames, useAppNames, useNamed, useNames } from '~/data/names.ts';
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

/** Names for an export: what the page asks in pieces, asked at once. */
export async function loadEventNames(events: readonly LogEvent[]): Promise<ReadonlyMap<string, string>> {
  const people = new Set([
    ...events.flatMap(({ actorKind, actorId }) => (actorKind === 'system' || actorId === '' ? [] : [actorId])),
    ...idsOf(events, 'user'),
    ...events.flatMap(({ data }) => userIn(data) ?? []),
  ]);
  const tasks = new Set(idsOf(events, 'task'));
  const [named, items] = await Promise.all([loadNames([...people].slice(0, 100)), loadItemNames([...tasks])]);
  return new Map([...named, ...items]);
}

/** By id. */
export function useEventNames(events: readonly LogEvent[]): ReadonlyMap<string, string> {
  const people = useNames([
    ...events.map(({ actorKind, actorId }) => (actorKind === 'system' ? undefined : actorId)),
    ...idsOf(events, 'user'),
    ...events.map(({ data }) => userIn(data)),
  ]);
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
  return new Map([...people, ...apps, ...items, ...named]);
}
