// Writes what the contract says in its comments to a folder of generated code, for the OpenAPI document: the comment before each message,
// field, service and method, by full name. The code that protoc-gen-es makes leaves comments out.
// Usage: list-comments.js DESCRIPTORS FOLDER, where DESCRIPTORS is a FileDescriptorSet with its source.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

/** Target of a number of a path, in a file and in a message: the member of the descriptor that holds the list. */
const inFile = { 4: 'messageType', 5: 'enumType', 6: 'service' };
const inMessage = { 2: 'field', 3: 'nestedType', 4: 'enumType' };
const inService = { 2: 'method' };
const membersOf = { messageType: inMessage, nestedType: inMessage, service: inService };

/** The full name of what a path of source information leads to; undefined for what has no name of its own. */
function nameAt(file, path) {
  let [holder, members, name] = [file, inFile, file.package];
  for (let index = 0; index < path.length; index += 2) {
    const member = members?.[path[index]];
    holder = member === undefined ? undefined : holder[member]?.[path[index + 1]];
    if (holder === undefined) {
      return undefined;
    }
    name += `.${holder.name}`;
    members = membersOf[member];
  }
  return name;
}

const [descriptors, folder] = process.argv.slice(2);
const comments = {};
for (const file of fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)).file) {
  if (!/^(?:c1|countersign)\./.test(file.package)) {
    continue;
  }
  for (const { path, leadingComments } of file.sourceCodeInfo?.location ?? []) {
    const name = path.length > 0 && path.length % 2 === 0 ? nameAt(file, path) : undefined;
    const text = leadingComments.trim().replaceAll(/\s*\n\s*/g, ' ');
    if (name !== undefined && text !== '') {
      comments[name] = text;
    }
  }
}
const sorted = Object.fromEntries(Object.entries(comments).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(join(folder, 'comments.js'), `export const comments = ${JSON.stringify(sorted, null, 1)};\n`);
writeFileSync(join(folder, 'comments.d.ts'), 'export declare const comments: Readonly<Record<string, string>>;\n');
