/** Verifies an evidence bundle: offline, without a database, and with memory that grows little with the bundle. */
import { closeSync, openSync } from 'node:fs';
import { openCheckpoint } from '../lib/log/checkpoint.ts';
import { NoteError } from '../lib/log/signed-note.ts';
import { verifyTimeStamp } from '../lib/time-stamps/verify.ts';
import { readContainer } from './container.ts';
import { checkAnchors, readAnchorSizes } from './anchors.ts';
import { Digests } from './digests.ts';
import { checkEvents } from './events.ts';
import { type Finding, Findings, UnreadableError } from './findings.ts';
import { checkSeal, type LoggedEvent, type Seal } from './log.ts';
import { type Bundle, DamagedError, readMembers } from './members.ts';
import { checkPeople } from './people.ts';
import { readReplay } from './replay.ts';
import { checkRows } from './rows.ts';
import { sayBelief, sayErased, sayHeld } from './say.ts';
import { checkSignatures, checkSigners, sentenceOf, storedExchange } from './signatures.ts';
import { checkSums } from './sums.ts';
import { readTree } from './tree.ts';
import { type OutsideFiles, readTrust, type Trust, withoutMarks } from './trust.ts';

/** Result of a verification. */
export interface Verification {
  /** `holds`; `broken` where something does not hold; `unproven` where it holds on keys that the bundle itself brought. */
  readonly verdict: 'holds' | 'broken' | 'unproven';
  readonly findings: readonly Finding[];
  /** Findings beyond those listed. */
  readonly more: number;
  readonly notes: readonly string[];
  /** What was shown, each a sentence. */
  readonly shown: readonly string[];
  /** What must be believed, because nothing here shows it. */
  readonly believed: readonly string[];
}

/**
 * Verifies a bundle, whose time stamps have to be made under one of these policies where there are any. Throws UnreadableError where the file, or one of
 * those from outside, cannot be read.
 */
