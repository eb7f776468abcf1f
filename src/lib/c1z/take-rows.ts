/** Rows of an upload of grants, made of the messages of the thread that reads a c1z. */
import { accountColumns, grantColumns, joint, keyColumns, type Message, type Opened, type Rows, textColumns } from './messages.ts';

/** Returns the columns of the rows. */
export function listColumns({ attributes }: Opened): readonly string[] {
  return [...accountColumns, ...attributes, ...keyColumns, ...textColumns, ...grantColumns];
}

/** Yields the rows of the messages that `next` answers; `done` learns of the warnings at the end. */
export async function* takeRows(
  { attributes }: Opened,
  next: () => Promise<Message>,
  done: (warnings: readonly string[]) => void,
): AsyncGenerator<readonly (readonly string[])[]> {
  const toRows = createRows(attributes.length);
  for (;;) {
    const message = await next();
    if (message.kind === 'DONE') {
      done(message.warnings);
      return;
    }
    if (message.kind !== 'OPENED' && message.kind !== 'REFUSED' && message.kind !== 'FOUND') {
      yield toRows(message);
    }
  }
}

function createRows(attributeCount: number): (rows: Rows) => string[][] {
  const empty = (count: number): string[] => new Array<string>(count).fill('');
  const noAccount = empty(accountColumns.length + attributeCount);
  const noKey = empty(keyColumns.length);
  const noTexts = empty(textColumns.length);
  const noGrant = empty(grantColumns.length);
  const nothing = [...noTexts, ...noGrant];
  const atVia = noAccount.length + noKey.length + noTexts.length;
  const keys: (readonly string[])[] = [];
  return (rows) => {
    switch (rows.kind) {
      case 'ENTITLEMENTS':
        for (const key of rows.keys) {
          keys.push(key);
        }
        return rows.keys.map((key, at) => noAccount.concat(key, rows.texts[at] ?? noTexts, noGrant));
      case 'LINKS':
        return rows.entitlements.map((no, at) => noAccount.concat(keys[no] ?? noKey, noTexts, ['', rows.from[at] ?? '', '', '']));
      case 'GRANTS': {
        const accounts = rows.accounts.map((texts) => texts.split(joint));
        const list = new Array<string[]>(rows.accountOf.length);
        for (let at = 0; at < list.length; at++) {
          const no = rows.entitlementOf[at] as number;
          list[at] = (accounts[rows.accountOf[at] as number] as string[]).concat(no < 0 ? noKey : (keys[no] as string[]), nothing);
        }
        for (const [at, row] of rows.inherited.entries()) {
          (list[row] as string[])[atVia] = rows.via[at] ?? '';
        }
        return list;
      }
    }
  };
}
