/** From a text to a checked expression: size, parser, size of the tree, types, result, cost. */
import { parse } from '@bufbuild/cel';
import { Checker, type Tree } from './check.ts';
import { costOf } from './cost.ts';
import { type DirectoryFunctionName, type Environment, environments, type ResultKind, type VariableName } from './environments.ts';
import { type Program, makeProgram } from './evaluate.ts';
import { maxCost, maxDepth, maxNodes } from './limits.ts';
import type { Node } from './node.ts';
import { type Fault, scan } from './scan.ts';
import { typeLabel, type Type } from './types.ts';

/** An expression that may be evaluated, again and again. */
export interface Expression {
  readonly text: string;
  readonly environment: Environment;
  readonly result: ResultKind;
  readonly node: Node;
  readonly program: Program;
  /** Most nodes an evaluation visits. */
  readonly cost: number;
  /** The variables it names: subject, account, entitlement, task, appOwners, ctx. */
  readonly variables: ReadonlySet<VariableName>;
  /** Fields read of them: 'subject.department', 'subject.profile'; 'subject' where it hands on the whole. */
  readonly fields: ReadonlySet<string>;
  /** The functions of the inventory that it calls. */
  readonly functions: ReadonlySet<DirectoryFunctionName>;
}

/** Something wrong in an expression. Lines and columns count from 1, columns in UTF-16 units; `message` begins "line 2, column 7: ". */
export interface ExpressionError {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly message: string;
}

/** An expression, or what is wrong with the text. */
export type Compiled = { readonly expression: Expression } | { readonly errors: readonly ExpressionError[] };

/** The expression that a text is in an environment, or everything that is wrong with it. Throws for no text. */
export function compileExpression(text: string, environment: Environment): Compiled {
  const clean = scan(text);
  if (typeof clean !== 'string') {
    return failedBy(text, [clean]);
  }
  const parsed = parsedFrom(clean);
  if ('message' in parsed) {
    return failedBy(text, [parsed]);
  }
  const oversize = tooLarge(parsed.tree);
  if (oversize !== undefined) {
    return failedBy(text, [oversize]);
  }
  const checker = new Checker(environment, clean, parsed.positions);
  const node = checker.check(parsed.tree);
  if (checker.faults.length > 0) {
    return failedBy(text, checker.faults);
  }
  const result = resultOf(node.type, environments[environment].results);
  if (result === undefined) {
    return failedBy(text, [{ at: node.at, message: wrongResult(node.type, environments[environment].results) }]);
  }
  const named = checker.uses.variables.get('subject');
  if ((environment === 'REVIEW_USERS' || environment === 'REVIEW_ACCOUNTS') && result !== 'bool' && named !== undefined) {
    const message = 'a list is made once for the whole review, so it cannot name the subject; ask a question about the subject instead';
    return failedBy(text, [{ at: named, message }]);
  }
  const cost = costOf(node);
  if (cost > maxCost) {
    const message = `the expression may take ${cost} steps, more than ${maxCost}; go through fewer or shorter lists`;
    return failedBy(text, [{ at: node.at, message }]);
  }
  const { variables, fields, functions } = checker.uses;
  const program = makeProgram(node);
  return { expression: { text, environment, result, node, program, cost, variables: new Set(variables.keys()), fields, functions } };
}

/** An operator with nothing behind it: the parser stumbles over its first character. */
const operatorPattern = /^(==|!=|<=|>=|&&|\|\||[<>=+*/%?:!.-]|in)$/;

type Parsed = { tree: Tree; positions: Readonly<Record<number, number>> };

