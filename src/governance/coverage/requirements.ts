/**
 * Requirements that ask for access reviews, and what the facts show about each. Only facts are said: whether they satisfy a requirement is for an
 * auditor to judge.
 */
import type { Context } from '../../context.ts';
import { countCertified, countRemovals, listReviewedApps, type ReviewedApp } from './store-requirements.ts';

/** A requirement, with the days between two reviews that it names, or that are usual. */
interface Requirement {
  readonly requirement: 'PCI_DSS_7_2_4' | 'SOX_404' | 'SOC2_CC6' | 'ISO_27001_A_5_18';
  readonly intervalDays: number;
  readonly isIntervalNamed: boolean;
}

const requirements: readonly Requirement[] = [
  { requirement: 'PCI_DSS_7_2_4', intervalDays: 183, isIntervalNamed: true },
  { requirement: 'SOX_404', intervalDays: 92, isIntervalNamed: false },
  { requirement: 'SOC2_CC6', intervalDays: 365, isIntervalNamed: false },
  { requirement: 'ISO_27001_A_5_18', intervalDays: 365, isIntervalNamed: false },
];

/** Most apps that are named for a requirement. */
const maxUnreviewed = 20;
const dayMs = 86_400_000;

/** Facts about one requirement. */
export interface Finding extends Requirement {
  readonly apps: number;
  readonly appsReviewed: number;
  readonly grants: number;
  readonly grantsCertified: number;
  readonly removals: number;
  readonly removalsProven: number;
  readonly removalsOpen: number;
  readonly unreviewed: readonly ReviewedApp[];
}

/** Returns what the facts of each requirement's interval show. */
export async function findFacts(context: Context): Promise<Finding[]> {
  const intervals = [...new Set(requirements.map(({ intervalDays }) => intervalDays))];
  const apps = await listReviewedApps(context);
  const certified = new Map((await countCertified(context, intervals)).map((row) => [row.days, row]));
  const removals = new Map((await countRemovals(context, intervals)).map((row) => [row.days, row]));
  return requirements.map((one) => {
    const since = context.now.getTime() - one.intervalDays * dayMs;
    const unreviewed = apps.filter(({ lastReviewedAt }) => lastReviewedAt === null || lastReviewedAt.getTime() <= since);
    const held = certified.get(one.intervalDays);
    const removed = removals.get(one.intervalDays);
    return {
      ...one,
      apps: apps.length,
      appsReviewed: apps.length - unreviewed.length,
      grants: held?.grants ?? 0,
      grantsCertified: held?.certified ?? 0,
      removals: removed?.removals ?? 0,
      removalsProven: removed?.proven ?? 0,
      removalsOpen: removed?.open ?? 0,
      unreviewed: unreviewed.slice(0, maxUnreviewed),
    };
  });
}
