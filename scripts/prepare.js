// Generates code and builds the console where either is missing or stale. npm runs this after `npm ci` (`prepare`), so that the service shows its
// console whichever way it is started, and set-up.js calls it before other commands.
// Plain JavaScript without dependencies: it runs on whatever Node the machine has.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole, hasSources, isConsoleUpToDate } from './build-console.js';
import { generate, isUpToDate } from './generate.js';
import { listTexts } from './list-texts.js';
import { findProgram, root, step } from './steps.js';

/** Generates code where it is missing or stale; where the tools for it are not installed (`npm ci --omit=dev`), what came along stays as it is. */
export function makeCode() {
  const isBare = findProgram('buf') === undefined && existsSync(join(root, 'src', 'gen'));
  if (!isBare && !isUpToDate()) {
    step('Generating code from the contract', generate);
  }
  listTexts();
}

/** Builds the console in the same way. */
export function makeConsole() {
  if (hasSources() && !isConsoleUpToDate()) {
    step('Building the console', buildConsole);
  }
}

if (
  process.argv[1] !== undefined &&
  import.meta.url === pathToFileURL(process.argv[1]).href &&
  process.env.COUNTERSIGN_SETTING_UP !== 'yes'
) {
  makeCode();
  makeConsole();
}
