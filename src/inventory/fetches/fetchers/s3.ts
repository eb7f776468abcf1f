/** Objects of an S3 store: the newest whose name fits. An object is there whole or not at all, so nothing is looked at twice. */
import type { FieldViolation } from '../../../errors.ts';
import { S3SettingsSchema } from '../../../gen/countersign/v1/files_pb.js';
import type { Store } from '../../../lib/s3/ask-store.ts';
import { findNewest, openObject, readObject } from '../../../lib/s3/find-object.ts';
import type { S3Object } from '../../../lib/s3/read-listing.ts';
import { findSettingFaults, type S3Settings } from '../../../lib/s3/settings.ts';
import { FetchFault } from '../../../lib/tables/fetch-fault.ts';
import { openFile } from './file-content.ts';
import { findPatternFault, findSheetFault, nameCheck } from './file-names.ts';
import { type Manifest, manifestSuffix, maxManifestBytes, parseManifest, refuseLarge, refuseWithout } from './manifest.ts';
import type { Asked, Fetched, Fetcher } from './types.ts';
import { listFaults, readFaults } from './violations.ts';

function check(settings: S3Settings): FieldViolation[] {
  const { pattern, sheet } = settings;
  return [
    ...readFaults(findSettingFaults(settings)),
    ...listFaults({ pattern: findPatternFault(pattern, 'the prefix'), sheet: findSheetFault(sheet) }),
  ];
}

/** Names that the settings ask for. Only the last part of a key has *, so that what lies deeper is never listed. */
function wantedNames({ prefix, pattern }: S3Settings) {
  const at = pattern.lastIndexOf('/') + 1;
  const folder = prefix + pattern.slice(0, at);
  const name = pattern.slice(at);
  return { prefix: folder + (name.split('*')[0] ?? ''), folder, fits: nameCheck(name), suffix: manifestSuffix };
}

/** An object that was written anew is newer, also with the same content. */
const markOf = ({ key, etag, bytes, modifiedAt }: S3Object): string => JSON.stringify([key, etag, bytes, modifiedAt]);

async function findManifest(store: Store, name: string, beside: S3Object | undefined): Promise<Manifest | undefined> {
  if (beside === undefined) {
    return store.settings.needsManifest ? refuseWithout(name) : undefined;
  }
  const text = await readObject(store, beside, maxManifestBytes);
  return text === undefined ? refuseLarge(name) : parseManifest(text, name);
}

async function open({ settings, secrets, installation, lastMark, zone, clock, signal }: Asked<typeof S3SettingsSchema>): Promise<Fetched> {
  const { secretAccessKey = '' } = secrets;
  if (secretAccessKey === '') {
    throw new FetchFault('REFUSED', 'The source has no secret named secretAccessKey.');
  }
  const store: Store = { settings, secretAccessKey, parts: { rules: installation.outgoing, signal, ca: settings.ca }, now: clock };
  const begun = clock();
  const { newest, beside } = await findNewest(store, wantedNames(settings));
  const mark = markOf(newest);
  if (mark === lastMark) {
    return { isUnchanged: true };
  }
  const name = newest.key.slice(newest.key.lastIndexOf('/') + 1);
  const manifest = await findManifest(store, name, beside);
  const pieces = await openObject(store, newest);
  const opened = await openFile({
    pieces,
    encoding: '',
    manifest,
    settings,
    zone,
    begun,
    saidAt: newest.modifiedAt,
    lookAgain: () => undefined,
  });
  return { ...opened, mark };
}

/** The fetcher of S3 stores. */
export const s3Fetcher: Fetcher<typeof S3SettingsSchema> = { kind: 'S3', settings: S3SettingsSchema, check, open };
