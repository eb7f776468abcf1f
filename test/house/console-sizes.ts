/** Sizes on the pages of the console: they come from the tokens. */
import type { Finding } from './arrows.ts';
import type { SourceFile } from './tree.ts';

const base = 'console/src/';
const length = /(?<![\w.-])-?\d*\.?\d+(?:px|rem|em)\b/g;

/** Properties whose literal is a line of one or two pixels. */
const lines =
  /^(?:border(?:-(?:top|right|bottom|left|inline|inline-start|inline-end|block|width))?|outline(?:-offset)?|stroke-width|box-shadow)$/;
/** Properties that say how wide a column of this page alone is, and how wide what stands in it may become; `--column-…` says it to a shared sheet. */
const columns = /^(?:grid-template-columns|flex(?:-basis)?|(?:min-|max-)?(?:width|inline-size))$/;
/** Properties that a drawing (a mark, a switch) is drawn with. */
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
