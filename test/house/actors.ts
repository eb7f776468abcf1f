/** Questions about who somebody is: an actor's roles and kind are asked in the module authority alone, so that one place decides who may do what. */
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile, withoutComments } from './tree.ts';

/** The roles or the kind of an actor, read as a member (also by name in brackets) or taken apart. */
const questions = [
  /\b(?:\w+A|a)ctor\s*[?!]?\.\s*(?:roles|kind)\b/g,
  /\b(?:\w+A|a)ctor\s*(?:\?\.)?\[\s*['"`](?:roles|kind)\b/g,
  /\{[^{}=;]*\b(?:roles|kind)\b[^{}=;]*\}\s*(?:=\s*(?:\w+\??\.)*(?:\w+A|a)ctor\b|:\s*(?:Pick<)?Actor\b)/g,
  /\bactor\s*:\s*\{[^{}]*\b(?:roles|kind)\b[^{}]*\}[^{}]*\}\s*(?:=(?![=>])|:)/g,
];

/** Places outside the module authority that ask an actor for roles or kind. */
export function actorsAskedElsewhere(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && file.path.startsWith('src/') && !file.path.startsWith('src/foundation/authority/'))
    .flatMap((file) => {
      const text = withoutComments(file.text);
      return questions
        .flatMap((question) => [...text.matchAll(question)])
        .map(({ index }) => text.slice(0, index).split('\n').length)
        .map((line) => `${file.path}:${line}: an actor's roles and kind are asked in src/foundation/authority alone`);
    });
}

/** Code of the console that names a role: what somebody may do is in objectPermissions, actions and the permissions they hold. */
export function rolesInConsole(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => !isTest(file) && /['"`](?:SUPER|CAMPAIGN|READ_ONLY)_ADMINISTRATOR['"`]|['"`]0{6,}\w*Administrator/.test(file.text))
    .map((file) => `${file.path}: the console names no role: it asks objectPermissions, actions and permissions`);
}
