/**
 * Finds the files of samples/ by themselves, so that a new one needs no list. What they export is in samples/sample.ts.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from './kinds/kind.ts';
import type { MakeSample, SampleFile } from './samples/sample.ts';
import type { World } from './world.ts';

/** Content of all files together. */
export interface LoadedSamples {
  readonly samples: Readonly<Record<string, MakeSample>>;
  readonly refused: ReadonlySet<string>;
  readonly kinds: readonly Kind[];
  readonly fills: readonly ((world: World) => Promise<void>)[];
}

async function loadFile(folder: string, name: string): Promise<SampleFile> {
  const file = (await import(join(folder, name))) as Partial<SampleFile>;
  if (file.samples === undefined) {
    throw new Error(`test/support/samples/${name} exports no \`samples\`: that name is what its operations are found by`);
  }
  return { ...file, samples: file.samples };
}

/** Loads all files of samples/; throws where two have a sample of one operation. */
export async function loadSamples(): Promise<LoadedSamples> {
  const folder = join(import.meta.dirname, 'samples');
  const names = readdirSync(folder).filter((name) => name !== 'sample.ts');
  const files = await Promise.all(names.sort().map((name) => loadFile(folder, name)));
  const operations = files.flatMap(({ samples }) => Object.keys(samples));
  const twice = operations.filter((name, index) => operations.indexOf(name) !== index);
  if (twice.length > 0) {
    throw new Error(`test/support/samples has two samples of ${twice.join(', ')}`);
  }
  return {
    samples: Object.assign({}, ...files.map(({ samples }) => samples)),
    refused: new Set(files.flatMap(({ refused = [] }) => refused)),
    kinds: files.flatMap(({ kinds = [] }) => kinds),
    fills: files.flatMap(({ fill }) => (fill === undefined ? [] : [fill])),
  };
}
