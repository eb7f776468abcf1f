// Compares the contract in proto/ with the facts of the public API: names, JSON types, values of enums, routes and what they take and answer.
// Facts are proto/public-schemas.json (messages) and proto/public-operations.tsv (operations); deliberate deviations are proto/deviations.txt.
// Not compared: groups of a oneof, query parameters, marks of members that are read-only.
// Usage: compare-contract.js IMAGE [--missing], where IMAGE is what `buf build -o contract.json` writes. Prints one line for each difference
// that no deviation names, then the counts; ends with 1 where there is one. --missing lists what the contract does not have yet, too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.js';

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/** JSON types of the messages that have one of their own, in the words of the public facts. */
const wellKnown = {
  'google.protobuf.Timestamp': 'string:date-time',
  'google.protobuf.Duration': 'string:duration',
  'google.protobuf.FieldMask': 'string',
  'google.protobuf.Any': 'any',
  'google.protobuf.Struct': 'object',
  'google.protobuf.Value': 'object',
  'google.protobuf.ListValue': 'object',
  'google.protobuf.Empty': 'object',
};

/** JSON types of scalars; a 64-bit integer is a string in JSON. */
const scalars = {
  TYPE_STRING: 'string',
  TYPE_BOOL: 'boolean',
  TYPE_BYTES: 'string:base64',
  TYPE_DOUBLE: 'number',
  TYPE_FLOAT: 'number',
  TYPE_INT32: 'integer:int32',
  TYPE_SINT32: 'integer:int32',
  TYPE_SFIXED32: 'integer:int32',
  TYPE_UINT32: 'integer:uint32',
  TYPE_FIXED32: 'integer:uint32',
  TYPE_INT64: 'string:int64',
  TYPE_SINT64: 'string:int64',
  TYPE_SFIXED64: 'string:int64',
  TYPE_UINT64: 'string:uint64',
  TYPE_FIXED64: 'string:uint64',
};

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const withoutNames = (path) => path.replace(/\{[^}]+\}/g, '{}');

/** Messages and enums by full name, and routes by verb and path. */
function readContract(image) {
  const contract = { messages: new Map(), enums: new Map(), routes: new Map() };
  const add = (prefix, messages = [], enums = []) => {
    for (const one of enums) {
      contract.enums.set(`${prefix}.${one.name}`, one.value.map(({ name }) => name).join('|'));
    }
    for (const one of messages) {
      const name = `${prefix}.${one.name}`;
      contract.messages.set(name, one);
      add(name, one.nestedType, one.enumType);
    }
  };
  for (const file of JSON.parse(readFileSync(image, 'utf8')).file) {
    add(file.package ?? '', file.messageType, file.enumType);
    for (const method of (file.service ?? []).flatMap((service) => service.method ?? [])) {
      const http = method.options?.['[google.api.http]'];
      for (const rule of http === undefined ? [] : [http, ...(http.additionalBindings ?? [])]) {
        for (const verb of verbs.filter((one) => rule[one] !== undefined)) {
          const route = { input: method.inputType.slice(1), output: method.outputType.slice(1) };
          contract.routes.set(`${verb.toUpperCase()} ${withoutNames(rule[verb])}`, route);
        }
      }
    }
  }
  return contract;
}

/** The JSON type of a field of the contract. */
function contractType({ messages, enums }, field) {
  const name = (field.typeName ?? '').slice(1);
  const entry = messages.get(name);
  if (entry?.options?.mapEntry === true) {
    const value = entry.field.find((one) => one.name === 'value');
    return `map<${contractType({ messages, enums }, { ...value, label: '' })}>`;
  }
  const one =
    field.type === 'TYPE_MESSAGE'
      ? (wellKnown[name] ?? name)
      : field.type === 'TYPE_ENUM'
        ? `enum(${enums.get(name)})`
        : scalars[field.type];
  return field.label === 'LABEL_REPEATED' ? `[${one}]` : one;
}

/** The public document calls the body of a request FooInput: the message Foo without what stands in its path. */
const withoutInput = ({ messages }, name) => (name.endsWith('Input') && !messages.has(name) ? name.slice(0, -'Input'.length) : name);

