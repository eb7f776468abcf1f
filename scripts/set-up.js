// Makes a clone ready: installs packages, generates code and builds the console where any is missing or stale, and says nothing where all is there.
// npm runs this before demo, test, check and bench. Plain JavaScript without dependencies: it must run on Node 20, so that the
// command after it finds Node 24, which npm looks up first in node_modules/.bin.
import { buildConsole, hasSources, isConsoleUpToDate } from './build-console.js';
import { generate, isUpToDate } from './generate.js';
import { hasWantedNode, installPackages, reasonToInstall } from './install.js';
import { listTexts } from './list-texts.js';
import { step } from './steps.js';

const reason = reasonToInstall() ?? (hasWantedNode() ? undefined : 'Node 24 is missing');
if (reason !== undefined) {
  step(`Installing packages: ${reason}`, installPackages);
}
if (!isUpToDate()) {
  step('Generating code from the contract', generate);
}
listTexts();
if (hasSources() && !isConsoleUpToDate()) {
  step('Building the console', buildConsole);
}
