/**
 * How the house writes: sentences that are short, and the field's words in place of a dialect of our own (docs/glossary.md). Documents,
 * comments and messages are held to it; code, data and file names are not.
 */
import type { Finding } from './arrows.ts';
import type { Document } from './documents.ts';
import { commentsOf, type SourceFile, stringsOf } from './tree.ts';

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

/** How many words a sentence has: whatever stands between spaces and holds a letter or a digit. */
function countWords(sentence: string): number {
  return sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The share of sentences of more than thirty words in all documents together, from 0 to 1, and those sentences with their document. */
export function longSentences(documents: readonly Document[]): { share: number; sentences: Finding[] } {
  const all = documents.flatMap(({ path, text }) => sentencesOf(text).map((sentence) => ({ path, sentence })));
  const long = all.filter(({ sentence }) => countWords(sentence) >= longFrom);
  return { share: long.length / Math.max(1, all.length), sentences: long.map(({ path, sentence }) => `${path}: ${sentence}`) };
}

/** The words of the old dialect, and what to say in their place. */
const dialect: readonly (readonly [said: RegExp, say: string])[] = [
  [/\bby hand\b/i, 'manually, or manual'],
  [/\bnobody's\b/i, 'unowned'],
  [/\bof nobody\b/i, 'unowned'],
  [/\bin vain\b/i, 'without a result'],
  [/\b(?:tell|tells|told|telling)\b/i, 'say, report, list or show'],
  [/\bwhose an (?:account|app)\b/i, 'who owns the account'],
  [/\b(?:is|are) fine\b/i, 'is allowed, is valid'],
  [/\b(?:given and taken|taken and given)\b/i, 'granted and removed'],
  [/\bshut out\b/i, 'block'],
  [/\bno good\b/i, 'not valid'],
  [/\b(?:front|back|own|second|its|the|a|one|same|other|public) doors?\b/i, 'public interface, or way in'],
  [/\b(?:earlier|later|other|same|own|the|a|each|every|this|which|whose|one|its) rooms?\b(?! for\b)/i, 'module'],
  [/\b(?:foundation|inventory|governance|outward|the|a|each|every|this|which|upper|lower|its) floors?\b/i, 'layer'],
];

function dialectIn(path: string, text: string): Finding[] {
  return dialect.flatMap(([said, say]) =>
    [...text.matchAll(new RegExp(said, 'gi'))].map(
      ({ 0: word, index }) =>
        `${path}: "${text.slice(Math.max(0, index - 40), index + word.length + 20).replace(/\s+/g, ' ')}": say ${say}`,
    ),
  );
}

/** Words of the dialect in documents, code blocks left out. */
export function dialectInDocuments(documents: readonly Document[]): Finding[] {
  return documents.flatMap(({ path, text }) => dialectIn(path, proseOf(text)));
}

/** Words of the dialect in the comments of sources, and in the messages of those in src/; what a template puts in is code. */
export function dialectInSources(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const messages = hasMessages(file.path) ? stringsOf(file.text).map((text) => text.replace(/\$\{[^}]*\}/g, '')) : [];
    return [...commentsOf(file.text), ...messages].flatMap((text) => dialectIn(file.path, text.replace(/\n\s*(?:\*|\/\/) ?/g, ' ')));
  });
}

/** Whether the strings of a file are read by people: those of stores are SQL, those of tests are samples. */
function hasMessages(path: string): boolean {
  return path.startsWith('src/') && !path.endsWith('.test.ts') && !/\/store(?:-[a-z-]+)?\.ts$/.test(path);
}
