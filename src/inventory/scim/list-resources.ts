/**
 * Pages of users and groups (RFC 7644 section 3.4.2): by a filter, from the startIndex on.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { type ResourceKind, urns } from './document/index.ts';
import { readFilter } from './filter-sql.ts';
import type { ScimSource } from './source.ts';
import { countResources, listResources } from './store-search.ts';
import { type ViewOptions, viewResources } from './view.ts';

/** The most a page has; stated at /ServiceProviderConfig. */
export const maxPageSize = 200;
const usualPageSize = 100;

/** List that is asked for. */
export interface ListQuery {
  readonly filter: string | undefined;
  /** From 1; less is 1. */
  readonly startIndex: number | undefined;
  /** Less than none is none. */
  readonly count: number | undefined;
}

/** A page as a ListResponse. Ids count up in the order of creation, so what is made while somebody pages comes at the end. */
export async function listPage(
  context: Context,
  source: ScimSource,
  kind: ResourceKind,
  query: ListQuery,
  options: ViewOptions,
): Promise<JsonObject> {
  const filter = { sourceId: source.id, appId: source.appId, kind, condition: readFilter(kind, query.filter) };
  const startIndex = Math.max(1, query.startIndex ?? 1);
  const size = Math.min(maxPageSize, Math.max(0, query.count ?? usualPageSize));
  const rows = size === 0 ? [] : await listResources(context, filter, startIndex - 1, size);
  const isWhole = startIndex === 1 && rows.length < size;
  const totalResults = isWhole ? rows.length : await countResources(context, filter);
  return {
    schemas: [urns.list],
    totalResults,
    startIndex,
    itemsPerPage: rows.length,
    Resources: await viewResources(context, source, rows, options),
  };
}
