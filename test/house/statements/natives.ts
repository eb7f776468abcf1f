/** What JavaScript and the package of SQL templates do with values, as far as statements are made by it. */
import { knownText, list, type Node, nothing, type Part, type Piece, plain, type Value, unknown } from './values.ts';

/** Calls a function with values. */
export type Call = (callee: Value, args: readonly Value[]) => Value;

/** The parts of a value that stands in a piece of SQL. */
export function partsInSql(value: Value, isSql: (value: Value) => boolean, id: string): readonly Part[] {
  if (value.kind === 'sql') {
    return value.parts;
  }
  if (value.kind === 'unknown') {
    return isSql(value) ? [{ gap: value.id }] : [{ parameter: value.id }];
  }
  return value.kind === 'text' && value.parts.every((part) => 'text' in part)
    ? [{ parameter: `'${knownText(value)}'` }]
    : [{ parameter: id }];
}

/** The parts of a value that stands in a text. */
export function partsInText(value: Value): readonly Part[] {
  if (value.kind === 'text') {
    return value.parts;
  }
  if (value.kind === 'plain') {
    return [{ text: String(value.value), path: '', at: 0 }];
  }
  return [{ gap: value.kind === 'unknown' ? value.id : value.kind }];
}

function joined(items: readonly Value[], between: readonly Part[], parts: (value: Value) => readonly Part[]): readonly Part[] {
  return items.flatMap((item, at) => [...(at === 0 ? [] : between), ...parts(item)]);
}

const textPart = (text: string): Piece => ({ text, path: '', at: 0 });

/** Exports of the package that pieces of SQL are made with. */
export function nativesOfSql(isSql: (value: Value) => boolean): Readonly<Record<string, Value>> {
  const parts = (value: Value, id: string) => partsInSql(value, isSql, id);
  return {
    empty: { kind: 'sql', parts: [] },
    raw: { kind: 'native', call: ([text = nothing]) => ({ kind: 'sql', parts: partsInText(text) }) },
    join: {
      kind: 'native',
      call: ([items = nothing, between, before, after]) => {
        const around = (value: Value | undefined, without: string) => (value === undefined ? [textPart(without)] : partsInText(value));
        if (items.kind !== 'list') {
          return { kind: 'sql', parts: [{ gap: 'pieces' }] };
        }
        return {
          kind: 'sql',
          parts: [...around(before, ''), ...joined(items.items, around(between, ','), (item) => parts(item, 'item')), ...around(after, '')],
        };
      },
    },
    default: {
      kind: 'native',
      call: (args, tag = []) => ({
        kind: 'sql',
        parts: tag.flatMap((piece, at) => [piece, ...(at < args.length ? parts(args[at] ?? nothing, `${piece.path}:${piece.at}`) : [])]),
      }),
    },
  };
}

function ofList(value: Value & { kind: 'list' }, name: string, args: readonly Value[], call: Call, id: string): Value | undefined {
  const [first = nothing] = args;
  const each = () => value.items.map((item, at) => call(first, [item, plain(at), value]));
  switch (name) {
    case 'map':
      return list(each(), value.isOpen);
    case 'flatMap':
      return list(
        each().flatMap((item) => (item.kind === 'list' ? item.items : [item])),
        value.isOpen,
      );
    case 'forEach':
      each();
      return nothing;
    case 'filter':
    case 'toSorted':
    case 'sort':
    case 'reverse':
    case 'toReversed':
    case 'flat':
      if (name === 'filter') {
        const kept = each();
        return list(
          value.items.filter((_, at) => kept[at]?.kind !== 'plain' || Boolean((kept[at] as { value: unknown }).value)),
          value.isOpen,
        );
      }
      return name === 'flat'
        ? list(
            value.items.flatMap((item) => (item.kind === 'list' ? item.items : [item])),
            value.isOpen,
          )
        : value;
    case 'concat':
      return list([...value.items, ...args.flatMap((one) => (one.kind === 'list' ? one.items : [one]))], value.isOpen);
    case 'entries':
      return list(
        value.items.map((item, at) => list([plain(at), item])),
        value.isOpen,
      );
    case 'values':
      return value;
    case 'join':
      return { kind: 'text', parts: joined(value.items, args.length === 0 ? [textPart(',')] : partsInText(first), partsInText) };
    case 'push':
      return undefined;
    case 'includes': {
      const wanted = knownText(first);
      const texts = value.items.map(knownText);
      return wanted === undefined || value.isOpen || texts.includes(undefined) ? undefined : plain(texts.includes(wanted));
    }
    case 'at':
      return first.kind === 'plain' ? (value.items.at(Number(first.value)) ?? nothing) : undefined;
    case 'find':
      each();
      return unknown(id);
    case 'reduce':
      return value.items.reduce((sum, item) => call(first, [sum, item]), args[1] ?? nothing);
    default:
      return undefined;
  }
}

