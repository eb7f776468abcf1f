/** The contract's service about the event log: each method calls one rule and shapes the reply. */
import type { JsonObject } from '@bufbuild/protobuf';
import { EventLogService, LogSettingsSchema } from '../../gen/countersign/v1/event_log_pb.js';
import { invalidField } from '../../errors.ts';
import { applyUpdate } from '../../wire/mask.ts';
import { pageByKey } from '../../wire/page.ts';
import { shape } from '../../wire/reply.ts';
import { implement } from '../../wire/service.ts';
import { listEpochs } from '../audit/index.ts';
import { type AnchorRules, type ChosenPlace, listAnchors } from './anchors/index.ts';
import { changeLogSettings, getLogSettings } from './settings.ts';
import { findHead, listCheckpoints, listShownEntries, proveConsistency, proveEvents, renameSize, sealFirst } from './tree/index.ts';
import { shapeAnchor, shapeCheckpoint, shapeEntry, shapeProof, shapeSettings } from './view.ts';

const createEventLog = (rules: Pick<AnchorRules, 'checkpointDir'>) =>
  implement(EventLogService, {
    getCheckpoint: async (context, request) => {
      const { checkpoint, epoch } = await findHead(context, request.epoch, wholeOf('size', request.size));
      return { checkpoint: shapeCheckpoint(checkpoint, epoch) };
    },
    listCheckpoints: async (context, _request, call) => {
      const epochs = new Map((await listEpochs(context)).map((epoch) => [epoch.epoch, epoch]));
      const { rows, nextPageToken } = await pageByKey(
        call,
        (after, limit) => listCheckpoints(context, { epoch: Number(after?.[0] ?? 0), size: Number(after?.[1] ?? 0) }, limit),
        ({ epoch, size }) => [String(epoch), String(size)],
      );
      const list = rows.map((row) => shapeCheckpoint(row, epochs.get(row.epoch) ?? { origin: '', base: 0 }));
      return { list, nextPageToken };
    },
    listAnchors: async (context, _request, call) => {
      const { rows, nextPageToken } = await pageByKey(
        call,
        (after, limit) => listAnchors(context, after?.[0] ?? '', limit),
        ({ id }) => [id],
      );
      return { list: rows.map(shapeAnchor), nextPageToken };
    },
    listEntries: async (context, request, call) => {
      const from = wholeOf('fromPosition', request.fromPosition) ?? 0;
      await sealFirst(context);
      const { rows, nextPageToken } = await pageByKey(
        call,
        (after, limit) => listShownEntries(context, request.reviewId, after === undefined ? from : Number(after[0]) + 1, limit),
        ({ position }) => [String(position)],
      );
      return { list: rows.map(shapeEntry), nextPageToken };
    },
    getConsistency: async (context, request) => {
      const first = wholeOf('first', request.first) ?? 0;
      const { checkpoint, epoch } = await findHead(context, request.epoch, wholeOf('second', request.second)).catch(renameSize('second'));
      if (first > checkpoint.size) {
        throw invalidField('first', `is beyond the second size, which is ${checkpoint.size}`);
      }
      const proof = await proveConsistency(context, epoch, first, checkpoint.size);
      return {
        first,
        second: checkpoint.size,
        proof: proof.map((hash) => hash.toString('base64')),
        checkpoint: shapeCheckpoint(checkpoint, epoch),
      };
    },
    prove: async (context, request) => {
      const { checkpoint, epoch, list } = await proveEvents(context, {
        eventUids: request.eventUids,
        positions: request.positions.map((position, at) => wholeOf(`positions[${at}]`, position) ?? 0),
        treeSize: wholeOf('treeSize', request.treeSize),
        epoch: request.epoch,
      });
      return { checkpoint: shapeCheckpoint(checkpoint, epoch), list: list.map(shapeProof) };
    },
    getSettings: async (context) => ({ settings: shapeSettings(await getLogSettings(context, rules)) }),
    updateSettings: async (context, _request, call) => {
      const before = shape(LogSettingsSchema, shapeSettings(await getLogSettings(context, rules)));
      const { publishLog = false, anchors = [] } = applyUpdate(
        LogSettingsSchema,
        before as JsonObject,
        (call.sent.settings ?? {}) as JsonObject,
        call.mask,
      );
      await changeLogSettings(context, { publishLog: publishLog === true, anchors: readPlaces(anchors as readonly JsonObject[]) });
      return { settings: shapeSettings(await getLogSettings(context, rules)) };
    },
  });

/** A size or position. */
function wholeOf(field: string, value: bigint | undefined): number | undefined {
  if (value !== undefined && (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))) {
    throw invalidField(field, 'must be a whole number from 0 to 2^53 - 1');
  }
  return value === undefined ? undefined : Number(value);
}

/** The places as they were sent. */
function readPlaces(places: readonly JsonObject[]): ChosenPlace[] {
  return places.map(({ kind, url, publicKey }, at) => {
    if (kind !== 'LOG_ANCHOR_KIND_TIME_STAMP' && kind !== 'LOG_ANCHOR_KIND_WITNESS') {
      throw invalidField(`settings.anchors[${at}].kind`, 'must be LOG_ANCHOR_KIND_TIME_STAMP or LOG_ANCHOR_KIND_WITNESS');
    }
    return {
      kind: kind === 'LOG_ANCHOR_KIND_WITNESS' ? 'WITNESS' : 'TIME_STAMP',
      url: String(url ?? ''),
      publicKey: String(publicKey ?? ''),
    };
  });
}

/** Services of the module log-proofs. */
export const createServices = (rules: Pick<AnchorRules, 'checkpointDir'>) => [createEventLog(rules)];
