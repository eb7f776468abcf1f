/** The sums of completeness: what the sources brought, what was left out and why, what was asked, and what became of it. */
import type { Bundle } from './members.ts';
import type { Counted } from './rows.ts';
import { eachLine } from './each-line.ts';
import { type Fields, readFields } from './fields.ts';
import type { LoggedEvent } from './log.ts';

const file = 'completeness.json';
const sourcesFile = 'sources.jsonl';
const revocationsFile = 'revocations.jsonl';
const [grantsFile, itemsFile, outcomesFile] = ['population/grants.jsonl', 'items.jsonl', 'outcomes.jsonl'];
const eventsFile = 'log/events.jsonl';

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0);
const wholes = (fields: Fields): number[] => Object.keys(fields.raw).map((name) => fields.whole(name));
/** A number that may be left out where there is nothing to count. */
const part = (fields: Fields, name: string): number => (fields.has(name) ? fields.whole(name) : 0);

/** Checks the sums against each other, the rows and the event of the snapshot; returns how many grants they account for. */
export function checkSums(bundle: Bundle, counted: Counted, snapshot: LoggedEvent | undefined): number {
  const { findings } = bundle;
  checkSources(bundle);
  const removals = countRemovals(bundle, counted);
  const text = bundle.content(file);
  const pack = text === undefined ? undefined : readFields(text.toString());
  if (pack === undefined) {
    if (text !== undefined) {
      findings.add(file, 'It is not a JSON object.');
    }
    return 0;
  }
  const say = (sentence: string, ...from: readonly string[]): void => findings.add(file, `It does not add up: ${sentence}.`, { from });
  const apps = pack.list('apps');
  for (const app of apps) {
    checkApp(app, counted, say);
  }
  for (const app of counted.verdicts.keys()) {
    if (!apps.some((one) => one.text('app') === app)) {
      say(`${grantsFile} has grants of app ${app}, and this nothing of it`, grantsFile);
    }
  }
  const inScope = sum(apps.map((app) => app.whole('inScope')));
  const outcomes = pack.fields('outcomes');
  if (inScope !== pack.whole('items') || inScope !== counted.items) {
    say(`${inScope} grants are in scope, it names ${pack.whole('items')} items, and there are ${counted.items}`, itemsFile!);
  }
  for (const outcome of new Set([...Object.keys(outcomes.raw), ...counted.outcomes.keys()])) {
    const found = counted.outcomes.get(outcome) ?? 0;
    if (part(outcomes, outcome) !== found) {
      say(`it names ${part(outcomes, outcome)} items with the outcome ${outcome}, and there are ${found}`, outcomesFile!);
    }
  }
  if (sum(wholes(outcomes)) !== pack.whole('items')) {
    say(`the outcomes of ${sum(wholes(outcomes))} items are named, of ${pack.whole('items')}`);
  }
  checkRemovals(pack, counted, removals, say);
  checkDisputed(pack, snapshot, say);
  return sum(apps.map((app) => app.whole('liveAtRevision')));
}

/** Records of people that were disputed have no rows here: their numbers are those that the snapshot recorded, source by source. */
function checkDisputed(pack: Fields, snapshot: LoggedEvent | undefined, say: (sentence: string, ...from: readonly string[]) => void): void {
  if (snapshot?.isErased === true) {
    return;
  }
  const named = pack.fields('disputed');
  const logged = new Map(
    snapshot?.data.list('peopleSources').map((source) => [source.text('sourceId'), source.whole('disputed')] as const),
  );
  for (const source of new Set([...Object.keys(named.raw), ...logged.keys()])) {
    const [found, wanted] = [named.has(source) ? named.whole(source) : undefined, logged.get(source)];
    if (found !== wanted) {
      say(`it names ${found ?? 'no'} disputed records of source ${source}, and ${wanted ?? 'none'} were logged`, eventsFile);
    }
  }
}

/** Removals as they are there. */
interface Removals {
  readonly count: number;
  /** Denied items that have one. */
  readonly items: number;
  /** Those that were not withdrawn, though their item was not denied or has another such one. */
  readonly astray: number;
}

/** Counts removals. A denial that was amended or started over leaves one behind that was withdrawn. */
function countRemovals(bundle: Bundle, { places, denied }: Counted): Removals {
  const [has, stands] = [new Uint8Array(denied.length), new Uint8Array(denied.length)];
  let astray = 0;
  const count = eachLine(bundle, revocationsFile, (row) => {
    const place = Math.abs(places.get(row.text('item')));
    has[place] = denied[place] ?? 0;
    if (row.text('state') !== 'CANCELLED') {
      astray += denied[place] === 1 && stands[place] === 0 ? 0 : 1;
      stands[place] = 1;
    }
  });
  return { count, items: sum(has), astray };
}

/** Sum 6: whatever was denied or revoked has a removal in some state, and nothing else has one that was not withdrawn. */
function checkRemovals(
  pack: Fields,
  { denied }: Counted,
  { count, items, astray }: Removals,
  say: (sentence: string, ...from: readonly string[]) => void,
): void {
  if (!pack.has('revocations')) {
    return;
  }
  const named = sum(wholes(pack.fields('revocations')));
  if (named !== count) {
    say(`it names ${named} removals, and ${revocationsFile} has ${count}`, revocationsFile);
  }
  if (items !== sum(denied)) {
    say(`${sum(denied)} items were denied or revoked, and ${items} of them have a removal`, outcomesFile!, revocationsFile);
  }
  if (astray > 0) {
    say(`${astray} removals were not withdrawn, and their items were not denied or have another one`, outcomesFile!, revocationsFile);
  }
}

/** Sums 3 and 4, for one app. */
function checkApp(app: Fields, { verdicts }: Counted, say: (sentence: string, ...from: readonly string[]) => void): void {
  const id = app.text('app');
  const live = app.whole('liveAtRevision');
  const excluded = app.fields('excluded');
  const own = verdicts.get(id) ?? new Map<string, number>();
  const brought = sum(wholes(app.fields('live'))) + part(app, 'byHand') + part(app, 'changedSinceSync') + part(app, 'derived');
  if (brought !== live) {
    say(`the sources of app ${id} hold ${brought} grants, and ${live} were live`);
  }
  if (app.whole('inScope') + sum(wholes(excluded)) !== live) {
    say(`of ${live} grants of app ${id}, ${app.whole('inScope')} are in scope and ${sum(wholes(excluded))} are not`);
  }
  for (const verdict of new Set([...Object.keys(excluded.raw), ...own.keys(), 'IN'])) {
    const wanted = verdict === 'IN' ? app.whole('inScope') : part(excluded, verdict);
    const found = own.get(verdict) ?? 0;
    if (wanted !== found) {
      say(`it names ${wanted} grants of app ${id} with the verdict ${verdict}, and ${grantsFile} has ${found}`, grantsFile!);
    }
  }
}

/** Sums 1 and 2, for each file that a source brought. */
function checkSources(bundle: Bundle): void {
  eachLine(bundle, sourcesFile, (source, line) => {
    const [rows, accepted] = [source.whole('rows'), source.whole('acceptedRows')];
    const others = part(source, 'duplicateRows') + part(source, 'rejectedRows');
    if (source.has('rows') && rows !== accepted + others) {
      bundle.findings.add(
        sourcesFile,
        `Of ${rows} rows ${accepted} were accepted, and ${others} repeated or rejected: that does not add up.`,
        { line },
      );
    }
  });
}
