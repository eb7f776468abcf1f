/** Requests that imports of people, of one app and of several share. */
import { type Client, ClientError } from '../../client/index.ts';
import { ColumnMappingService } from '../../gen/countersign/v1/mapping_pb.js';
import type { ConnectOptions } from '../frame/connect.ts';
import { UsageError } from '../frame/io.ts';
import { readTime } from '../frame/send-request.ts';

/** The options of `countersign import`. */
export interface ImportOptions extends ConnectOptions {
  readonly app?: string | undefined;
  readonly appColumn?: string | undefined;
  readonly allowRemovals?: boolean | undefined;
  readonly source?: string | undefined;
  readonly map?: readonly string[] | undefined;
  readonly showMapping?: boolean | undefined;
  readonly saveMapping?: boolean | undefined;
  readonly sheet?: string | undefined;
  readonly preset?: string | undefined;
  readonly dates?: string | undefined;
  readonly encoding?: string | undefined;
  readonly headerLine?: string | undefined;
  readonly observedFrom?: string | undefined;
}

/** All that is said about how to read the file, as the API takes it. */
export function askedMap({ map = [], preset, dates, encoding, headerLine }: ImportOptions): string[] {
  return [
    ...map,
    ...Object.entries({ preset, dates, encoding, header_line: headerLine }).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}=${value}`],
    ),
  ];
}

/** The reading and the guard as the requests name them. */
export function askedReading(options: ImportOptions) {
  const { observedFrom, allowRemovals, sheet = '' } = options;
  const moment = observedFrom === undefined ? {} : { observedFrom: readTime('--observed-from', observedFrom) };
  return { allowRemovals: allowRemovals === true, map: askedMap(options), sheet, ...moment };
}

/** The usage error that a refusal stands for: nothing says which column names the apps. Undefined for any other refusal. */
export function findUsageError({ violations }: ClientError): UsageError | undefined {
  const found = violations.find(({ field }) => field === 'appColumn');
  return found && new UsageError(`${found.description}; pass --app with the name of its app, or --app-column`);
}

/** The same refusal in words of the command line; its code, fields and request stay for --json. */
export function withAdvice(error: ClientError): ClientError {
  const message = error.message
    .replace('send it again with allow_removals=true', 'repeat it with --allow-removals')
    .replace(/\bmap=(?=\w+=COLUMN)/g, '--map ')
    .replace(/\bheader_line(=| )/g, (_, behind: string) => `--header-line${behind === '=' ? ' ' : behind}`);
  if (/the header (lacks|cannot be read)/.test(message)) {
    const short = message.replace(/; a proposed column mapping, to be checked and saved: \{.*?\}(?= \(without|;|\.|$)/s, '');
    return new ClientError(`${short}\nTo see how its columns would be read, repeat the command with --show-mapping.`, error);
  }
  return new ClientError(message, error);
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
