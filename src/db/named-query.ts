/**
 * A statement under a name whose columns are told once per connection. pg asks for them at each execution, and makes its parsers of them anew, which
 * took more of this process than the rows themselves. PostgreSQL refuses to execute a prepared statement whose columns have become others, so they
 * are the same for as long as the connection has it.
 */
import pg from 'pg';

/** What is sent: the text is prepared under the name at the first execution on a connection. */
interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

interface Description {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The columns as pg keeps them in a result; nothing of them is changed by reading rows. */
interface Columns extends Description {
  readonly _parsers: readonly unknown[];
  readonly _prebuiltEmptyResultObject: object;
}

/** Members of pg's query that its declaration leaves out, or has otherwise. */
interface PlainQuery {
  readonly name: string;
  _result: Partial<Columns> | undefined;
  _accumulateRows: unknown;
  submit(connection: pg.Connection): unknown;
  handleRowDescription(description: Description): void;
}

type Done = (error: Error | null, result: pg.QueryResult) => void;
const Query = pg.Query as unknown as new (statement: NamedStatement, done: Done) => PlainQuery;

/** By the name of the statement: what connections know is the same object for all of them, since a process has many of both. */
const known = new Map<string, Columns>();
const told = new WeakMap<pg.Connection, Map<string, Columns>>();

class NamedQuery extends Query {
  #connection: pg.Connection | undefined;

  override submit(connection: pg.Connection): unknown {
    const columns = told.get(connection)?.get(this.name);
    if (columns === undefined) {
      this.#connection = connection;
      return super.submit(connection);
    }
    Object.assign(this._result ?? {}, columns);
    this._accumulateRows = true;
    return super.submit(withoutDescribe(connection));
  }

  override handleRowDescription(description: Description): void {
    super.handleRowDescription(description);
    const columns = columnsOf(this);
    if (columns !== undefined && this.#connection !== undefined) {
      keep(this.#connection, this.name, columns);
    }
  }
}

const silent = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, but for the question what the columns are. */
function withoutDescribe(connection: pg.Connection): pg.Connection {
  let found = silent.get(connection);
  if (found === undefined) {
    found = Object.create(connection, { describe: { value: () => undefined } }) as pg.Connection;
    silent.set(connection, found);
  }
  return found;
}

/** Undefined where pg keeps them in another way than we know: it is asked each time then. */
function columnsOf({
  _result: result,
  _accumulateRows: accumulates,
}: Pick<PlainQuery, '_result' | '_accumulateRows'>): Columns | undefined {
  const { fields, _parsers, _prebuiltEmptyResultObject } = result ?? {};
  const isKnown =
    Boolean(accumulates) && Array.isArray(_parsers) && _parsers.length === fields?.length && typeof _prebuiltEmptyResultObject === 'object';
  return isKnown && fields !== undefined && _prebuiltEmptyResultObject !== undefined
    ? { fields, _parsers, _prebuiltEmptyResultObject }
    : undefined;
}

function keep(connection: pg.Connection, name: string, columns: Columns): void {
  const before = known.get(name);
  const isSame =
    before?.fields.length === columns.fields.length &&
    columns.fields.every((field, at) => field.name === before.fields[at]?.name && field.dataTypeID === before.fields[at]?.dataTypeID);
  const kept = isSame && before !== undefined ? before : columns;
  known.set(name, kept);
  const ofConnection = told.get(connection) ?? new Map<string, Columns>();
  told.set(connection, ofConnection.set(name, kept));
}

/** Executes a statement under its name, which is prepared on this connection if it is not yet. */
export async function runNamed(client: pg.ClientBase, statement: NamedStatement): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      client.query(new NamedQuery(statement, (error, result) => (error === null ? resolve(result) : reject(error))));
    });
  } catch (error) {
    // As pg does: who asked is of more use than the socket.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}
