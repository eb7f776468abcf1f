/** Making a source in steps that are repeated without harm, where one of them is refused: its app, its directory, itself, its secrets. */
import { type Found, searchApps } from '~/data/inventory/find.ts';
import { getNameKey } from '~/data/name-key.ts';
import { call, ClientError } from '~/data/query.ts';
import type { Config } from '~/screens/sources/kinds/settings-values.ts';

/** A secret to be kept. */
export interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly fromFile: string;
}

/** Things that were made so far, in case the next step is refused. */
export interface Made {
  appId?: string;
  sourceId?: string;
}

const newApp = 'new:';

/** Returns the choice of an app that is made with the source. */
export const appToMake = (name: string): Found => ({ id: `${newApp}${name}`, label: name });

/** True if the app is not there yet. */
export const isNewApp = ({ id }: Found): boolean => id.startsWith(newApp);

/** Returns the apps that are there, and a new one of the name that was written, with a hint. */
export async function findOrName(query: string, signal: AbortSignal, hint: string): Promise<Found[]> {
  const found = await searchApps(query, signal);
  const name = query.trim();
  const isThere = name === '' || found.some(({ label }) => getNameKey(label) === getNameKey(name));
  return isThere ? found : [...found, { ...appToMake(name), hint }];
}

/** Returns the id of the app, which is made where it is new and no other has its name. */
async function takeApp(app: Found): Promise<string> {
  if (!isNewApp(app)) {
    return app.id;
  }
  const { list = [] } = await call('AppService.Search', { query: app.label, pageSize: 100 });
  const same = list.find(({ displayName }) => getNameKey(displayName ?? '') === getNameKey(app.label));
  return same?.id ?? (await call('AppService.Create', { displayName: app.label })).app?.id ?? '';
}

/** Makes an app a directory; one that is so already stays. */
async function takeDirectory(appId: string): Promise<void> {
  try {
    await call('DirectoryService.Create', { appId, all: {} });
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 409)) {
      throw error;
    }
  }
}

/** Keeps secrets. What is wrong with one is said at the field of its name. */
export async function putSecrets(sourceId: string, secrets: readonly NewSecret[]): Promise<void> {
  for (const secret of secrets) {
    try {
      await call('SourceService.SetSecret', { id: sourceId, ...secret });
    } catch (error) {
      if (error instanceof ClientError && (error.status === 400 || error.status === 409)) {
        const description = error.violations.map((one) => one.description).join('. ') || error.message;
        throw new ClientError(error.message, { ...error, violations: [{ field: secret.name, description }] });
      }
      throw error;
    }
  }
}

/** Names a new source. Where another source of the app has the name, it keeps the one it got by its number. */
async function nameSource(request: { readonly appId: string; readonly id: string }, displayName: string): Promise<void> {
  try {
    await call('ConnectorService.Update', { ...request, connector: { displayName }, updateMask: 'displayName' });
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 409)) {
      throw error;
    }
  }
}

/** Makes the source, or goes on where `made` says that a part of it is there, and returns its id. */
export async function makeSource(
  made: Made,
  source: { readonly app: Found; readonly isDirectory: boolean; readonly name: string; readonly config: Config },
  secrets: readonly NewSecret[],
): Promise<string> {
  const { app, isDirectory, name, config } = source;
  made.appId = await takeApp(app);
  if (isDirectory) {
    await takeDirectory(made.appId);
  }
  const isNew = made.sourceId === undefined;
  made.sourceId ??= (await call('ConnectorService.Create', { appId: made.appId, config: config })).connectorView?.connector?.id ?? '';
  const request = { appId: made.appId, id: made.sourceId };
  if (!isNew) {
    await call('ConnectorService.Update', { ...request, connector: { config: config }, updateMask: 'config' });
  } else {
    await nameSource(request, name);
  }
  await putSecrets(made.sourceId, secrets);
  return made.sourceId;
}
