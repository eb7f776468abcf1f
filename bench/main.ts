/**
 * `npm run bench`: measures the figures one after the other in one company and prints each beside its peer and its limit, when it is there and in a
 * table at the end. What a figure measures is in its own file. One that fails or hangs is named, and the next ones follow.
 */
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { fullRows } from './figure.ts';
import { figures } from './runner/figures.ts';
import { createReport, type ReportForm } from './runner/report.ts';
import { supervise } from './runner/supervise.ts';

/** Fewer than this do not have the changes that the figure of the inventory makes; a short run has no more. */
const minRows = 20_000;
const minute = 60_000;
const [shortFigureMinutes, fullFigureMinutes, shortMinutes] = [4, 45, 15];
const names = figures.map(({ name }) => name);

const help = `Usage: npm run bench -- [options]

Measures each figure beside its peer and its limit, prints it when it is there, and a table at the end.

  --short           ${minRows.toLocaleString('en')} grants and fewer repetitions; ends after ${shortMinutes} minutes at the latest
  --only <name>     one figure; may be repeated
  --rows <n>        grants of the company, at least ${minRows.toLocaleString('en')} (default: ${fullRows.toLocaleString('en')})
  --minutes <n>     how long one figure may take before it is ended (default: ${fullFigureMinutes}, with --short ${shortFigureMinutes})
  --json            prints JSON at the end instead
  --markdown        prints the lines of the table in docs/performance.md instead
  -h, --help        prints this

Figures: ${names.join(', ')}

Progress goes to standard error. Ctrl-C ends the run and prints what was measured until then; servers, databases and files of the run are removed.
Exit code: 0 if everything was measured, whether within its limit or not; 1 if a figure failed, was ended or was not reached; 2 for wrong options;
${128 + constants.signals.SIGINT} after Ctrl-C.
`;

function refuse(why: string): never {
  console.error(`${why}\n\n${help}`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        rows: { type: 'string' },
        minutes: { type: 'string' },
        json: { type: 'boolean', default: false },
        markdown: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const options = readOptions();
if (options.help) {
  process.stdout.write(help);
  process.exit(0);
}
const rows = Number(options.rows ?? (options.short ? minRows : fullRows));
const figureMinutes = Number(options.minutes ?? (options.short ? shortFigureMinutes : fullFigureMinutes));
const unknown = options.only?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  refuse(`There is no figure "${unknown}".`);
}
if (!Number.isInteger(rows) || rows < minRows) {
  refuse(`--rows must be a whole number from ${minRows.toLocaleString('en')} on: some figures change 4,000 of them.`);
}
if (!(figureMinutes > 0)) {
  refuse('--minutes must be a number above 0.');
}

const form: ReportForm = options.json ? 'JSON' : options.markdown ? 'MARKDOWN' : 'TEXT';
const stopping = new AbortController();
let stoppedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal;
    stopping.abort();
  });
}
// Nobody reads on (| head): what runs is ended all the same.
process.stdout.on('error', () => stopping.abort());

const wanted = names.filter((name) => options.only?.includes(name) ?? true);
const log = (line: string): void => console.error(line);
const report = createReport({ form, rows, isShort: options.short, count: wanted.length, print: (line) => console.log(line), log });
const plan = {
  ...{ names: wanted, rows, isShort: options.short },
  figureTime: figureMinutes * minute,
  wholeTime: options.short ? shortMinutes * minute : Number.POSITIVE_INFINITY,
};
const unreached = await supervise(plan, { heard: report.hear, log, signal: stopping.signal });
const isWhole = report.end({ unreached, isInterrupted: stopping.signal.aborted });
process.exitCode = stoppedBy === undefined ? (isWhole ? 0 : 1) : 128 + constants.signals[stoppedBy];
