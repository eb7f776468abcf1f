/** Grants as lines over time: one line a right, grouped by app, with its decisions as marks and its present state in words. */
import { beginOf, type PersonGrant } from '~/data/inventory/person-grants.ts';
import type { Line, LineGroup, LineMark } from '~/parts/drawings/lifelines.tsx';
import { date, relative } from '~/text/format.ts';
import { text } from '~/text/text.ts';

const day = 86_400_000;
/** Not used for so long stands out. */
const longUnusedMs = 365 * day;

/** The lines of all grants, and when the first of them began. */
export function linesOf(grants: readonly PersonGrant[], now = Date.now()): { groups: LineGroup[]; first: number } {
  const byApp = Map.groupBy(grants, (grant) => grant.appId ?? '');
  const groups = [...byApp.values()].map((ofApp): LineGroup => {
    const byRight = Map.groupBy(ofApp, (grant) => `${grant.appEntitlementId} ${grant.isDerived === true}`);
    const standing = ofApp.filter((grant) => grant.endedAt === undefined).length;
    const lines = [...byRight].map(([key, periods]) => lineOf(key, periods, now));
    return {
      title: ofApp[0]?.appDisplayName ?? '',
      note: text('people.appNote', { now: standing, ended: ofApp.length - standing }),
      lines: lines.sort((a, b) => Number(a.isEnded) - Number(b.isEnded) || a.name.localeCompare(b.name)),
    };
  });
  const begins = grants.map((grant) => Date.parse(beginOf(grant))).filter((time) => !Number.isNaN(time));
  return { groups: groups.sort((a, b) => a.title.localeCompare(b.title)), first: Math.min(now, ...begins) };
}

function lineOf(key: string, grants: readonly PersonGrant[], now: number): Line {
  const [first] = grants;
  const last = grants.find((grant) => grant.endedAt === undefined) ?? grants.toSorted((a, b) => endOf(b, now) - endOf(a, now))[0];
  const marks = grants.flatMap((grant) =>
    (grant.decisions ?? []).map(
      (decision): LineMark => ({
        at: Date.parse(decision.decidedAt ?? ''),
        kind: decision.outcome === 'CERTIFIED' ? 'certified' : 'denied',
        label: text(decision.outcome === 'CERTIFIED' ? 'people.certifiedIn' : 'people.deniedIn', {
          date: date(decision.decidedAt ?? ''),
          review: decision.reviewDisplayName ?? '',
        }),
      }),
    ),
  );
  return {
    key,
    name: first?.entitlementDescription || first?.entitlement || '',
    hint: first?.entitlementDescription ? (first?.entitlement ?? '') : '',
    isEnded: last?.endedAt !== undefined,
    periods: grants.map((grant) => ({
      from: Date.parse(beginOf(grant)),
      to: endOf(grant, now),
      tone: grant.endedAt !== undefined ? 'ended' : grant.inConflict === true ? 'conflict' : 'held',
    })),
    marks,
    ...stateOf(last, now),
  };
}

function endOf(grant: PersonGrant, now: number): number {
  return grant.endedAt === undefined ? now : Date.parse(grant.endedAt);
}

/** Finds the words at a line's end: what matters most of how the right stands now. */
function stateOf(grant: PersonGrant | undefined, now: number): { state: string; stateTone: Line['stateTone'] } {
  if (grant === undefined) {
    return { state: '', stateTone: 'quiet' };
  }
  if (grant.endedAt !== undefined) {
    return { state: text('people.endedOn', { date: date(grant.endedAt) }), stateTone: 'quiet' };
  }
  const isAsked = Boolean(grant.openTaskId);
  if (grant.inConflict === true) {
    return { state: isAsked ? text('people.conflictAsked') : text('people.conflict'), stateTone: 'no' };
  }
  if (isAsked) {
    return { state: text('people.asked'), stateTone: 'quiet' };
  }
  if (grant.lastUsedAt === undefined) {
    return { state: text('people.useNotKnown'), stateTone: 'quiet' };
  }
  const isLong = now - Date.parse(grant.lastUsedAt) > longUnusedMs;
  return isLong
    ? { state: text('people.notUsedSince', { date: date(grant.lastUsedAt) }), stateTone: 'warn' }
    : { state: text('people.used', { when: relative(grant.lastUsedAt) }), stateTone: 'quiet' };
}
