/** Lists as every command shows them: all pages of one, as a table for people or as JSON; and the names of the apps their rows are in. */
import type { Client } from '../client/index.ts';
import { AppService } from '../gen/c1/api/app/v1/app_service_pb.js';
import type { ConnectOptions } from './connect.ts';
import { type CommandIo, formatTable, writeJson, writeLines } from './io.ts';

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

/** Prints what was found: all of it as JSON with --json, else one row each under headings, or "None.". */
export function showList<T>(
  io: CommandIo,
  options: ConnectOptions,
  found: readonly T[],
  headings: readonly string[],
  cells: (one: T) => string[],
): void {
  if (options.json === true) {
    writeJson(io.stdout, found);
    return;
  }
  writeLines(io.stdout, found.length === 0 ? 'None.' : formatTable(headings, found.map(cells)));
}

/** Names apps by their ids; an app that is gone stays an id. */
export async function nameApps(client: Client): Promise<(appId: string | undefined) => string> {
  const names = new Map<string, string>();
  for await (const app of client.pages(AppService.method.list, {})) {
    names.set(app.id ?? '', app.displayName ?? '');
  }
  return (appId = '') => names.get(appId) ?? appId;
}
