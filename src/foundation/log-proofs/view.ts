/** The event log as clients see it: checkpoints, leaves and proofs, their hashes in base64. */
import type {
  LogAnchor,
  LogCheckpoint,
  LogEntry,
  LogProof,
  LogSettings as LogSettingsMessage,
} from '../../gen/countersign/v1/event_log_pb.js';
import type { Row } from '../../wire/row.ts';
import type { EpochRow } from '../audit/index.ts';
import type { AnchorRow } from './anchors/index.ts';
import type { LogSettings } from './settings.ts';
import type { CheckpointRow, Entry, ProvedEntry } from './tree/index.ts';

/** A checkpoint of an epoch. */
export function shapeCheckpoint(row: CheckpointRow, { origin, base }: Pick<EpochRow, 'origin' | 'base'>): Row<LogCheckpoint> {
  return { ...row, origin, base, root: row.root.toString('base64') };
}

/** A leaf. */
export function shapeEntry({ leafHash, ...entry }: Entry): Row<LogEntry> {
  return { ...entry, leafHash: leafHash.toString('base64') };
}

/** A leaf with its proof. */
export function shapeProof({ proof, proofFile, ...entry }: ProvedEntry): Row<LogProof> {
  return { ...shapeEntry(entry), proof: proof.map((hash) => hash.toString('base64')), proofFile };
}

/** A checkpoint that somebody holds. */
export function shapeAnchor({ proof, vouchedAt, ...anchor }: AnchorRow): Row<LogAnchor> {
  return { ...anchor, vouchedAt: vouchedAt ?? undefined, proof: proof?.toString('base64') ?? '' };
}

/** The settings. */
export const shapeSettings = (settings: LogSettings): Row<LogSettingsMessage> => settings;
