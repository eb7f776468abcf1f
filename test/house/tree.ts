/**
 * Reading the house: its files, their text with and without comments, and what they import. The rules themselves are in the files
 * beside this one; none of them touches the disk, so that each can be tried on a made-up file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A source file: its path from the root of the clone, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The text of a file of the clone. */
export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Every .ts and .tsx file under a folder of the clone, sorted; generated code and a folder that does not exist are left out. */
export function listSources(folder: string): SourceFile[] {
  let names: string[];
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('/keys.d.ts') && !path.startsWith('src/gen/'))
    .sort()
    .map((path) => ({ path, text: readText(path) }));
}

/** The paths of all files under a folder of the clone, sorted; generated code is left out. */
export function listPaths(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(relative(root, entry.parentPath).replaceAll('\\', '/'), entry.name))
    .filter((path) => !path.startsWith('src/gen/'))
    .sort();
}

/** True if a file is a test or a declaration for one. */
export function isTest(file: SourceFile): boolean {
  return file.path.startsWith('test/') || /\.test\.tsx?$/.test(file.path);
}

/** Counts a file's lines. */
export function countLines(file: SourceFile): number {
  return file.text.replace(/\n$/, '').split('\n').length;
}

// A string, a template or a comment, whichever begins first; so that `//` in a string is no comment and a quote in a comment no string.
const tokens = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text with its comments blanked out, line breaks kept, so that positions and line numbers stay. */
export function withoutComments(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token));
}

/** The strings and templates of a text (not those in comments), without their quotes. */
export function stringsOf(text: string): string[] {
  return (text.match(tokens) ?? []).filter((token) => !token.startsWith('/')).map((token) => token.slice(1, -1));
}

/** The comments of a text, each with its marks. */
export function commentsOf(text: string): string[] {
  return (text.match(tokens) ?? []).filter((token) => token.startsWith('/'));
}

/** The text without comments and with every string and template emptied. */
export function codeOnly(text: string): string {
  return text.replace(tokens, (token) => (token.startsWith('/') ? token.replace(/[^\n]/g, ' ') : token.replace(/[^\n'"`]/g, ' ')));
}

/** One import or re-export: what stands in the quotes, and the path from the root where it is a file of ours. */
export interface Import {
  readonly specifier: string;
  readonly target: string | undefined;
  readonly typeOnly: boolean;
}

/** Imports of a file: static imports, re-exports and import() of a string. */
export function importsOf(file: SourceFile): Import[] {
  const text = withoutComments(file.text);
  const found = [
    ...text.matchAll(/^[ \t]*(?:import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s*)['"]([^'"\n]+)['"]/gm),
    ...text.matchAll(/^[ \t]*import\s*()['"]([^'"\n]+)['"]/gm),
    ...text.matchAll(/\bimport\(\s*()['"]([^'"\n]+)['"]\s*\)/g),
  ];
  return found.map(([, type, specifier = '']) => ({
    specifier,
    // The console's own alias, and paths from the file itself.
    target: specifier.startsWith('~/')
      ? posix.join('console/src', specifier.slice(2))
      : specifier.startsWith('.')
        ? posix.join(posix.dirname(file.path), specifier)
        : undefined,
    typeOnly: Boolean(type),
  }));
}
