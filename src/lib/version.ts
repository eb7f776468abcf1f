/** The version of the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programFolder } from './installation.ts';

/** The version in package.json. */
export function readVersion(): string {
  const text = readFileSync(join(programFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
