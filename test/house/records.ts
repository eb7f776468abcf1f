/** Lists that stand twice and must not drift: error codes and docs/errors.md, dependencies and docs/dependencies.md. */
import type { Finding } from './arrows.ts';

/** The codes docs/errors.md explains: each opens a row of a table or a heading. */
export function documentedCodes(markdown: string): string[] {
  return [...markdown.matchAll(/^(?:\|\s*|#+\s+)`([A-Z][A-Z_]+)`/gm)].map(([, code = '']) => code);
}

/** Error codes without a line in docs/errors.md, and lines there without a code. */
export function driftOfErrors(codes: readonly string[], markdown: string): Finding[] {
  const documented = documentedCodes(markdown);
  return [
    ...codes.filter((code) => !documented.includes(code)).map((code) => `${code}: every error code is explained in docs/errors.md`),
    ...documented.filter((code) => !codes.includes(code)).map((code) => `${code}: docs/errors.md explains only codes of src/errors.ts`),
  ];
}

/** The dependencies docs/dependencies.md gives a reason for: rows of its first column, `name`; a `*` stands for anything. */
export function documentedDependencies(markdown: string): string[] {
  const section = markdown.split(/^## Development/m)[0] ?? '';
  return [...section.matchAll(/^(?:\|\s*|- )`([^`]+)`/gm)].map(([, name = '']) => name);
}

/** Runtime dependencies without a line in docs/dependencies.md, and lines there without a dependency. */
export function driftOfDependencies(dependencies: readonly string[], markdown: string): Finding[] {
  const documented = documentedDependencies(markdown);
  const matches = (pattern: string, name: string) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name);
  return [
    ...dependencies
      .filter((name) => !documented.some((pattern) => matches(pattern, name)))
      .map((name) => `${name}: every runtime dependency has its reason in docs/dependencies.md`),
    ...documented
      .filter((pattern) => !dependencies.some((name) => matches(pattern, name)))
      .map((pattern) => `${pattern}: docs/dependencies.md gives reasons only for what package.json lists`),
  ];
}
