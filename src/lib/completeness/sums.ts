/**
 * The six sums by which what a review asks about ties out to the files it came from. The service works them out of what it froze, and whoever verifies
 * evidence works them out again of what it says. Nothing here reads anything.
 */

/** What a source of an app brought and holds. Source 0 is what was given by hand, -1 the app access that follows from accounts. */
export interface SourceFigures {
  readonly appId: string;
  readonly sourceNo: number;
  readonly displayName: string;
  /** Empty where it has no file. */
  readonly syncId: string;
  readonly rows: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly elsewhere: number;
  readonly heldThen: number;
  readonly added: number;
  readonly ended: number;
  readonly held: number;
}

/** What a snapshot says of itself. */
export interface Figures {
  readonly sources: readonly SourceFigures[];
  /** Grants of accounts (A) and links of resources (R) of each app by verdict. */
  readonly verdicts: readonly { readonly appId: string; readonly kind: string; readonly verdict: string; readonly grants: number }[];
  /** Items there are, by what became of them. */
  readonly outcomes: readonly { readonly outcome: string; readonly items: number }[];
  /** Removals of what was denied, by state; undefined before anything was decided. */
  readonly removals: readonly { readonly state: string; readonly items: number }[] | undefined;
}

/** One sum: its number, what it is of, and both sides. */
export interface Sum {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6;
  readonly appId: string;
  readonly sourceNo: number | undefined;
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
  readonly text: string;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The outcomes of items that are denied, by people, policies or the close. */
export const deniedOutcomes: readonly string[] = ['DENIED', 'REVOKED_AT_CLOSE'];

function sum(
  number: Sum['number'],
  of: { readonly appId?: string; readonly sourceNo?: number },
  [left, right]: readonly [number, number],
  text: string,
): Sum {
  return { number, appId: of.appId ?? '', sourceNo: of.sourceNo, left, right, holds: left === right, text };
}

function sumsOfSource(source: SourceFigures): Sum[] {
  const { rows, accepted, duplicates, rejected, elsewhere, heldThen } = source;
  return source.syncId === ''
    ? []
    : [
        sum(
          1,
          source,
          [rows, accepted + duplicates + rejected],
          `${rows} rows = ${accepted} accepted + ${duplicates} named again + ${rejected} rejected`,
        ),
        sum(
          2,
          source,
          [accepted, heldThen + elsewhere],
          `${accepted} accepted = ${heldThen} held by it + ${elsewhere} held by another source`,
        ),
      ];
}

function sumsOfApp(appId: string, { sources, verdicts }: Figures): Sum[] {
  const ours = sources.filter((one) => one.appId === appId);
  const live = total(ours.map(({ held }) => held));
  const [then, added, ended] = (['heldThen', 'added', 'ended'] as const).map((name) => total(ours.map((one) => one[name])));
  const found = verdicts.filter((one) => one.appId === appId && one.kind === 'A');
  const parts = found.map(({ verdict, grants }) => `${grants} ${verdict}`).join(' + ');
  return [
    sum(
      3,
      { appId },
      [live, (then ?? 0) + (added ?? 0) - (ended ?? 0)],
      `${live} held = ${then} as of the last file + ${added} added - ${ended} ended since`,
    ),
    sum(4, { appId }, [live, total(found.map(({ grants }) => grants))], `${live} held = ${parts || '0'}`),
  ];
}

/** Returns the sums of a snapshot, in their order: those of each source, of each app, and of the review. */
export function makeSums(figures: Figures): Sum[] {
  const { sources, verdicts, outcomes, removals } = figures;
  const appIds = [...new Set([...sources, ...verdicts].map(({ appId }) => appId))].sort();
  const chosen = total(verdicts.map(({ verdict, grants }) => (verdict === 'IN' ? grants : 0)));
  const items = total(outcomes.map((one) => one.items));
  const denied = total(outcomes.filter(({ outcome }) => deniedOutcomes.includes(outcome)).map((one) => one.items));
  return [
    ...sources.flatMap(sumsOfSource),
    ...appIds.flatMap((appId) => sumsOfApp(appId, figures)),
    sum(5, {}, [chosen, items], `${chosen} IN = ${outcomes.map((one) => `${one.items} ${one.outcome}`).join(' + ') || '0'}`),
    ...(removals === undefined
      ? []
      : [
          sum(
            6,
            {},
            [denied, total(removals.map((one) => one.items))],
            `${denied} denied or revoked = ${removals.map((one) => `${one.items} ${one.state}`).join(' + ') || '0'}`,
          ),
        ]),
  ].toSorted((one, other) => one.number - other.number);
}
