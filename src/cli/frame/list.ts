/** Lists as commands read them: all pages of one, and the names of the apps that their items are in. */
import type { Client } from '../../client/index.ts';
import { AppService } from '../../gen/c1/api/app/v1/app_service_pb.js';

/** The items of all pages; of so many at most, where a bound is given. */
export async function listAll<T>(pages: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = [];
  if (most <= 0) {
    return found;
  }
  for await (const one of pages) {
    if (found.push(one) >= most) {
      break;
    }
  }
  return found;
}

/** Names apps by their ids; an app that is gone stays an id. */
export async function nameApps({ client }: { readonly client: Client }): Promise<(appId: string | undefined) => string> {
  const names = new Map<string, string>();
  for await (const app of client.pages(AppService.method.list, {})) {
    names.set(app.id ?? '', app.displayName ?? '');
  }
  return (appId = '') => names.get(appId) ?? appId;
}