function ofText(value: Value, name: string, args: readonly Value[]): Value | undefined {
  const text = knownText(value);
  const known = args.map(knownText);
  if (text === undefined || known.includes(undefined)) {
    return undefined;
  }
  const [first = '', second = ''] = known as string[];
  const [piece] = value.kind === 'text' ? value.parts : [];
  const made = (result: string): Value => ({
    kind: 'text',
    parts: [
      {
        text: result,
        path: piece !== undefined && 'path' in piece ? piece.path : '',
        at: piece !== undefined && 'at' in piece ? piece.at : 0,
      },
    ],
  });
  switch (name) {
    case 'trim':
      return made(text.trim());
    case 'toLowerCase':
      return made(text.toLowerCase());
    case 'toUpperCase':
      return made(text.toUpperCase());
    case 'repeat':
      return made(text.repeat(Number(first)));
    case 'replace':
      return made(text.replace(first, second));
    case 'replaceAll':
      return made(text.replaceAll(first, second));
    case 'slice':
      return made(text.slice(Number(first), known.length > 1 ? Number(second) : undefined));
    case 'split':
      return list(text.split(first).map(made));
    case 'concat':
      return made(text.concat(...(known as string[])));
    case 'startsWith':
      return plain(text.startsWith(first));
    case 'endsWith':
      return plain(text.endsWith(first));
    case 'includes':
      return plain(text.includes(first));
    default:
      return undefined;
  }
}

/** Result of a method of a list or a text; undefined where only a run of the program would tell. */
export function callMethod(value: Value, name: string, args: readonly Value[], call: Call, id: string): Value | undefined {
  if (value.kind === 'list') {
    return ofList(value, name, args, call, id);
  }
  return value.kind === 'text' ? ofText(value, name, args) : undefined;
}

/** Result of a function of JavaScript's own objects, such as `Object.keys`; undefined where it is none that is known. */
export function callGlobal(name: string, args: readonly Value[], call: Call): Value | undefined {
  const [first = nothing, second] = args;
  const entries =
    first.kind === 'object'
      ? [...first.members]
      : first.kind === 'list'
        ? first.items.map((item, at) => [String(at), item] as const)
        : undefined;
  const key = (text: string): Value => ({ kind: 'text', parts: [textPart(text)] });
  switch (name) {
    case 'Object.keys':
      return entries && list(entries.map(([member]) => key(member)));
    case 'Object.values':
      return entries && list(entries.map(([, item]) => item));
    case 'Object.entries':
      return entries && list(entries.map(([member, item]) => list([key(member), item])));
    case 'Object.fromEntries': {
      if (first.kind !== 'list') {
        return undefined;
      }
      const members = new Map<string, Value>();
      for (const item of first.items) {
        if (item.kind === 'list') {
          members.set(knownText(item.items[0] ?? nothing) ?? '', item.items[1] ?? nothing);
        }
      }
      return { kind: 'object', members, isOpen: first.isOpen };
    }
    case 'Object.freeze':
    case 'Promise.all':
    case 'Promise.resolve':
    case 'structuredClone':
      return first;
    case 'Array.from':
      return first.kind !== 'list'
        ? undefined
        : second === undefined
          ? first
          : list(
              first.items.map((item, at) => call(second, [item, plain(at)])),
              first.isOpen,
            );
    case 'Array.isArray':
      return first.kind === 'unknown' ? undefined : plain(first.kind === 'list');
    case 'String':
      return first.kind === 'text' ? first : first.kind === 'plain' ? key(String(first.value)) : undefined;
    default:
      return undefined;
  }
}

/** The value of a literal. */
export function literal(node: Node, path: string): Value {
  const value: unknown = node['value'];
  return typeof value === 'string'
    ? { kind: 'text', parts: value === '' ? [] : [{ text: value, path, at: node.start + 1 }] }
    : typeof value === 'number' || typeof value === 'boolean' || value === null
      ? plain(value)
      : unknown(`${path}:${node.start}`);
}