/** The JSON type of a public fact. */
function publicType(contract, fact) {
  if (fact.ref !== undefined) {
    return withoutInput(contract, fact.ref);
  }
  if (fact.enum !== undefined) {
    return `enum(${fact.enum.join('|')})`;
  }
  if (fact.type === 'array') {
    return `[${publicType(contract, fact.items ?? {})}]`;
  }
  if (fact.properties?.['@type'] !== undefined) {
    return 'any';
  }
  if (fact.additionalProperties !== undefined && fact.additionalProperties !== true) {
    return `map<${publicType(contract, fact.additionalProperties)}>`;
  }
  if (fact.type === 'integer') {
    return `integer:${fact.format ?? 'int32'}`;
  }
  const isOpen = fact.type === undefined || fact.type === 'object' || Array.isArray(fact.type) || fact.additionalProperties === true;
  const isFormat = ['date-time', 'duration', 'int64', 'uint64', 'base64'].includes(fact.format);
  return isOpen ? 'object' : isFormat ? `${fact.type}:${fact.format}` : fact.type;
}

/** True where both are the same for a client; the public document says no more than "object" of some messages. */
function isSame(ours, theirs) {
  const isLoose = (theirs === 'object' && /^(?:object|any|map<)/.test(ours)) || (theirs === '[object]' && ours === '[any]');
  return ours === theirs || isLoose || (ours === 'number' && theirs.startsWith('number'));
}

/** Differences of the messages that both have, as name and sentence, and the names of those that the contract lacks. */
function compareMessages(contract, facts) {
  const found = [];
  const missing = [];
  for (const [name, members] of Object.entries(facts)) {
    const ours = withoutInput(contract, name);
    const message = contract.messages.get(ours);
    if (message === undefined) {
      missing.push(name);
      continue;
    }
    const fields = new Map((message.field ?? []).map((field) => [field.jsonName ?? field.name, field]));
    for (const [member, fact] of Object.entries(members)) {
      const field = fields.get(member);
      const theirs = publicType(contract, fact);
      const type = field === undefined ? undefined : contractType(contract, field);
      if (type === undefined) {
        found.push([`${ours}.${member}`, `missing (${theirs})`]);
      } else if (!isSame(type, theirs)) {
        found.push([`${ours}.${member}`, `is ${type}, public ${theirs}`.slice(0, 300)]);
      }
    }
    // A body may have more than the public document shows of it: what stands in the path.
    if (!name.endsWith('Input') && !(`${name}Input` in facts)) {
      found.push(
        ...[...fields.keys()].filter((member) => !(member in members)).map((member) => [`${name}.${member}`, 'not in the public message']),
      );
    }
  }
  return { found, missing };
}

/** Differences in what served operations take and answer, and the operations that the contract lacks. */
function compareOperations(contract, facts, operations) {
  const full = (name) => withoutInput(contract, `c1.api.${name}` in facts ? `c1.api.${name}` : name);
  const found = [];
  const missing = [];
  for (const { shown, key, request, response } of operations) {
    const route = contract.routes.get(key);
    if (route === undefined) {
      missing.push(shown);
      continue;
    }
    for (const [said, ours, theirs] of [
      ['takes', route.input, request],
      ['answers', route.output, response],
    ]) {
      if (theirs && ours !== full(theirs)) {
        found.push([shown, `${said} ${ours}, public ${full(theirs)}`]);
      }
    }
  }
  return { found, missing };
}

const [image] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (image === undefined) {
  process.stderr.write('usage: compare-contract.js IMAGE [--missing]\n');
  process.exit(2);
}
const contract = readContract(image);
const facts = JSON.parse(read('proto', 'public-schemas.json'));
const operations = read('proto', 'public-operations.tsv')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([, , verb, path, , request, response]) => ({ key: `${verb} ${withoutNames(path)}`, shown: `${verb} ${path}`, request, response }));
const deviations = new Set(
  read('proto', 'deviations.txt')
    .split('\n')
    .filter((line) => line.includes(': ') && !line.startsWith('#'))
    .map((line) => line.slice(0, line.indexOf(': '))),
);

const messages = compareMessages(contract, facts);
const routes = compareOperations(contract, facts, operations);
const all = [...messages.found, ...routes.found];
const differences = all.filter(([name]) => !deviations.has(name));
const unused = [...deviations].filter((name) => !all.some(([found]) => found === name));
const total = Object.keys(facts).length;
process.stdout.write(
  [
    ...differences.map(([name, what]) => `${name}: ${what}`),
    ...unused.map((name) => `deviation no longer needed: ${name}`),
    ...(process.argv.includes('--missing') ? [...messages.missing, ...routes.missing].map((name) => `missing: ${name}`) : []),
    `${total - messages.missing.length} of ${total} messages, ${operations.length - routes.missing.length} of ${operations.length} operations, ` +
      `${differences.length} differences, ${deviations.size - unused.length} deliberate`,
  ]
    .map((line) => `${line}\n`)
    .join(''),
);
process.exitCode = differences.length > 0 || unused.length > 0 ? 1 : 0;