function parsedFrom(text: string): Parsed | Fault {
  try {
    const { expr, sourceInfo } = parse(text);
    return { tree: expr, positions: sourceInfo?.positions ?? {} };
  } catch (error) {
    if (error instanceof RangeError) {
      return { at: 0, message: 'the expression is nested too deeply' };
    }
    const { location, found } = error as { location?: { start?: { offset?: number } }; found?: unknown };
    const at = location?.start?.offset ?? 0;
    const rest = text.slice(at).trim();
    if (operatorPattern.test(rest)) {
      return { at: text.trimEnd().length, message: `the expression ends too early: something is missing behind ${rest}` };
    }
    // It also stumbles over the operator or the call in front of what it cannot read.
    const behind = /^(==|!=|<=|>=|&&|\|\||[<>+*/%?:.-]|in\b)\s*([^\s\w"'([{!.-])/.exec(rest);
    if (behind !== null) {
      return { at: text.indexOf(rest, at) + behind[0].length - 1, message: `${JSON.stringify(behind[2])} is not expected here` };
    }
    const call = /^\.\s*([A-Za-z_]\w*)\s*\(/.exec(rest);
    if (call !== null) {
      const name = call[1] ?? '';
      return { at: text.indexOf(name, at), message: `the call of ${name} cannot be read: look at what stands between its brackets` };
    }
    const unexpected =
      typeof found === 'string' && rest !== ''
        ? `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 32))} is not expected here`
        : 'the expression ends too early';
    return { at, message: unexpected };
  }
}

/** Checks the size of a tree: walked without recursion, as it may be deep. A chain of && or || counts as one level. */
function tooLarge(tree: Tree): Fault | undefined {
  let nodes = 0;
  const waiting: { tree: Tree; depth: number; chain: string }[] = [{ tree, depth: 1, chain: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    nodes++;
    const { exprKind } = next.tree;
    const name = exprKind.case === 'callExpr' ? exprKind.value.function : '';
    const chain = name === '_&&_' || name === '_||_' ? name : '';
    const depth = chain !== '' && chain === next.chain ? next.depth : next.depth + 1;
    if (depth > maxDepth) {
      return { at: 0, message: `the expression is nested deeper than ${maxDepth}` };
    }
    for (const part of partsOf(next.tree)) {
      waiting.push({ tree: part, depth, chain });
    }
  }
  return nodes > maxNodes ? { at: 0, message: `the expression has ${nodes} parts, more than ${maxNodes}` } : undefined;
}

function partsOf({ exprKind }: Tree): Tree[] {
  const some = (...trees: (Tree | undefined)[]): Tree[] => trees.filter((one) => one !== undefined);
  switch (exprKind.case) {
    case 'selectExpr':
      return some(exprKind.value.operand);
    case 'callExpr':
      return some(exprKind.value.target, ...exprKind.value.args);
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => some(keyKind.case === 'mapKey' ? keyKind.value : undefined, value));
    case 'comprehensionExpr':
      return some(exprKind.value.iterRange, exprKind.value.loopStep);
    default:
      return [];
  }
}

function resultOf(type: Type, wanted: readonly ResultKind[]): ResultKind | undefined {
  return wanted.find((result) => {
    switch (result) {
      case 'bool':
        return type.kind === 'bool' || type.kind === 'dyn';
      case 'user':
        return type.kind === 'object' && type.name === 'User';
      default: {
        const name = result === 'users' ? 'User' : 'AppUser';
        return type.kind === 'list' && (type.of.kind === 'dyn' || (type.of.kind === 'object' && type.of.name === name));
      }
    }
  });
}

const resultNames: Readonly<Record<ResultKind, string>> = {
  bool: 'a bool',
  user: 'a person (User)',
  users: 'a list of people (list<User>)',
  accounts: 'a list of accounts (list<AppUser>)',
};

const wrongResult = (type: Type, wanted: readonly ResultKind[]): string =>
  `the expression must give ${wanted.map((result) => resultNames[result]).join(' or ')}, and it gives ${typeLabel(type)}`;

function failedBy(text: string, faults: readonly Fault[]): Compiled {
  return { errors: faults.toSorted((left, right) => left.at - right.at).map((fault) => errorAt(text, fault)) };
}

function errorAt(text: string, { at, message }: Fault): ExpressionError {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1) + 1;
  const word = /^[\w.]+/.exec(text.slice(at))?.[0].length ?? 1;
  return { line, column, endLine: line, endColumn: column + word, message: `line ${line}, column ${column}: ${message}` };
}
