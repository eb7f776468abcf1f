/** `countersign import people|grants`: sends a CSV file to the server, streaming. What the file means is decided there. */
import type { Command } from 'commander';
import type { Client } from '../client/index.ts';
import { ImportService, type ImportJson } from '../gen/countersign/v1/imports_pb.js';
import { type ConnectOptions, connect, withConnection } from './connect.ts';
import { openInput } from './input-file.ts';
import { CommandFailure, type CommandIo, writeJson, writeLines } from './io.ts';
import { createProgress, formatBytes } from './progress.ts';

interface ImportOptions extends ConnectOptions {
  readonly allowRemovals?: boolean;
}

/** Adds `import people` and `import grants`. */
export function addImportCommands(program: Command, io: CommandIo): void {
  const group = program.command('import').description('bring in people and grants from CSV files');

  withConnection(
    group
      .command('people')
      .description('import people (columns: email, display_name, manager_email, department, job_title, employment_status)'),
  )
    .argument('<file>', 'CSV, plain or gzip; - for standard input')
    .option('--source <name>', 'where the people come from; people missing from a later file of the same source are disabled', 'people')
    .option('--allow-removals', 'accept a file that disables more than a fifth of the source')
    .action(async (file: string, options: ImportOptions & { source: string }) => {
      await runImport(io, options, file, 'people', (client, upload) =>
        client.upload(ImportService.method.importPeople, { source: options.source, allowRemovals: options.allowRemovals === true }, upload),
      );
    });

  withConnection(group.command('grants').description('import the accounts and grants of one app'))
    .argument('<file>', 'CSV, plain or gzip; - for standard input')
    .requiredOption('--app <name>', 'display name of the app; it is created if it is not there')
    .option('--allow-removals', 'accept a file that ends more than a fifth of the grants')
    .action(async (file: string, options: ImportOptions & { app: string }) => {
      await runImport(io, options, file, 'grants', (client, upload) =>
        client.upload(ImportService.method.importGrants, { app: options.app, allowRemovals: options.allowRemovals === true }, upload),
      );
    });
}

type Send = (client: Client, upload: Awaited<ReturnType<typeof openInput>>) => Promise<{ import?: ImportJson }>;

async function runImport(io: CommandIo, options: ConnectOptions, file: string, what: string, send: Send): Promise<void> {
  const client = connect(io, options);
  // Before the file is opened: a wrong credential is found at once, not after gigabytes.
  await client.token();
  const progress = createProgress(io, `sending ${what}`, formatBytes);
  let reply: { import?: ImportJson };
  try {
    const upload = await openInput(io, file, (read, size) => {
      progress.update(read, size, read === size ? `importing ${what}` : undefined);
    });
    reply = await send(client, upload);
  } finally {
    progress.finish();
  }
  if (reply.import === undefined) {
    throw new CommandFailure('the server answered without saying what it imported');
  }
  printImport(io, options.json === true, what, reply.import);
}

function printImport(io: CommandIo, asJson: boolean, what: string, made: ImportJson): void {
  if (asJson) {
    writeJson(io.stdout, made);
    return;
  }
  const count = (value: string | number | undefined): string => Number(value ?? 0).toLocaleString('en');
  writeLines(
    io.stdout,
    `${count(made.rows)} rows of ${what}: ${count(made.added)} added, ${count(made.changed)} changed, ${count(made.removed)} removed, ${count(made.unchanged)} unchanged`,
  );
  const warnings = made.warnings ?? [];
  if (warnings.length > 0) {
    writeLines(
      io.stderr,
      `${count(made.warningCount)} warnings:`,
      ...warnings.map((one) => `  line ${one.line ?? '?'}${one.column ? `, ${one.column}` : ''}: ${one.reason ?? ''}`),
      ...(Number(made.warningCount) > warnings.length ? ['  ...'] : []),
    );
  }
}
