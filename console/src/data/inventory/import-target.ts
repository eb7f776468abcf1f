/** Target of a file by the address of the page: into an app, or into one source. */
import type { Found } from './find.ts';
import { queries, read } from '~/data/query.ts';

/** Target of a file. */
export interface Target {
  readonly kind: 'people' | 'grants';
  /** The app; without an id it is a new one. */
  readonly app: Found | undefined;
  /** The name of the source; empty for the usual one. */
  readonly source: string;
  readonly connectorId: string;
}

async function getApp(id: string): Promise<Found | undefined> {
  const { app } = await queries.fetchQuery(read('AppService.Get', { id }));
  return { id, label: app?.displayName ?? '' };
}

export async function getTarget(appId: string, sourceId: string): Promise<Target> {
  if (sourceId !== '') {
    const { source } = await queries.fetchQuery(read('SourceService.Get', { id: sourceId }));
    const isOfApp = Boolean(source?.appId);
    return {
      kind: isOfApp ? 'grants' : 'people',
      app: isOfApp ? await getApp(source?.appId ?? '') : undefined,
      source: '',
      connectorId: sourceId,
    };
  }
  const hasPeople = await queries
    .fetchQuery(read('SourceService.List', { pageSize: 100 }))
    .then(({ list = [] }) => list.some((source) => !source.appId && source.lastImportId));
  return {
    kind: appId !== '' || hasPeople ? 'grants' : 'people',
    app: appId === '' ? undefined : await getApp(appId),
    source: '',
    connectorId: '',
  };
}
