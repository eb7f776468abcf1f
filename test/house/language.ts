/**
 * Lengths of the sentences in documents: without code, tables and headings. The words we use are in docs/glossary.md.
 */
import type { Finding } from './arrows.ts';
import type { Document } from './documents.ts';

/** A sentence is long from here on, in words. */
const longFrom = 31;

/** A document without code blocks and remarks: what a reader reads. */
function proseOf(markdown: string): string {
  return markdown.replace(/^ *```.*?^ *```$/gms, '').replace(/<!--.*?-->/gs, '');
}

/** The sentences of a document: without headings, tables, pictures and code blocks. Each item of a list begins one of its own. */
export function sentencesOf(markdown: string): string[] {
  const lines = proseOf(markdown)
    .split('\n')
    .map((line) => (/^ *(?:\||#{1,6} |!\[)/.test(line) ? '' : line));
  const paragraphs = lines.join('\n').split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/);
  return paragraphs
    .map((paragraph) =>
      paragraph
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?][)"*_`]*) (?=[("*_`]*[\p{Lu}\p{N}`])/u))
    .filter((sentence) => countWords(sentence) > 0);
}

/** Counts a sentence's words: whatever stands between spaces and holds a letter or a digit. */
function countWords(sentence: string): number {
  return sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The share of sentences of more than thirty words in all documents together, from 0 to 1, and those sentences with their document. */
export function longSentences(documents: readonly Document[]): { share: number; sentences: Finding[] } {
  const all = documents.flatMap(({ path, text }) => sentencesOf(text).map((sentence) => ({ path, sentence })));
  const long = all.filter(({ sentence }) => countWords(sentence) >= longFrom);
  return { share: long.length / Math.max(1, all.length), sentences: long.map(({ path, sentence }) => `${path}: ${sentence}`) };
}
