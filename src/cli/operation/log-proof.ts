/**
 * `countersign log show`, `log prove` and `log anchors`: checkpoints and proofs of the event log, checked here before they are shown, and who holds
 * checkpoints; all through the API.
 */
import { writeFile } from 'node:fs/promises';
import { type Commands, formatFacts } from '../frame/commands.ts';
import {
  EventLogService,
  type LogAnchorPlaceJson,
  type LogCheckpointJson,
  type LogProofJson,
} from '../../gen/countersign/v1/event_log_pb.js';
import { hashLeaf } from '../../lib/log/merkle.ts';
import { verifyInclusion } from '../../lib/log/merkle-proof.ts';
import { CommandFailure, formatTable, UsageError } from '../frame/io.ts';

/** Adds `log show` and `log prove`. */
export function addProofCommands(group: Commands): void {
  group.run('show', {
    description: 'show the signed checkpoint of the log; keep one outside to hold the log to it later',
    options: { '--size <size>': 'of its first so many events', '--output <file>': 'write the checkpoint itself to a file' },
    act: async (given, { client }) => {
      const { checkpoint = {} } = await client.call(
        EventLogService.method.getCheckpoint,
        given.size === undefined ? {} : { size: given.size },
      );
      if (given.output !== undefined) {
        await writeFile(given.output, checkpoint.note ?? '');
      }
      return {
        json: checkpoint,
        text: [
          ...formatFacts({ origin: checkpoint.origin, events: checkpoint.size, root: checkpoint.root, signed: checkpoint.signedAt }),
          ...(given.output === undefined ? ['', checkpoint.note?.trimEnd() ?? ''] : [`${given.output} holds the checkpoint.`]),
        ],
      };
    },
  });

  group.run('prove', {
    description: 'prove that events are in the log',
    operands: { '<events...>': 'ids of events, or their positions' },
    options: { '--output <file>': 'write the proof of a single event to a file (.tlog-proof)' },
    act: async (given, { client }) => {
      const positions = given.events.filter((text) => /^\d{1,16}$/.test(text));
      const eventUids = given.events.filter((text) => !positions.includes(text));
      if (given.output !== undefined && given.events.length !== 1) {
        throw new UsageError('--output takes the proof of one event');
      }
      const { checkpoint = {}, list = [] } = await client.call(EventLogService.method.prove, { eventUids, positions });
      for (const one of list) {
        refuseWrong(checkpoint, one);
      }
      if (given.output !== undefined) {
        await writeFile(given.output, list[0]?.proofFile ?? '');
      }
      const rows = list.map(({ eventUid = '', position = '', leafHash = '' }) => [position, eventUid, leafHash]);
      return {
        json: { checkpoint, list },
        text: [
          formatTable(['POSITION', 'EVENT', 'LEAF HASH'], rows),
          `Each is in the tree of ${checkpoint.size ?? '0'} events with the root ${checkpoint.root ?? ''}.`,
          ...(given.output === undefined ? [] : [`${given.output} holds the proof.`]),
        ],
      };
    },
  });

  addAnchorCommand(group);
}

/** Adds `log anchors`. */
function addAnchorCommand(group: Commands): void {
  group.run('anchors', {
    description: 'show who holds checkpoints of the log, or choose who does',
    options: {
      '--add-time-stamp <url>': 'have a time stamp server (RFC 3161) vouch for checkpoints',
      '--add-witness <url>': 'have a witness (C2SP tlog-witness) cosign checkpoints; goes with --key',
      '--key <key>': 'key of the witness, in the form name+id+key',
      '--remove <url>': 'send no checkpoints there any more',
    },
    act: async (given, { client }) => {
      const witness = given.addWitness;
      if ((witness === undefined) !== (given.key === undefined)) {
        throw new UsageError('--add-witness and --key go together');
      }
      const { settings: before = {} } = await client.call(EventLogService.method.getSettings, {});
      const added: LogAnchorPlaceJson[] = [
        ...(given.addTimeStamp === undefined ? [] : [{ kind: 'LOG_ANCHOR_KIND_TIME_STAMP' as const, url: given.addTimeStamp }]),
        ...(witness === undefined ? [] : [{ kind: 'LOG_ANCHOR_KIND_WITNESS' as const, url: witness, publicKey: given.key ?? '' }]),
      ];
      const kept = (before.anchors ?? []).filter(({ url }) => url !== given.remove);
      const isKnown = given.remove === undefined || kept.length < (before.anchors ?? []).length;
      if (!isKnown) {
        throw new CommandFailure(`no checkpoints are sent to ${given.remove ?? ''}`);
      }
      const changes = added.length > 0 || given.remove !== undefined;
      const { settings = {} } = changes
        ? await client.call(EventLogService.method.updateSettings, { settings: { anchors: [...kept, ...added] }, updateMask: 'anchors' })
        : { settings: before };
      const rows = (settings.anchors ?? []).map(({ kind = '', url = '', size = '', anchoredAt = '', error = '' }) => [
        kind.replace('LOG_ANCHOR_KIND_', ''),
        url,
        size,
        anchoredAt,
        error,
      ]);
      return {
        json: settings.anchors ?? [],
        text: [
          rows.length === 0
            ? 'Nobody else holds checkpoints of this log.'
            : formatTable(['KIND', 'PLACE', 'EVENTS', 'SINCE', 'FAILS'], rows),
          ...(settings.keepsFiles === true ? ['The operator keeps them in a folder, too.'] : []),
        ],
      };
    },
  });
}

/** A server that answers something else than a proof is not taken at its word. */
function refuseWrong({ base = '0', size = '0', root = '' }: LogCheckpointJson, one: LogProofJson): void {
  const { leaf = '', leafHash = '', position = '0', proof = [] } = one;
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64');
  const holds =
    hashLeaf(Buffer.from(leaf)).equals(bytes(leafHash)) &&
    verifyInclusion(bytes(leafHash), Number(position) - Number(base), Number(size), bytes(root), proof.map(bytes));
  if (!holds) {
    throw new CommandFailure(`the proof of position ${position} does not lead to the checkpoint`);
  }
}
