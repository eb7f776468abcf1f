// Makes a clone ready: installs packages, generates code and builds the console where any is missing or stale, and says nothing where all is there.
// npm runs this before demo, test, check and bench. With --to-run it leaves out the packages of developers, which `npm test` then adds. Plain
// JavaScript without dependencies: it must run on Node 20, so that the command after it finds Node 24, which npm looks up first in
// node_modules/.bin.
import { fetchNode, hasWantedNode, installPackages, lacksGenerator, reasonToInstall, removeUnused } from './install.js';
import { makeCode, makeConsole } from './prepare.js';
import { step, waitFor } from './steps.js';

const toRun = process.argv.includes('--to-run');
const reason =
  reasonToInstall(toRun) ??
  (hasWantedNode() ? undefined : 'Node 24 is missing') ??
  (lacksGenerator() ? 'the contract has changed' : undefined);
if (reason !== undefined) {
  step(`Installing packages: ${reason}`, () => installPackages(toRun));
}
// The download waits for the network, and the code for the processor.
const node = hasWantedNode() ? undefined : fetchNode();
makeCode();
if (node !== undefined) {
  await waitFor('Installing Node 24', node);
}
makeConsole();
if (reason !== undefined && toRun) {
  removeUnused();
}
