/**
 * Evaluates checked expressions. Each node becomes a function once, and its result is a value or an error: && and || go on after an error, and
 * everything else hands it on.
 */
import { applied, getItem } from './apply.ts';
import type { DirectoryFunctionName, VariableName } from './environments.ts';
import type { Node } from './node.ts';
import { CelObject, Failure, pending, type Result, type Timestamp, type Value } from './values.ts';
import { Work, WorkExceeded } from './work.ts';

/** A function of the inventory with its arguments: people and accounts by their ids. */
export interface Question {
  readonly name: DirectoryFunctionName;
  readonly args: readonly (string | readonly string[])[];
}

/** Data one evaluation sees. */
export interface Scene {
  readonly variables: Readonly<Partial<Record<VariableName, Value>>>;
  readonly now: Timestamp;
  /** The answer, or `pending` where it must be loaded first. */
  readonly ask: (question: Question) => Result;
}

interface Frame extends Scene {
  readonly work: Work;
  readonly items: Value[];
}

/** Evaluates in a scene. Never throws; `pending` says that answers are missing. */
export type Program = (scene: Scene) => Result;

type Step = (frame: Frame) => Result;

/** The program of a checked expression. */
export function makeProgram(node: Node): Program {
  const step = stepOf(node);
  return (scene) => {
    try {
      return step({ variables: scene.variables, now: scene.now, ask: scene.ask, work: new Work(), items: [] });
    } catch (error) {
      if (error instanceof WorkExceeded) {
        return new Failure(error.message);
      }
      throw error;
    }
  };
}

function stepOf(node: Node): Step {
  switch (node.op) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'variable': {
      const { name } = node;
      return ({ variables }) => variables[name] ?? null;
    }
    case 'local': {
      const { slot } = node;
      return ({ items }) => items[slot]!;
    }
    case 'now':
      return ({ now }) => now;
    case 'field':
      return fieldStep(stepOf(node.of), node.field);
    case 'has':
      return hasStep(stepOf(node.of), node.key);
    case 'item':
      return callStep([node.of, node.key], (_frame, [of, key]) => getItem(of!, key!));
    case 'and':
    case 'or':
      return chainStep(node.parts.map(stepOf), node.op === 'or');
    case 'choice': {
      const [condition, yes, no] = [stepOf(node.condition), stepOf(node.yes), stepOf(node.no)];
      return (frame) => {
        const chosen = condition(frame);
        return chosen instanceof Failure ? chosen : chosen === true ? yes(frame) : chosen === false ? no(frame) : notBool;
      };
    }
    case 'call': {
      const call = applied(node.name);
      return callStep(node.args, (frame, args) => call(frame.work, args));
    }
    case 'ask': {
      const { name } = node;
      return callStep(node.args, (frame, args) => askFor(frame, name, args));
    }
    case 'list':
      return callStep(node.items, ({ work }, items) => work.list(items));
    case 'map':
      return callStep(
        node.entries.flatMap(({ key, value }) => [key, value]),
        mapOfEntries,
      );
    case 'macro':
      return macroStep(node);
  }
}

const notBool = new Failure('this is neither true nor false');

function fieldStep(of: Step, field: string): Step {
  return (frame) => {
    const object = of(frame);
    return object instanceof Failure
      ? object
      : object instanceof CelObject
        ? object.get(field)
        : new Failure(object === null ? `there is no one to have a ${field}` : `there is no ${field}`);
  };
}

function hasStep(of: Step, key: string): Step {
  return (frame) => {
    const object = of(frame);
    if (object instanceof Failure) {
      return object;
    }
    if (object instanceof Map) {
      return object.has(key);
    }
    return object instanceof CelObject ? !isEmpty(object.get(key)) : new Failure(`there is nothing that could have ${key}`);
  };
}

const isEmpty = (value: Value): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Map && value.size === 0);

function callStep(args: readonly Node[], call: (frame: Frame, args: readonly Value[]) => Result): Step {
  const steps = args.map(stepOf);
  return (frame) => {
    const values: Value[] = [];
    let failure: Failure | undefined;
    for (const step of steps) {
      const value = step(frame);
      if (value instanceof Failure) {
        // The others are evaluated too, so that what they ask for is loaded in the same round.
        failure = failure === undefined || value === pending ? value : failure;
      } else {
        values.push(value);
      }
    }
    return failure ?? call(frame, values);
  };
}

