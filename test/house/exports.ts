/** Exports are used: by another file, and what a public interface shows, by somebody outside. A name counts wherever it stands as a word. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile, withoutComments } from './tree.ts';

const isPublicInterface = (path: string): boolean => path.endsWith('/index.ts');
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

function wordsOf(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(files.map(({ path, text }) => [path, new Set(withoutComments(text).match(/\w+/g) ?? [])]));
}

/** Functions, classes and values that src/ exports and no other file names; types may stand for themselves. `all` is every file there is. */
export function unusedExports(all: readonly SourceFile[]): Finding[] {
  const words = wordsOf(all);
  return all
    .filter((file) => file.path.startsWith('src/') && !isTest(file))
    .flatMap((file) =>
      [...file.text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .filter(([, name = '']) => ![...words].some(([path, found]) => path !== file.path && found.has(name)))
        .map(([, name]) => `${file.path} exports ${name}: nobody else names it`),
    );
}

/** Finds exports of a public interface of src/ that nobody outside its folder names. */
export function unusedInterfaces(all: readonly SourceFile[]): Finding[] {
  const words = wordsOf(all);
  return all
    .filter((file) => file.path.startsWith('src/') && isPublicInterface(file.path))
    .flatMap((file) => {
      const names = [...withoutComments(file.text).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
        list
          .split(',')
          .map((entry) =>
            entry
              .trim()
              .replace(/^type /, '')
              .replace(/^\w+ as /, ''),
          )
          .filter((name) => name !== ''),
      );
      return names
        .filter((name) => ![...words].some(([path, found]) => !path.startsWith(folderOf(file.path)) && found.has(name)))
        .map((name) => `${file.path} shows ${name}: nobody outside of it names that`);
    });
}
