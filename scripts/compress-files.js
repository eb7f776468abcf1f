// Writes a copy of each file beside it as Brotli (.br) and gzip (.gz), on all processors at once: node scripts/compress-files.js FILE...
// Plain JavaScript without dependencies: the build of the console runs it, on whatever Node the machine has.
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];
const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_QUALITY]: 11 };

async function compress(file) {
  const content = readFileSync(file);
  const [small, common] = await Promise.all([toBrotli(content, { params }), toGzip(content, { level: 9 })]);
  writeFileSync(`${file}.br`, small);
  writeFileSync(`${file}.gz`, common);
}

await Promise.all(process.argv.slice(2).map(compress));