export async function verifyBundle(path: string, outside: OutsideFiles = {}, policies: readonly string[] = []): Promise<Verification> {
  const file = openFile(path);
  const findings = new Findings();
  try {
    return await verifyFile(file, findings, withoutMarks(outside), policies);
  } catch (error) {
    if (error instanceof DamagedError) {
      return concluded(findings, { shown: [], believed: [], isProven: false });
    }
    throw error;
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new UnreadableError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function verifyFile(file: number, findings: Findings, outside: OutsideFiles, policies: readonly string[]): Promise<Verification> {
  const bundle = readMembers(file, readContainer(file, findings), findings);
  const trust = await readTrust(bundle, outside, policies);
  const seal = checkSeal(bundle, trust);
  const stampedAt = await checkSealStamp(bundle, trust, seal);
  const kept = readKept(trust, outside.checkpoint);
  const tree = readTree(bundle, seal.checkpoint, new Set([...readAnchorSizes(bundle), kept?.size ?? -1]));
  compareKept(bundle, seal, kept, tree.rootAt);
  const anchors = await checkAnchors(bundle, trust, tree);
  const digests = new Digests(findings);
  const submitted = new Map<string, LoggedEvent>();
  let scopeHash = '';
  let snapshot: LoggedEvent | undefined;
  const events = checkEvents(bundle, tree, seal, (event) => {
    digests.record(event);
    if (event.kind === 'review.prepared') {
      scopeHash = event.data.text('inputHash');
    }
    if (event.kind === 'review.snapshot_taken') {
      snapshot = event;
    }
    if ((event.kind === 'review.submitted' || event.kind === 'review.acknowledged') && !event.isErased) {
      submitted.set(event.data.text('submission') || event.data.text('submissionId'), event);
    }
  });
  const signatures = await checkSignatures(bundle, trust, submitted, (event) => digests.isErased(event));
  const replay = readReplay(bundle, scopeHash);
  const people = checkPeople(bundle, digests, new Set(signatures.list.map(({ signer }) => signer)), (id, person) =>
    replay?.person(id, person),
  );
  checkSigners(bundle, signatures, people);
  const counted = checkRows(bundle, digests, signatures, people, replay);
  const rows = digests.check();
  const accounted = checkSums(bundle, counted, snapshot);
  readRest(bundle);
  const erased = {
    events: events.erased,
    people: people.erased,
    rows: digests.erased,
    tokens: signatures.list.filter((one) => one.isTokenErased).length,
  };
  const facts = {
    bundle,
    seal,
    stampedAt,
    events,
    signatures,
    people,
    counted,
    rows,
    erased,
    accounted,
    replayed: replay,
    anchors,
    kept: outside.checkpoint !== undefined,
  };
  const brought = [
    ...(outside.key === undefined ? ['keys/policy.txt'] : []),
    ...(outside.tsaRoots === undefined && (stampedAt !== undefined || signatures.list.some(({ stamp }) => stamp !== undefined))
      ? ['keys/tsa-roots.pem']
      : []),
    ...(outside.idpKeys === undefined && signatures.list.some(({ token }) => token !== undefined) ? ['keys/idp.json'] : []),
  ];
  for (const name of brought) {
    findings.notes.push(`the keys in ${name} came with the bundle; nobody outside vouches for them`);
  }
  findings.notes.push(...sayErased(erased));
  return concluded(findings, { shown: sayHeld(facts), believed: sayBelief(facts, brought), isProven: brought.length === 0 });
}

function concluded(
  findings: Findings,
  { shown, believed, isProven }: { readonly shown: readonly string[]; readonly believed: readonly string[]; readonly isProven: boolean },
): Verification {
  const { findings: found, more } = findings.list();
  const verdict = found.length > 0 ? 'broken' : isProven ? 'holds' : 'unproven';
  return { verdict, findings: found, more, notes: findings.notes, shown: verdict === 'broken' ? [] : shown, believed };
}

const stampFile = 'seal/timestamp.tsr';
/** Seconds by which the clock of the service may be ahead of the server's. */
const maxAhead = 300;

/** The time at which somebody else saw the sealed checkpoint; undefined where nobody did. */
async function checkSealStamp({ findings, content, manifest, has }: Bundle, trust: Trust, { sealed }: Seal): Promise<Date | undefined> {
  if (!has(stampFile)) {
    findings.notes.push('the seal has no time stamp: only the log says when it was made');
    return undefined;
  }
  const reply = content(stampFile);
  if (reply === undefined || sealed === undefined) {
    return undefined;
  }
  if (trust.timeStamps === undefined) {
    findings.add(stampFile, 'No certificates are known under which it could be checked.', { from: ['keys/tsa-roots.pem'] });
    return undefined;
  }
  try {
    const { at } = await verifyTimeStamp(reply, storedExchange(Buffer.from(sealed.text)), trust.timeStamps);
    if (at.getTime() < Date.parse(manifest.madeAt) - maxAhead * 1000) {
      findings.add(stampFile, `It says ${at.toISOString()}, which is before the bundle was made.`, { from: ['manifest.json'] });
    }
    return at;
  } catch (error) {
    findings.add(stampFile, sentenceOf(error), { from: ['seal/proof.tlog-proof', 'keys/tsa-roots.pem'] });
    return undefined;
  }
}

function readKept({ log }: Trust, note: Buffer | undefined) {
  if (note === undefined) {
    return undefined;
  }
  try {
    return openCheckpoint(log, note);
  } catch (error) {
    if (error instanceof NoteError) {
      throw new UnreadableError(`--checkpoint: ${error.message}`);
    }
    throw error;
  }
}

/** Holds the log of the bundle to a checkpoint that somebody kept. */
function compareKept(
  { findings }: Bundle,
  { checkpoint, sealed }: Seal,
  kept: ReturnType<typeof readKept>,
  rootAt: (size: number) => Buffer | undefined,
): void {
  if (kept === undefined || checkpoint === undefined) {
    return;
  }
  if (kept.origin !== checkpoint.origin) {
    findings.add('log/checkpoint', `It is of the log ${checkpoint.origin}, and the checkpoint that was kept of ${kept.origin}.`);
    return;
  }
  const root = kept.size === sealed?.size ? sealed.root : rootAt(kept.size);
  if (root === undefined) {
    throw new UnreadableError(
      `--checkpoint: the bundle cannot be compared with a checkpoint of ${kept.size} events; take one of ${checkpoint.size} or ${sealed?.size ?? 0} events.`,
    );
  }
  if (!root.equals(kept.root)) {
    findings.add(
      'log/checkpoint',
      `The log had other events when it had ${kept.size} of them: it was rewritten after the checkpoint that was kept.`,
    );
  }
}

/** Reads the members that nothing else read, so that every byte was held against its hash. */
function readRest({ lines, unread }: Bundle): void {
  for (const name of unread()) {
    for (const _ of lines(name)) {
      // Reading compares.
    }
  }
}
