/** What the imports of people, of one app and of several ask of the server in the same way. */
import { type Client, ClientError } from '../client/index.ts';
import { ColumnMappingService } from '../gen/countersign/v1/mapping_pb.js';
import type { ConnectOptions } from './connect.ts';

/** The options of `countersign import`. */
export interface ImportOptions extends ConnectOptions {
  readonly app?: string;
  readonly appColumn?: string;
  readonly allowRemovals?: boolean;
  readonly source?: string;
  readonly map?: readonly string[];
  readonly showMapping?: boolean;
  readonly saveMapping?: boolean;
  readonly sheet?: string;
  readonly preset?: string;
  readonly dates?: string;
  readonly encoding?: string;
}

/** All that is said about how to read the file, as the API takes it. */
export function mapOf({ map = [], preset, dates, encoding }: ImportOptions): string[] {
  return [
    ...map,
    ...Object.entries({ preset, dates, encoding }).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`])),
  ];
}

/** The reading and the guard as the requests name them. */
export function readingOf(options: ImportOptions) {
  return { allowRemovals: options.allowRemovals === true, map: mapOf(options), sheet: options.sheet ?? '' };
}

/** The same refusal in words of the command line; its code, fields and request stay for --json. */
export function withAdvice(error: ClientError): ClientError {
  if (error.message.includes('the header lacks')) {
    return new ClientError(`${error.message}\nTo see how its columns would be read, repeat the command with --show-mapping.`, error);
  }
  return new ClientError(error.message.replace('send it again with allow_removals=true', 'repeat it with --allow-removals'), error);
}

/** Adds what was mapped for this file to what is kept for its source. */
export async function saveMapping(client: Client, connectorId: string, map: readonly string[]): Promise<void> {
  const { columnMapping = {} } = await client.call(ColumnMappingService.method.get, { connectorId });
  const asked = map.map((text) => [text.slice(0, text.indexOf('=')).trim().toLowerCase(), text.slice(text.indexOf('=') + 1)]);
  await client.call(ColumnMappingService.method.set, {
    connectorId,
    columnMapping: { ...columnMapping, ...Object.fromEntries(asked) },
  });
}
