/** A progress bar on standard error: drawn on a terminal, silent everywhere else. */
import { sayPercent } from '../../lib/shares/percent.ts';
import type { CommandIo } from './io.ts';

/** A bar in use; `total` 0 means it is not known. */
export interface Progress {
  update(done: number, total: number, label?: string): void;
  /** Wipes the bar, so that what is printed next begins on a clean line. */
  finish(): void;
}

const width = 28;
const redrawMilliseconds = 80;

/** A bar labelled `label`; `format` writes the counts. */
export function createProgress(io: CommandIo, label: string, format: (value: number) => string = String): Progress {
  if (!io.stderr.isTTY) {
    return { update() {}, finish() {} };
  }
  let drawnAt = 0;
  let drawn = false;
  return {
    update(done, total, newLabel = label) {
      const now = Date.now();
      if (now - drawnAt < redrawMilliseconds && done !== total) {
        return;
      }
      drawnAt = now;
      drawn = true;
      const share = total > 0 ? Math.min(done / total, 1) : 0;
      const filled = Math.round(share * width);
      const bar =
        total > 0 ? ` [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${sayPercent(Math.min(done, total), total).padStart(5)}` : '';
      const counts = total > 0 ? `${format(done)} of ${format(total)}` : format(done);
      io.stderr.write(`\r\u001b[K${`${newLabel}${bar}  ${counts}`.slice(0, Math.max((io.stderr.columns ?? 80) - 1, 20))}`);
    },
    finish() {
      if (drawn) {
        io.stderr.write('\r\u001b[K');
      }
    },
  };
}

/** Bytes as people read them. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
