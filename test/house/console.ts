/** The rules of the console (console/src): who imports whom, who asks the server, where words stand, and where colours and styles do. */
import { parseSync } from 'vite';
import type { Finding } from './arrows.ts';
import { codeOnly, importsOf, isTest, type SourceFile } from './tree.ts';

const base = 'console/src/';

/** The folder of a path right below console/src, and of a screen its own. */
function placeOf(path: string): { readonly part: string; readonly screen: string } {
  const [part = '', screen = ''] = path.startsWith(base) ? path.slice(base.length).split('/') : [];
  return { part, screen: part === 'screens' ? screen : '' };
}

/** Packages of TanStack that draw; its others ask the server. */
const drawn = new Set(['@tanstack/react-router', '@tanstack/react-table', '@tanstack/react-virtual']);

/** Imports of screens and parts that they may not have. */
export function wrongConsoleImports(files: readonly SourceFile[]): Finding[] {
  const shared = new Set(['app', 'parts', 'data', 'text']);
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) => {
      const from = placeOf(file.path);
      return importsOf(file).flatMap(({ specifier, target }) => {
        const to = target === undefined ? undefined : placeOf(target);
        if (from.part === 'screens' && to !== undefined && !shared.has(to.part) && to.screen !== from.screen) {
          return [`${file.path} imports ${specifier}: a screen imports app, parts, data and text, never another screen`];
        }
        const isForeign =
          to === undefined ? specifier.startsWith('@tanstack/') && !drawn.has(specifier) : to.part !== 'parts' && to.part !== 'text';
        return from.part === 'parts' && isForeign
          ? [`${file.path} imports ${specifier}: parts import only text, the router and TanStack's table`]
          : [];
      });
    });
}

/** Files of the console that ask the server past its client. */
export function fetchesPastData(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path, text }) => !path.startsWith(`${base}data/`) && /\bfetch\(|\bXMLHttpRequest\b/.test(codeOnly(text)))
    .map(({ path }) => `${path}: only src/client/browser.ts and console/src/data fetch`);
}

/** Files of the console that send past the guard against sending twice, or that take dates and numbers past the fields that wait until they are whole. */
export function pastOneWay(files: readonly SourceFile[]): Finding[] {
  const ways = [
    {
      only: `${base}data/act.ts`,
      pattern: /\buseMutation\b/,
      sentence: 'what is sent goes through useSend or useAct of console/src/data/act.ts',
    },
    {
      only: `${base}parts/fields/date-field.tsx`,
      pattern: /type="(?:date|datetime-local|time|month|week)"/,
      sentence: 'dates are written in console/src/parts/fields/date-field.tsx',
    },
    {
      only: `${base}parts/fields/count-field.tsx`,
      pattern: /type="number"|\binputMode=["{].*(?:numeric|decimal)/,
      sentence: 'numbers are written in console/src/parts/fields/count-field.tsx',
    },
    {
      only: `${base}app/forms/use-act-on-each.ts`,
      but: `${base}data/`,
      pattern: /\bactOnEach\b/,
      sentence: 'what is done to several from a screen goes through useActOnEach of console/src/app/forms/use-act-on-each.ts',
    },
  ];
  return files
    .filter((file) => file.path.startsWith(base) && !isTest(file))
    .flatMap(({ path, text }) =>
      ways
        .filter(({ only, but = only, pattern }) => path !== only && !path.startsWith(but) && pattern.test(text))
        .map(({ sentence }) => `${path}: ${sentence}`),
    );
}

/** Files that change what they made a moment before: nobody else has seen it. */
const makers = new Set([`${base}screens/scope/new-page.tsx`, `${base}screens/sources/connect/make-source.ts`]);

/** Changes that do not say what was read, of operations that compare it (as `Service.Method`): the later of two would undo the earlier unseen. */
export function changesUnread(files: readonly SourceFile[], comparing: readonly string[]): Finding[] {
  return files
    .filter((file) => file.path.startsWith(base) && !isTest(file) && !makers.has(file.path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:call|useAct)\(\s*'([^']+)'/g)]
        .filter(([, operation = '']) => comparing.includes(operation))
        .map(([, operation]) => `${path} sends ${operation} without what was read: changes go through console/src/data/change.ts`),
    );
}

/** A piece of a syntax tree as it is read here. */
interface Piece {
  readonly type?: string;
  readonly start?: number;
  readonly [member: string]: unknown;
}

const isPiece = (value: unknown): value is Piece => typeof value === 'object' && value !== null;

/** Every piece of a file's syntax tree, the outer before what is in it. */
function piecesOf(file: SourceFile): Piece[] {
  const found: Piece[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(walk);
    } else if (isPiece(value)) {
      if (typeof value.type === 'string') {
        found.push(value);
      }
      Object.values(value).forEach(walk);
    }
  };
  walk(parseSync(file.path, file.text).program);
  return found;
}

const lineOf = (file: SourceFile, piece: Piece): number => file.text.slice(0, piece.start).split('\n').length;
const nameOf = (piece: unknown): string => (isPiece(piece) && typeof piece['name'] === 'string' ? piece['name'] : '');

