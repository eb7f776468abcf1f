/** Names of files that a source looks for: a pattern, and which names are left out. Pure. */
import { manifestSuffix } from './manifest.ts';

const maxPattern = 500;
/** Names of files that somebody still writes. */
const unfinished = /^\.|\.(tmp|part|filepart|crdownload)$/i;

/** Returns what is wrong with a pattern as a part of a sentence; undefined for a good one. `place` is what its path is below. */
export function findPatternFault(pattern: string, place: string): string | undefined {
  const segments = pattern.split('/');
  if (pattern === '') {
    return 'must name a file, such as hr/people-*.csv';
  }
  if (pattern.length > maxPattern) {
    return `must not be longer than ${maxPattern} characters`;
  }
  if (segments.some((part) => part === '' || part === '.' || part === '..') || /[\\\p{Cc}]/u.test(pattern)) {
    return `must be a path below ${place}, with / between its names`;
  }
  return segments.slice(0, -1).some((part) => part.includes('*')) ? 'may have * in the name of the file alone' : undefined;
}

/** Returns what is wrong with the name of a sheet as a part of a sentence; undefined for a good one. */
export function findSheetFault(sheet: string): string | undefined {
  return sheet.length > 200 ? 'must not be longer than 200 characters' : undefined;
}

/** Returns a check of names: those that fit a pattern without folders, and are no manifests and no files that are still written. */
export function nameCheck(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const wanted = new RegExp(`^${parts.join('.*')}$`, 'su');
  return (name) => wanted.test(name) && !unfinished.test(name) && !name.endsWith(manifestSuffix);
}
