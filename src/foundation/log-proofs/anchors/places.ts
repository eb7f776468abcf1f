/** Places that hold checkpoints of a log: those a tenant chose, and the operator's folder. */
import type { Context } from '../../../context.ts';
import { type FieldViolation, refuseInvalid } from '../../../errors.ts';
import { findUrlProblem, type OutgoingRules } from '../../../lib/outgoing.ts';
import { readVkey } from '../../../lib/log/signed-note.ts';

/** Kind of a place (`log_anchors.kind`). */
export type AnchorKind = 'TIME_STAMP' | 'WITNESS' | 'FILE';

/** A place that a tenant chose. */
export interface ChosenPlace {
  readonly kind: 'TIME_STAMP' | 'WITNESS';
  readonly url: string;
  /** The key of a witness as a vkey; '' for others. */
  readonly publicKey: string;
}

/** Means that the operator gives for anchors. */
export interface AnchorRules {
  readonly outgoing: OutgoingRules;
  /** The folder that checkpoints of all tenants are written to. */
  readonly checkpointDir: string | undefined;
}

const maxPlaces = 8;

/** Throws INVALID_ARGUMENT, with every violation, for places that cannot be used. */
export function requirePlaces({ db }: Context, places: readonly ChosenPlace[]): void {
  const believesTimeStamps = db.vault.timeStamps.pem !== '';
  const violations = places.flatMap((place, at) =>
    [...judgePlace(place, believesTimeStamps)].map(([member, text]) => violation(`${at}].${member}`, text)),
  );
  if (places.length > maxPlaces) {
    violations.push({ field: 'settings.anchors', description: `has ${places.length} places; ${maxPlaces} are allowed` });
  }
  const urls = places.map(({ kind, url }) => `${kind} ${url}`);
  violations.push(
    ...urls.flatMap((url, at) => (urls.indexOf(url) < at ? [violation(`${at}].url`, 'is a place that stands above already')] : [])),
  );
  refuseInvalid(violations);
}

const violation = (path: string, description: string): FieldViolation => ({ field: `settings.anchors[${path}`, description });

function* judgePlace({ kind, url, publicKey }: ChosenPlace, believesTimeStamps: boolean): Generator<[string, string]> {
  const problem = findUrlProblem(url);
  if (problem !== undefined) {
    yield ['url', problem];
  }
  if (kind === 'WITNESS' && !isWitnessKey(publicKey)) {
    yield ['publicKey', 'must be the key of a witness, in the form name+id+key with a key of type 0x04'];
  }
  if (kind === 'TIME_STAMP' && publicKey !== '') {
    yield ['publicKey', 'is for witnesses alone; whom to believe of time stamps the operator says (--tsa-roots)'];
  }
  if (kind === 'TIME_STAMP' && !believesTimeStamps) {
    yield ['kind', 'cannot be used: the operator gave no roots of time stamp servers (--tsa-roots)'];
  }
}

function isWitnessKey(vkey: string): boolean {
  try {
    return readVkey(vkey).kind === 'cosignature';
  } catch {
    return false;
  }
}
