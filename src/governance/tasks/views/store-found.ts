/** Findings about a task and its last decision in a review before, as store.ts reads them. */
import type { EndReason, TaskOutcome } from '../task/index.ts';
import type { ReportedEnd } from './store-reported-end.ts';

/** The last decision about the same access in a review before, and what the snapshot of that review had. */
export interface Previous {
  readonly taskId: string;
  readonly reviewId: string;
  readonly outcome: TaskOutcome;
  readonly endReason: EndReason;
  readonly decidedById: string | null;
  readonly decidedByName: string | null;
  /** Another person who issued what it was decided through; null for nobody. */
  readonly decidedIssuerId: string | null;
  readonly decidedIssuerName: string | null;
  /** RFC 3339; null where it was never ended. */
  readonly endedAt: string | null;
  readonly comment: string | null;
  readonly accountStatus: string | null;
  readonly accountType: string | null;
  readonly owner: string | null;
  readonly department: string | null;
  readonly jobTitle: string | null;
  readonly managerEmail: string | null;
  readonly riskLevel: string | null;
}

/** Findings about a task (`tasks.flags`, `tasks.score`), with the facts that its sentences need. */
export interface Found {
  readonly score: number;
  readonly flags: number;
  readonly peers: number;
  readonly peersWith: number;
  /** Time of the snapshot, as RFC 3339. */
  readonly frozenAt: string | null;
  readonly riskLevel: string | null;
  readonly userStatus: string | null;
  readonly managerEmail: string | null;
  /** The source that reports the grant now; null for a manual one. */
  readonly source: string | null;
  /** Way the access was held at the snapshot; null where nothing about that stands out. */
  readonly held: Held | null;
  /** The end that a source reports, where it had passed at the snapshot; null for others. */
  readonly reportedEnd: ReportedEnd | null;
  /** The rules of access conflicts that the access broke at the snapshot, by name; null where it broke none, or where that is not known. */
  readonly rules: readonly Rule[] | null;
  readonly previous: Previous | null;
}

/** A rule about access that nobody should hold together: a monitor of access conflicts, by the name it has now. */
export interface Rule {
  readonly monitorId: string;
  readonly displayName: string;
}

/** Way access was held at a snapshot. */
interface Held {
  /** The names of the entitlements on the first path by which it is inherited, from the one that is held itself; null where it is not. */
  readonly through: readonly string[] | null;
  /** Number of paths. */
  readonly ways: number;
  /** Time it ends, as RFC 3339; null for never. */
  readonly endsAt: string | null;
}
