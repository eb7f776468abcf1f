/** Trying settings out: the other system is reached and its first rows are read; nothing is kept. */
import { Readable } from 'node:stream';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import { FetchFault } from '../../lib/tables/fetch-fault.ts';
import type { FetchStep } from '../../lib/tables/fetch-steps.ts';
import type { FetchedTable } from '../../lib/tables/fetched-table.ts';
import { invalidField, isAppError } from '../../errors.ts';
import { refusal } from '../../wire/read.ts';
import { type OpenRows, openRows, translateFileError } from '../syncs/index.ts';
import { type GivenSecrets, openSecretsToTry } from '../sources/index.ts';
import { findTenantHost, hostNameOf } from '../../foundation/tenants/index.ts';
import { checkSettings, type Fetched, type FetchedFile, findFetcher, type Installation } from './fetchers/index.ts';

const limitMs = 30_000;
const shownRows = 5;
const maxShownText = 200;
const maxFoundText = 500;

/** First rows of a content. */
export interface TestedContent {
  readonly isPeople: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly values: readonly string[] }[];
}

/** Step that worked, and what was found by it. */
export interface TestedStep {
  readonly kind: FetchStep;
  readonly found: string;
}

/** Outcome: the steps that worked, and an error in words with what it is about, or the first rows. */
export interface Tested {
  readonly error: string;
  /** Setting or secret; '' for none. */
  readonly errorField: string;
  readonly steps: readonly TestedStep[];
  readonly contents: readonly TestedContent[];
}

/** Tries settings out. INVALID_ARGUMENT for settings that are wrong, or of no kind that fetches; what the other system answers is the outcome. */
export async function testSource(context: Context, installation: Installation, config: JsonObject, given: GivenSecrets): Promise<Tested> {
  const settings = checkSettings(config);
  const fetcher = settings && findFetcher(settings.kind);
  const open = fetcher?.open;
  if (settings === undefined || open === undefined) {
    throw invalidField('config', 'must have the @type of a kind that fetches, such as countersign.v1.FolderSettings');
  }
  if (settings.violations.length > 0) {
    throw refusal(settings.violations.map((one) => ({ ...one, field: `config.${one.field}` })));
  }
  const host = hostNameOf((await findTenantHost(context.db, context.tenantId)) ?? '');
  const signal = AbortSignal.timeout(limitMs);
  const { '@type': _type, ...members } = settings.config;
  const secrets = await openSecretsToTry(context, settings.config, given);
  const steps: TestedStep[] = [];
  const fail = (error: string, errorField = ''): Tested => ({ error, errorField, steps, contents: [] });
  let found: Fetched | undefined;
  try {
    found = await open({
      settings: members,
      secrets,
      readSecrets: () => Promise.resolve(secrets),
      installation: { ...installation, settleMs: 0 },
      isDirectory: true,
      isTrial: true,
      host,
      lastMark: '',
      zone: '',
      clock: () => context.now,
      signal,
      noteStep: (kind, what) => void steps.push({ kind, found: what.slice(0, maxFoundText) }),
    });
    const contents: TestedContent[] = [];
    for (const content of 'isUnchanged' in found ? [] : found.contents) {
      contents.push('pieces' in content ? await showFile(content) : await showTable(content));
    }
    return { error: '', errorField: '', steps, contents };
  } catch (thrown) {
    const error = translateFileError(thrown);
    if (signal.aborted) {
      return fail(`There was no answer within ${limitMs / 1000} seconds.`);
    }
    if (error instanceof FetchFault) {
      return fail(error.message, error.field);
    }
    if (isAppError(error) && error.code !== 'INTERNAL') {
      return fail(error.message, error.violations?.[0]?.field);
    }
    throw error;
  } finally {
    await (found === undefined || 'isUnchanged' in found ? undefined : found.close?.());
  }
}

const show = (rows: readonly (readonly string[])[]) =>
  rows.slice(0, shownRows).map((row) => ({ values: row.map((text) => text.slice(0, maxShownText)) }));

async function showFile({ kind, sheet, encoding, pieces }: FetchedFile): Promise<TestedContent> {
  const body = Readable.from(pieces);
  let opened: OpenRows | undefined;
  try {
    opened = await openRows({ body, encoding }, sheet);
    for await (const { rows } of opened.batches) {
      return { isPeople: kind === 'PEOPLE', columns: [], rows: show(rows) };
    }
    return { isPeople: kind === 'PEOPLE', columns: [], rows: [] };
  } finally {
    await opened?.close();
    // Lets go of the file, which was not read to its end.
    body.destroy();
  }
}

async function showTable({ kind, columns, batches }: FetchedTable): Promise<TestedContent> {
  for await (const rows of batches) {
    return { isPeople: kind === 'PEOPLE', columns, rows: show(rows) };
  }
  return { isPeople: kind === 'PEOPLE', columns, rows: [] };
}
