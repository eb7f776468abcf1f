/**
 * Taking in a file of several apps: it is split by its column of apps, and each app is imported by itself, with its own sync and its own guard. An
 * app that is refused holds up none of the others.
 */
import { type AppError, invalidField, isAppError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { TextEncoding } from '../../lib/tables/text-encoding.ts';
import { type SplitFile, splitByApp } from './apps/index.ts';
import { type GrantsImport, importGrants } from './import-grants.ts';
import type { SyncRow } from './record/index.ts';
import { type OpenRows, type SentFile, expectUpload, openRows, translateFileError } from './rows/index.ts';
import { readAskedReading } from './suggestions/index.ts';
import { type HowRead, readHeaderLine } from './values/index.ts';

/** Request that comes with a file of several apps. */
export interface AppsImport extends GrantsImport {
  /** The column that names the app of each row; found by its name where it is ''. */
  readonly appColumn: string;
}

/** Outcome for one app of the file. */
export type AppOutcome = { readonly app: string } & ({ readonly sync: SyncRow } | { readonly refusal: AppError });

/** Outcome of a file of several apps. */
export interface AppsOutcome {
  readonly appColumn: string;
  /** Form of the file as a whole, and what was left out of it. */
  readonly howRead: HowRead;
  /** In the order in which the file first names them. */
  readonly apps: readonly AppOutcome[];
}

/** Refusals that are about the rows of one app: the next app may be fine. */
const statusesOfApp: readonly number[] = [400, 404, 409, 413, 415];

/**
 * Imports each app of a file, after the whole file was read. INVALID_ARGUMENT, and nothing is imported, for a file that cannot be split. Apps that
 * come after an error that is not about an app's rows are refused with that error.
 */
export async function importApps(context: Context, request: AppsImport, upload: SentFile): Promise<AppsOutcome> {
  expectUpload(upload);
  const { app, sourceId = '', appColumn, ...rest } = request;
  if (app.trim() !== '' || sourceId !== '') {
    throw invalidField(
      app.trim() !== '' ? 'app' : 'connectorId',
      'is for a file of one app: leave it out, or do not split the file by app',
    );
  }
  const split = await splitUpload(request, upload);
  const apps: AppOutcome[] = [];
  try {
    for (const [index, part] of split.parts.entries()) {
      try {
        upload.left?.throwIfAborted();
        const own = { ...rest, app: part.name, appColumn: split.column, sheet: '' };
        apps.push({ app: part.name, sync: await importGrants(context, own, { ...upload, opened: part.open() }) });
      } catch (error) {
        const isOfApp = isAppError(error) && statusesOfApp.includes(error.status);
        if (!isAppError(error) || (index === 0 && !isOfApp)) {
          throw error;
        }
        const refused = isOfApp ? [part] : split.parts.slice(index);
        apps.push(...refused.map(({ name }) => ({ app: name, refusal: error })));
        if (!isOfApp) {
          break;
        }
      }
    }
  } finally {
    await split.close();
  }
  return { appColumn: split.column, howRead: split.howRead, apps };
}

async function splitUpload(request: AppsImport, upload: SentFile): Promise<SplitFile> {
  const { asked, sheet } = readAskedReading('grants', request);
  let source: OpenRows | undefined;
  try {
    source = await openRows(upload, sheet, asked.encoding as TextEncoding | undefined);
    const column = request.appColumn.trim();
    return await splitByApp(source, column === '' ? undefined : column, readHeaderLine(asked));
  } catch (error) {
    throw translateFileError(error);
  } finally {
    await source?.close();
  }
}