/** The words that an expression may show as they stand. */
function wordsOf(piece: unknown): string[] {
  if (!isPiece(piece)) {
    return [];
  }
  switch (piece.type) {
    case 'JSXText':
    case 'Literal':
      return typeof piece['value'] === 'string' ? [piece['value']] : [];
    case 'TemplateLiteral':
      return (piece['quasis'] as readonly { value: { raw: string } }[]).map(({ value }) => value.raw);
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return wordsOf(piece['expression']);
    case 'ConditionalExpression':
      return [...wordsOf(piece['consequent']), ...wordsOf(piece['alternate'])];
    case 'LogicalExpression':
      return [...wordsOf(piece['left']), ...wordsOf(piece['right'])];
    default:
      return [];
  }
}

const said = new Set(['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt', 'label', 'hint']);
/** Elements that show what a machine reads. */
const verbatim = new Set(['code', 'kbd', 'pre', 'samp']);

/** Words in a screen that are not of the catalogue. */
export function literalTexts(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.path.endsWith('.tsx') && !isTest(file))
    .flatMap((file) =>
      piecesOf(file).flatMap((piece) => {
        const opening = piece['openingElement'] as Piece | undefined;
        const shown =
          piece.type === 'JSXAttribute' && said.has(nameOf(piece['name']))
            ? [piece['value']]
            : piece.type === 'JSXFragment' || (piece.type === 'JSXElement' && !verbatim.has(nameOf(opening?.['name'])))
              ? (piece['children'] as readonly unknown[])
              : [];
        return (
          shown
            .flatMap(wordsOf)
            // An example of an address is the same in every language.
            .filter((words) => /\p{L}/u.test(words) && !/^(?:https:\/\/)?(?:[a-z.]+[.@])?example\.com$/.test(words))
            .map((words) => `${file.path}:${lineOf(file, piece)} says "${words.trim()}": words stand in console/src/text`)
        );
      }),
    );
}

/** Keys of the catalogue that nothing shows. A key that is put together counts for all that it may become. */
export function unusedTexts(files: readonly SourceFile[], keys: readonly string[]): Finding[] {
  const code = files
    .filter((file) => !isTest(file))
    // A comment stands at the beginning of a line or behind a space; `//` elsewhere may be the end of a regular expression.
    .map(({ text }) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1'))
    .join('\n');
  const whole = new Set([...code.matchAll(/(['"`])([a-z][\w-]*(?:\.[\w-]+)+)\1/g)].map(([, , key]) => key));
  const built = [...code.matchAll(/`([a-z][\w-]*\.[^`\s]*\$\{[^`]*)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
  );
  return keys
    .filter((key) => !whole.has(key) && !built.some((pattern) => pattern.test(key)))
    .map((key) => `${key}: no screen shows this text`);
}

const colour =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|(?<=[:\s,(])(?:white|black|red|green|blue|gr[ae]y|orange|yellow|purple|navy|teal|silver)(?![\w-])/gi;

/** Colours in a style sheet that are no tokens. */
export function coloursOutsideTokens(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => path.endsWith('.css') && path !== `${base}parts/tokens.css`)
    .flatMap(({ path, text }) => {
      const rules = text.replace(/\/\*[\s\S]*?\*\//g, (part) => part.replace(/[^\n]/g, ' '));
      return [...rules.matchAll(/[\w-]+\s*:\s*([^;{}]*)[;}]/g)].flatMap(({ 1: value = '', index }) =>
        (` ${value}`.match(colour) ?? []).map(
          (one) => `${path}:${rules.slice(0, index).split('\n').length} has ${one}: colours stand in console/src/parts/tokens.css`,
        ),
      );
    });
}

/** Style properties that may be computed where shown: where something is and how much room it takes. */
const places = new Set([
  'transform',
  'translate',
  'top',
  'left',
  'width',
  'height',
  'insetInlineStart',
  'strokeDasharray',
  'strokeDashoffset',
]);

/** Styles in code that are more than a computed place. */
export function stylesInCode(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => file.path.endsWith('.tsx') && !isTest(file))
    .flatMap((file) => {
      const pieces = piecesOf(file);
      const isPlace = (style: unknown): boolean =>
        isPiece(style) &&
        style.type === 'ObjectExpression' &&
        (style['properties'] as readonly Piece[]).every(
          ({ key, value }) => places.has(nameOf(key)) && isPiece(value) && value.type !== 'Literal',
        );
      const declared = pieces.filter(({ type }) => type === 'VariableDeclarator');
      return pieces
        .filter(({ type, name }) => type === 'JSXAttribute' && nameOf(name) === 'style')
        .filter((attribute) => {
          const style = (attribute['value'] as Piece | null)?.['expression'];
          const made = declared.filter(({ id }) => nameOf(id) !== '' && nameOf(id) === nameOf(style));
          // One that comes as a property was looked at where it is made.
          const isHandedOn = isPiece(style) && style.type === 'Identifier' && nameOf(style) === 'style';
          return !isPlace(style) && !(made.length > 0 ? made.every(({ init }) => isPlace(init)) : isHandedOn);
        })
        .map(
          (attribute) => `${file.path}:${lineOf(file, attribute)}: style= only for a place that is computed; all else is in a style sheet`,
        );
    });
}
