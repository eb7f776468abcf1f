/** Slot of sources for later modules. */
import type { JsonObject } from '@bufbuild/protobuf';
import type { Context } from '../../context.ts';
import type { FieldViolation } from '../../errors.ts';
import type { Sql } from '../../lib/sql.ts';
import { createSlot } from '../../lib/slot.ts';
import type { SourceKind } from './store-sync.ts';

/** Config of a source that fetches by itself: its kind, the config in its fixed form, and what is wrong with it. */
export interface FetchSettings {
  readonly kind: SourceKind;
  readonly config: JsonObject;
  readonly violations: readonly FieldViolation[];
}

/** A source as far as it says how old its data may be. */
export interface AgingSource {
  readonly id: string;
  readonly kind: SourceKind;
  readonly schedule: string;
  readonly zone: string;
  /** Seconds; null for the usual. */
  readonly staleAfter: number | null;
}

/** Later modules' answers. */
export interface SourceSlot {
  /** Returns the order in which the directory that an app is matches people; undefined where it is none. */
  readonly findDirectoryOrder: (context: Context, appId: string) => Promise<readonly string[] | undefined>;
  /** Returns the accounts of an app that other sources than this one push, as `account_id` and `source_no`; an account may come several times. */
  readonly getPushedAccounts: (tenantId: string, appId: string, sourceNo: number) => Sql;
  /** Returns the last import of the source `c` as `state`, `started_at`, `created_at` and `error`, with `observed_from` of the last that was done; no row before the first. */
  readonly getLastSync: () => Sql;
  /** Returns the newest fetch of the source `c` that was not skipped as `state`, `error`, `started_at` and `held_id`, the held one; always one row. */
  readonly getFetches: () => Sql;
  /** Returns how many records of people the source `c` reports of which is disputed whose they are, as a scalar. */
  readonly getDisputedCount: () => Sql;
  /** Returns the age from which on the data of a source are too old, in seconds. */
  readonly getStaleAfter: (source: AgingSource, now: Date) => number;
  /** Returns the next times by the schedule of a source from this one on, in this zone where the source says none. */
  readonly listNextFetches: (source: AgingSource, from: Date, usualZone: string) => readonly Date[];
  /** Reads a config; undefined where it is of no kind that fetches. */
  readonly readSettings: (config: JsonObject) => FetchSettings | undefined;
}

/** Slot they fill. */
export const sourceSlot = createSlot<SourceSlot>('sources');
