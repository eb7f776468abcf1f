/** Gathers rows of a c1z into messages of bounded size. */
import { joint, type Rows } from './messages.ts';

/** Most rows of a message, and about the most characters. */
const maxRows = 1000;
const maxLength = 256 * 1024;

/** Takes rows one by one. */
export interface RowSender {
  entitlement(key: readonly string[], texts: readonly string[]): void;
  link(entitlement: number, from: string): void;
  /** Begins an account: the grants that follow are its. */
  account(row: readonly string[]): void;
  /** An account alone where the entitlement is -1; held directly where `via` is ''. */
  grant(entitlement: number, via: string): void;
  flush(): void;
}

/** Makes a sender of messages. */
export function createRowSender(send: (rows: Rows) => void): RowSender {
  let [keys, texts]: [(readonly string[])[], (readonly string[])[]] = [[], []];
  let links: { entitlements: number[]; from: string[] } = { entitlements: [], from: [] };
  let accounts: string[] = [];
  const accountOf = new Int32Array(maxRows);
  const entitlementOf = new Int32Array(maxRows);
  let grantCount = 0;
  let [inherited, via]: [number[], string[]] = [[], []];
  let length = 0;
  let account = '';
  let isSent = false;

  const flush = () => {
    if (keys.length > 0) {
      send({ kind: 'ENTITLEMENTS', keys, texts });
      [keys, texts] = [[], []];
    }
    if (links.from.length > 0) {
      send({ kind: 'LINKS', ...links });
      links = { entitlements: [], from: [] };
    }
    if (grantCount > 0) {
      send({
        kind: 'GRANTS',
        accounts,
        accountOf: accountOf.slice(0, grantCount),
        entitlementOf: entitlementOf.slice(0, grantCount),
        inherited,
        via,
      });
      grantCount = 0;
      [inherited, via] = [[], []];
      accounts = [];
      isSent = false;
    }
    length = 0;
  };
  const grow = (count: number, by: number) => {
    length += by;
    if (count >= maxRows || length > maxLength) {
      flush();
    }
  };
  return {
    entitlement(key, row) {
      keys.push(key);
      texts.push(row);
      grow(keys.length, sumLengths(key) + sumLengths(row));
    },
    link(entitlement, from) {
      links.entitlements.push(entitlement);
      links.from.push(from);
      grow(links.from.length, from.length);
    },
    account(row) {
      account = row.join(joint);
      isSent = false;
    },
    grant(entitlement, path) {
      let added = path.length;
      if (!isSent) {
        accounts.push(account);
        added += account.length;
        isSent = true;
      }
      if (path !== '') {
        inherited.push(grantCount);
        via.push(path);
      }
      accountOf[grantCount] = accounts.length - 1;
      entitlementOf[grantCount] = entitlement;
      grow(++grantCount, added);
    },
    flush,
  };
}

function sumLengths(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) {
    length += text.length;
  }
  return length;
}
