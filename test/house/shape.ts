/** Shape of files: their size, their names, their first line, words that mark unfinished work, and `any`. */
import { type Finding, pathFromLayer } from './arrows.ts';
import { codeOnly, countLines, isTest, type SourceFile } from './tree.ts';

/** The limits of a file's length in lines. */
export const limits = { source: 500, test: 600, ninetyPercent: 300, median: 120 } as const;

/** Files longer than a file may be. */
export function oversizedFiles(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => countLines(file) > (isTest(file) ? limits.test : limits.source))
    .map((file) => `${file.path} has ${countLines(file)} lines: no file over ${limits.source} (tests ${limits.test}); split it by verb`);
}

/** The median and the ninetieth percentile of the lengths, where either is over its limit. */
export function oversizedOnTheWhole(files: readonly SourceFile[]): Finding[] {
  const lengths = files
    .filter((file) => !isTest(file))
    .map(countLines)
    .sort((a, b) => a - b);
  const at = (part: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * part))] ?? 0;
  const found: Finding[] = [];
  if (at(0.5) > limits.median) {
    found.push(`the median file has ${at(0.5)} lines: at most ${limits.median}`);
  }
  if (at(0.9) > limits.ninetyPercent) {
    found.push(`one file in ten has ${at(0.9)} lines or more: 90 % have at most ${limits.ninetyPercent}`);
  }
  return found;
}

/** The most files of code that a folder holds, tests aside. */
const maxFolder = 25;

/** Folders that hold more files of code than that, tests aside. */
export function crowdedFolders(files: readonly SourceFile[]): Finding[] {
  const counts = new Map<string, number>();
  for (const { path } of files.filter((file) => !isTest(file))) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > maxFolder)
    .map(([folder, count]) => `${folder} holds ${count} files: at most ${maxFolder}; a module that grows becomes a folder of parts`);
}

/** Files and folders that are not named in kebab-case. */
export function wrongFileNames(paths: readonly string[]): Finding[] {
  return paths
    .filter((path) => !path.split('/').every((part) => /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/.test(part)))
    .map((path) => `${path}: files and folders are named in kebab-case`);
}

/** Names that say nothing: files, types, functions and constants called Manager, Helper, Util or Impl. A person's manager is none. */
export function emptyNames(files: readonly SourceFile[]): Finding[] {
  const sentence = 'no Manager, Helper, Util or Impl: name what it does';
  return files.flatMap((file) => {
    const ofFile = /(?:^|[/-])(?:helpers?|utils?|impl|manager)(?:-[a-z]+)*(?:\.test)?(?:\.ts|\/)/.test(
      pathFromLayer(file.path) ?? file.path,
    )
      ? [`${file.path}: ${sentence}`]
      : [];
    const inside = [...codeOnly(file.text).matchAll(/\b(?:class|interface|type|function|const|let)\s+(\w+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => /(?:Helpers?|Utils?|Impl)$|^(?:helpers?|utils?)$/.test(name) || /^[A-Z]\w+Manager$/.test(name))
      .map((name) => `${file.path}: ${name}: ${sentence}`);
    return [...ofFile, ...inside];
  });
}

/** `any` without a comment on its line or on the line above. */
export function unexplainedAny(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const lines = file.text.split('\n');
    return codeOnly(file.text)
      .split('\n')
      .flatMap((line, index) => {
        const used = /(?:[:|&<]|\bas|=>)\s*any\b(?!\s*[:(.])|,\s*any\s*[>\]]|\btype \w+.*=\s*any\b/.test(line);
        const explained = /\/\/|\/\*/.test(lines[index] ?? '') || /^\s*(?:\/\/|\*|\/\*)/.test(lines[index - 1] ?? '');
        return used && !explained ? [`${file.path}:${index + 1}: no any without a comment that gives the reason`] : [];
      });
  });
}

/** Suppressions of the linter or the compiler that do not say why. */
export function unexplainedSuppressions(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) =>
    file.text.split('\n').flatMap((line, index) => {
      const silent = /@ts-(?:ignore|nocheck)\b|@ts-expect-error\s*$|biome-ignore [\w/]+(?:\(.*\))?\s*:?\s*$/.test(line);
      return silent ? [`${file.path}:${index + 1}: every suppression gives its reason (and is never @ts-ignore or @ts-nocheck)`] : [];
    }),
  );
}

/** Words that mark unfinished work. */
export function unfinishedWords(files: readonly SourceFile[]): Finding[] {
  const words = /\b(?:TODO|FIXME|XXX|HACK|stub(?:s|bed)?|not yet implemented|not implemented yet|coming soon)\b/;
  return files.flatMap((file) =>
    file.text.split('\n').flatMap((line, index) => {
      const word = words.exec(line)?.[0];
      return word === undefined ? [] : [`${file.path}:${index + 1}: "${word}": unfinished work is an issue, not a comment`];
    }),
  );
}
