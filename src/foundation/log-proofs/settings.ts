/** Settings of a tenant's log, and what the log says of itself to whoever administers it. */
import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Context } from '../../context.ts';
import { listKeys, noteKeyOf, recordEvent } from '../audit/index.ts';
import {
  type AnchorRules,
  type ChosenPlace,
  listChosenPlaces,
  listNewestAnchors,
  listOnTheirWay,
  removeOnTheirWay,
  requirePlaces,
  updateChosenPlaces,
} from './anchors/index.ts';
import { findEpoch, sealFirst } from './tree/index.ts';
import { findLastCheck, findPublishes, updatePublishes } from './store.ts';

/** A place that holds checkpoints, and how that goes. */
export interface PlaceState extends ChosenPlace {
  /** Leaves of the newest checkpoint it holds. */
  readonly size: number | undefined;
  readonly anchoredAt: Date | undefined;
  readonly failingSince: Date | undefined;
  readonly error: string;
}

/** All of it. */
export interface LogSettings {
  readonly anchors: readonly PlaceState[];
  readonly publishLog: boolean;
  readonly keepsFiles: boolean;
  /** The newest first. */
  readonly keys: readonly string[];
  readonly hasSecretFile: boolean;
  readonly checkedAt: Date | undefined;
  readonly findings: number;
  readonly sentences: readonly string[];
}

/** Reads it. */
export async function getLogSettings(context: Context, rules: Partial<Pick<AnchorRules, 'checkpointDir'>>): Promise<LogSettings> {
  await sealFirst(context);
  const { origin } = await findEpoch(context, 0);
  const keys = await listKeys(context);
  const check = await findLastCheck(context);
  return {
    publishLog: await findPublishes(context),
    anchors: await listPlaceStates(context),
    keepsFiles: rules.checkpointDir !== undefined,
    keys: keys.map((key) => noteKeyOf(key, origin).vkey),
    hasSecretFile: keys[0]?.source === 'FILE',
    checkedAt: check?.checkedAt,
    findings: check?.findings ?? 0,
    sentences: check?.sentences ?? [],
  };
}

async function listPlaceStates(context: Context): Promise<PlaceState[]> {
  const chosen = await listChosenPlaces(context);
  const newest = await listNewestAnchors(
    context,
    chosen.map(({ kind, url }) => ({ kind, place: url })),
  );
  const underWay = await listOnTheirWay(context);
  return chosen.map((place) => {
    const isHere = (one: { readonly kind: string; readonly place: string }): boolean => one.kind === place.kind && one.place === place.url;
    const last = newest.find(isHere);
    const failing = underWay.find(isHere);
    return {
      ...place,
      size: last?.size,
      anchoredAt: last?.anchoredAt,
      failingSince: failing?.failingSince ?? undefined,
      error: failing?.error ?? '',
    };
  });
}

/** Settings that an administrator chooses. */
export interface LogChoices {
  readonly publishLog: boolean;
  readonly anchors: readonly ChosenPlace[];
}

/** Sets whether everybody may read the hashes of the log, and who holds its checkpoints. INVALID_ARGUMENT for places that cannot be used. */
export async function changeLogSettings(context: Context, to: LogChoices): Promise<void> {
  await inTransaction(context, async (inside) => {
    const from = { publishLog: await findPublishes(inside), anchors: await listChosenPlaces(inside) };
    if (isDeepStrictEqual(from, to)) {
      return;
    }
    if (!isDeepStrictEqual(from.anchors, to.anchors)) {
      requirePlaces(inside, to.anchors);
      await updateChosenPlaces(inside, to.anchors);
      const gone = (await listOnTheirWay(inside)).filter(
        ({ kind, place }) => kind !== 'FILE' && !to.anchors.some((one) => one.kind === kind && one.url === place),
      );
      await removeOnTheirWay(
        inside,
        gone.map(({ id }) => id),
      );
    }
    await updatePublishes(inside, to.publishLog);
    await recordEvent(inside, { kind: 'log.settings_updated', targetId: inside.tenantId, data: { from, to } });
  });
}
