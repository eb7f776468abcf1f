/** Sends checkpoints to the places that hold them: once an hour while the log grows, and when a review closes. */
import type { Context } from '../../../context.ts';
import { enqueueEffects, type JobKind } from '../../../jobs/index.ts';
import { newId } from '../../../wire/ids.ts';
import { findLog } from '../../audit/index.ts';
import { findCheckpoint } from '../tree/index.ts';
import type { AnchorRules } from './places.ts';
import { insertOnItsWay, listChosenPlaces, listNewestAnchors, type PlaceKey } from './store-anchors.ts';

/** The name that the queue knows the job by which anchors are sent. */
export const anchorKind = 'log.anchor';

/** The name of the effect that sends one. */
export const sendAnchorKind = 'log.send_anchor';

/** Less than the hour between two looks. */
const pauseMs = 55 * 60_000;

/** The places that hold this tenant's checkpoints. */
async function listPlaces(context: Context, { checkpointDir }: Pick<AnchorRules, 'checkpointDir'>): Promise<PlaceKey[]> {
  const chosen = (await listChosenPlaces(context)).map(({ kind, url }): PlaceKey => ({ kind, place: url }));
  return checkpointDir === undefined ? chosen : [...chosen, { kind: 'FILE', place: '' }];
}

/** Places that lack what the log grew by, and that were not sent to since a moment. */
async function listWanting(context: Context, rules: Pick<AnchorRules, 'checkpointDir'>, before: Date): Promise<PlaceKey[]> {
  const places = await listPlaces(context, rules);
  const log = places.length === 0 ? undefined : await findLog(context);
  if (log === undefined) {
    return [];
  }
  const newest = await listNewestAnchors(context, places);
  return places.filter(({ kind, place }) => {
    const last = newest.find((one) => one.kind === kind && one.place === place);
    return last === undefined || ((last.epoch !== log.epoch || last.size < log.size) && last.anchoredAt < before);
  });
}

/** Makes what tells whether anchors of a tenant are due. */
export function createAnchorsDue(rules: Pick<AnchorRules, 'checkpointDir'>): (context: Context) => Promise<boolean> {
  return async (context) => (await listWanting(context, rules, new Date(context.now.getTime() - pauseMs))).length > 0;
}

/** Sends the newest checkpoint to these places, but for those that something is on its way to. What is not sealed yet is at each attempt. */
async function sendTo(context: Context, places: readonly PlaceKey[]): Promise<void> {
  const ids: string[] = [];
  for (const place of places) {
    const id = newId(context.now);
    if (await insertOnItsWay(context, id, place)) {
      ids.push(id);
    }
  }
  if (ids.length > 0) {
    const { db, tenantId, now } = context;
    await enqueueEffects(db, { tenantId, ids, kind: sendAnchorKind, runAt: now }, now);
  }
}

/** The job that has the newest checkpoint sent to each place that lacks it. */
export function createAnchorJob(rules: Pick<AnchorRules, 'checkpointDir'>): JobKind {
  return {
    async handler(context) {
      await sendTo(context, await listPlaces(context, rules));
      return 'finished';
    },
  };
}

const listStampPlaces = async (context: Context): Promise<PlaceKey[]> =>
  (await listPlaces(context, { checkpointDir: undefined })).filter(({ kind }) => kind === 'TIME_STAMP');

/** Has the newest checkpoint sent to the time stamp servers of the tenant; false where it chose none. */
export async function sendToStamp(context: Context): Promise<boolean> {
  const places = await listStampPlaces(context);
  await sendTo(context, places);
  return places.length > 0;
}

/** A checkpoint with the time stamp over it. */
export interface StampedCheckpoint {
  readonly size: number;
  readonly note: string;
  readonly reply: Buffer;
}

/** The newest checkpoint of an epoch, of at least `size` leaves, that a time stamp server of the tenant holds; undefined for none. */
export async function findStamped(context: Context, epoch: number, size: number): Promise<StampedCheckpoint | undefined> {
  for (const anchor of await listNewestAnchors(context, await listStampPlaces(context))) {
    if (anchor.epoch === epoch && anchor.size >= size && anchor.proof !== null) {
      const checkpoint = await findCheckpoint(context, epoch, anchor.size);
      if (checkpoint !== undefined) {
        return { size: anchor.size, note: checkpoint.note, reply: anchor.proof };
      }
    }
  }
  return undefined;
}