/** && and ||: `decisive` in one part decides, whatever errors the others have. */
function chainStep(steps: readonly Step[], decisive: boolean): Step {
  return (frame) => {
    let failure: Failure | undefined;
    for (const step of steps) {
      const value = step(frame);
      if (value === decisive) {
        return decisive;
      }
      failure = worse(failure, value, decisive);
    }
    return failure ?? !decisive;
  };
}

/** Merges errors so far and the next value: an answer that is missing may still decide, so it comes before other errors. */
function worse(failure: Failure | undefined, value: Result, decisive: boolean): Failure | undefined {
  if (value === !decisive) {
    return failure;
  }
  const next = value instanceof Failure ? value : notBool;
  return failure === undefined || next === pending ? next : failure;
}

function mapOfEntries({ work }: Frame, values: readonly Value[]): Result {
  work.spend(values.length);
  const made = new Map<Value, Value>();
  for (let at = 0; at < values.length; at += 2) {
    const given = values[at]!;
    const key = typeof given === 'number' && Number.isInteger(given) ? BigInt(given) : given;
    if (typeof key === 'object' || made.has(key)) {
      return new Failure(typeof key === 'object' ? 'a key of a map is a text, a whole number or a bool' : 'the map has a key twice');
    }
    made.set(key, values[at + 1]!);
  }
  return made;
}

function askFor(frame: Frame, name: DirectoryFunctionName, args: readonly Value[]): Result {
  frame.work.spend(10);
  const given: (string | readonly string[])[] = [];
  for (const arg of args) {
    if (typeof arg === 'string') {
      given.push(arg);
    } else if (arg instanceof CelObject) {
      given.push(arg.id);
    } else if (Array.isArray(arg) && arg.every((item) => item instanceof CelObject)) {
      given.push([...new Set(arg.map(({ id }) => id))]);
    } else {
      return new Failure(`${name}() was called for no one`);
    }
  }
  return frame.ask({ name, args: given });
}

function macroStep(node: Node & { readonly op: 'macro' }): Step {
  const range = stepOf(node.range);
  const [test, body] = [node.test, node.body].map((part) => (part === undefined ? undefined : stepOf(part)));
  const { slot, macro } = node;
  return (frame) => {
    const over = range(frame);
    if (over instanceof Failure) {
      return over;
    }
    const items = Array.isArray(over) ? (over as readonly Value[]) : over instanceof Map ? [...over.keys()] : undefined;
    if (items === undefined) {
      return new Failure('only lists and maps can be gone through');
    }
    frame.work.list(items);
    const visit = (item: Value, step: Step): Result => {
      frame.work.spend(1);
      frame.items[slot] = item;
      return step(frame);
    };
    if (macro === 'map') {
      return mapItems(frame, items, visit, test, body!);
    }
    return macro === 'exists_one' ? existsOne(items, visit, test!) : anyItem(items, visit, test!, macro === 'exists');
  };
}

type Visit = (item: Value, step: Step) => Result;

function anyItem(items: readonly Value[], visit: Visit, test: Step, decisive: boolean): Result {
  let failure: Failure | undefined;
  for (const item of items) {
    const value = visit(item, test);
    if (value === decisive) {
      return decisive;
    }
    failure = worse(failure, value, decisive);
  }
  return failure ?? !decisive;
}

function existsOne(items: readonly Value[], visit: Visit, test: Step): Result {
  let count = 0;
  let failure: Failure | undefined;
  for (const item of items) {
    const value = visit(item, test);
    if (typeof value !== 'boolean') {
      failure = worse(failure, value, true);
    }
    count += value === true ? 1 : 0;
  }
  return failure ?? count === 1;
}

function mapItems(frame: Frame, items: readonly Value[], visit: Visit, test: Step | undefined, body: Step): Result {
  const made: Value[] = [];
  let failure: Failure | undefined;
  for (const item of items) {
    const wanted = test === undefined ? true : visit(item, test);
    const value = wanted === true ? visit(item, body) : wanted === false ? undefined : wanted instanceof Failure ? wanted : notBool;
    if (value instanceof Failure) {
      failure = failure === undefined || value === pending ? value : failure;
    } else if (value !== undefined) {
      made.push(value);
    }
  }
  return failure ?? frame.work.list(made);
}

/** Key of a question's answer in one batch. */
export function questionKey({ name, args }: Question): string {
  return JSON.stringify([name, ...args]);
}
