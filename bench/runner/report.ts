/** Prints figures: each when it is there, and all at the end, for people, for programs or as lines of docs/performance.md. */
import { performance } from 'node:perf_hooks';
import { type FigureResult, verdictOf } from '../figure.ts';
import type { Step } from './measure-all.ts';

export type ReportForm = 'TEXT' | 'JSON' | 'MARKDOWN';

/** A run that is reported. */
interface ReportedRun {
  readonly form: ReportForm;
  readonly rows: number;
  readonly isShort: boolean;
  /** How many figures are to be measured. */
  readonly count: number;
  /** For results. */
  readonly print: (line: string) => void;
  /** For progress. */
  readonly log: (line: string) => void;
}

/** Hears what happens, and says at the end what there was. */
export interface Report {
  readonly hear: (step: Step) => void;
  /** Prints the end; returns true if everything was measured. */
  readonly end: (rest: { readonly unreached: readonly string[]; readonly isInterrupted: boolean }) => boolean;
}

/** Makes the report of a run. */
export function createReport({ form, rows, isShort, count, print, log }: ReportedRun): Report {
  const since = performance.now();
  const results: { readonly figure: string; readonly result: FigureResult }[] = [];
  const failures: { readonly figure: string; readonly reason: string }[] = [];
  const durations: Record<string, number> = {};
  let begun = 0;
  const cellsOf = (result: FigureResult): string[] => {
    const verdict = verdictOf(result, rows);
    return [result.title, result.ours, result.peer, result.ratio.toFixed(2), result.limit, verdict];
  };
  const printOne = (result: FigureResult): void => {
    const [title, ours, peer, ratio, limit, verdict = ''] = cellsOf(result);
    if (form === 'MARKDOWN') {
      print(`| ${[title, ours, peer, ratio, limit, verdict === 'NOT MET' ? '**not met**' : verdict].join(' | ')} |`);
    } else if (form === 'TEXT') {
      print(`${title}: ${ours}; peer ${peer}; ratio ${ratio}; ${limit}: ${verdict}`);
    }
  };
  return {
    hear: (step) => {
      if (step.kind === 'begun') {
        begun += 1;
        log(`[${begun}/${count}] ${step.name} ...`);
      } else if (step.kind === 'measured') {
        results.push({ figure: step.name, result: step.result });
        printOne(step.result);
      } else {
        durations[step.name] = Number(step.seconds.toFixed(1));
        if (step.failure === undefined) {
          log(`[${begun}/${count}] ${step.name} took ${step.seconds.toFixed(1)} s`);
        } else {
          failures.push({ figure: step.name, reason: step.failure.split('\n')[0] ?? '' });
          log(`[${begun}/${count}] ${step.name} failed after ${step.seconds.toFixed(1)} s: ${step.failure}`);
        }
      }
    },
    end: ({ unreached, isInterrupted }) => {
      const seconds = Number(((performance.now() - since) / 1000).toFixed(1));
      if (form === 'JSON') {
        const measured = results.map(({ figure, result }) => ({ figure, ...result, verdict: verdictOf(result, rows) }));
        const failed = failures.map(({ figure }) => figure);
        const whole = { rows, isShort, isInterrupted, seconds, durations, figures: measured, failed, failures, unreached };
        print(JSON.stringify(whole, null, 2));
      } else if (form === 'TEXT') {
        print(`\n${table([['FIGURE', 'OURS', 'PEER', 'RATIO', 'LIMIT', ''], ...results.map(({ result }) => cellsOf(result))])}`);
      }
      log(`\n${isInterrupted ? 'Interrupted after' : 'Took'} ${duration(seconds)} with ${rows.toLocaleString('en')} grants.`);
      if (failures.length > 0) {
        log(`Not measured, or not to the end:\n${failures.map(({ figure, reason }) => `  ${figure}: ${reason}`).join('\n')}`);
      }
      if (unreached.length > 0) {
        log(`Not reached: ${unreached.join(', ')}`);
      }
      return failures.length === 0 && unreached.length === 0;
    },
  };
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
