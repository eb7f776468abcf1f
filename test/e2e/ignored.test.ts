/** Files the documents' commands write into a clone stay out of the repository: credentials above all. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const clone = join(import.meta.dirname, '../..');
const documents = ['README.md', ...readdirSync(join(clone, 'docs')).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'));

/** Names of files that a shell example writes a credential or data into, in the folder it runs in. */
function writtenFiles(): string[] {
  const blocks = documents.flatMap((name) => [...readFileSync(join(clone, name), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)]);
  const names = blocks.flatMap(([, text = '']) => [...text.matchAll(/(?:--bootstrap-file|[^0-9&]>) ([\w.-]+\.(?:json|csv|xlsx))/g)]);
  return [...new Set(names.map(([, name = '']) => name))];
}

describe('git', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cs-ignored-'));
    execFileSync('git', ['init', '--quiet', folder]);
    copyFileSync(join(clone, '.gitignore'), join(folder, '.gitignore'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const isIgnored = (name: string): boolean => spawnSync('git', ['check-ignore', '--quiet', name], { cwd: folder }).status === 0;

  it('ignores every file of credentials and data that the examples write', () => {
    const written = writtenFiles();
    expect(written).toEqual(expect.arrayContaining(['first.json', 'mia.json', 'auditor.credential.json', 'people.csv']));
    expect(written.filter((name) => !isIgnored(name))).toEqual([]);
  });

  it.each(['bootstrap.json', 'deep/bootstrap.json', 'deep/my-credential.json', 'countersign.json', 'client.secret'])(
    'ignores %s',
    (name) => {
      expect(isIgnored(name)).toBe(true);
    },
  );

  it.each(['package.json', 'package-lock.json', 'tsconfig.json', 'biome.json', 'src/cli/local/bootstrap.ts', 'test/support/sample.json'])(
    'keeps %s',
    (name) => {
      expect(isIgnored(name)).toBe(false);
    },
  );
});
