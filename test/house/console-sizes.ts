/** How large things are in the console: sizes on its pages come from the tokens, and its files stay small. */
import { parseSync } from 'vite';
import type { Finding } from './arrows.ts';
import { isTest, type SourceFile } from './tree.ts';

const base = 'console/src/';
const length = /(?<![\w.-])-?\d*\.?\d+(?:px|rem|em)\b/g;

/** Properties whose literal is a line of one or two pixels. */
const lines =
  /^(?:border(?:-(?:top|right|bottom|left|inline|inline-start|inline-end|block|width))?|outline(?:-offset)?|stroke-width|box-shadow)$/;
/** Properties that say how wide a column of this page alone is, and how wide what stands in it may become; `--column-…` says it to a shared sheet. */
const columns = /^(?:grid-template-columns|flex(?:-basis)?|(?:min-|max-)?(?:width|inline-size))$/;
/** What a part that is a drawing (a mark, a switch) is drawn with. */
const drawing = /^(?:width|height|translate)$/;

function mayBeLiteral(path: string, property: string, value: string): boolean {
  if (property.startsWith('--')) {
    return property.startsWith('--column-') && value.endsWith('rem');
  }
  if (lines.test(property) && /^-?[12]px$/.test(value)) {
    return true;
  }
  // What only those who listen get stands in a box of a pixel.
  if (/^(?:width|height)$/.test(property) && value === '1px') {
    return true;
  }
  return (columns.test(property) && value.endsWith('rem')) || (drawing.test(property) && path.startsWith(`${base}parts/`));
}

/** Lengths in a style sheet that are no tokens: of type, space, radius and height. */
export function sizesOutsideTokens(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.endsWith('.css') && path !== `${base}parts/tokens.css`)
    .flatMap(({ path, text }) => {
      const rules = text.replace(/\/\*[\s\S]*?\*\//g, (part) => part.replace(/[^\n]/g, ' '));
      return [...rules.matchAll(/([\w-]+)\s*:\s*([^;{}]*)[;}]/g)].flatMap(({ 1: property = '', 2: value = '', index }) =>
        (value.match(length) ?? [])
          .filter((one) => !mayBeLiteral(path, property, one))
          .map(
            (one) =>
              `${path}:${rules.slice(0, index).split('\n').length} has ${property}: ${one}: sizes stand in console/src/parts/tokens.css`,
          ),
      );
    });
}

const longest = 300;
const long = 200;
const middle = 100;

const linesOf = ({ text }: SourceFile): number => text.replace(/\n$/, '').split('\n').length;

/** Files of the console that are too long, each by itself and all together. */
export function longFiles(files: readonly SourceFile[]): Finding[] {
  const counted = files
    .filter((file) => !isTest(file))
    .map((file) => ({ path: file.path, count: linesOf(file) }))
    .sort((one, other) => one.count - other.count);
  const share = (part: number): number => counted[Math.ceil(counted.length * part) - 1]?.count ?? 0;
  return [
    ...counted.filter(({ count }) => count > longest).map(({ path, count }) => `${path} has ${count} lines: none has more than ${longest}`),
    ...(share(0.9) >= long ? [`nine of ten files have up to ${share(0.9)} lines: wanted under ${long}`] : []),
    ...(share(0.5) >= middle ? [`half of the files have up to ${share(0.5)} lines: wanted under ${middle}`] : []),
  ];
}

interface Declared {
  readonly type?: string;
  readonly id?: { readonly name?: string } | null;
  readonly declarations?: readonly { readonly id: { readonly name?: string } }[];
}

/** Files that export more than one component: what is used elsewhere is found by the name of its file. */
export function severalComponents(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.path.endsWith('.tsx') && !isTest(file))
    .flatMap((file) => {
      const { body } = parseSync(file.path, file.text).program as unknown as {
        readonly body: readonly { readonly type: string; readonly declaration?: Declared | null }[];
      };
      const names = body
        .filter(({ type }) => type === 'ExportNamedDeclaration' || type === 'ExportDefaultDeclaration')
        .flatMap(({ declaration }) =>
          declaration?.type === 'FunctionDeclaration'
            ? [declaration.id?.name ?? '']
            : (declaration?.declarations ?? []).map(({ id }) => id.name ?? ''),
        )
        // A constant in capitals is no component.
        .filter((name) => /^[A-Z]/.test(name) && /[a-z]/.test(name));
      return names.length > 1 ? [`${file.path} exports ${names.join(', ')}: one component a file`] : [];
    });
}
