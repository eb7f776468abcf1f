/**
 * A connection that has its settings once it stands. They are statements and not `options` of its start-up packet, because poolers refuse those, or
 * drop them without a word; in a pooler's session mode the connection keeps what was set.
 */
import pg from 'pg';

/** How to reach a server, and what is set on the connection before anybody uses it. */
export interface SettledConfig extends pg.ClientConfig {
  readonly settings: Readonly<Record<string, string>>;
}

/** Time that a connection that stands may take to be set: a pooler lets it wait for a free one of the server's. */
const longestSettleMs = 10_000;

/** Connects, then sets. A failure of either is one of `connect`. */
export class SettledClient extends pg.Client {
  readonly #settings: Readonly<Record<string, string>>;

  constructor(config: SettledConfig) {
    super(config);
    this.#settings = config.settings;
    // It may be lost while it is being set, when nobody else listens yet; whoever waits for it is told.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(done: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
  override connect(done?: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): Promise<pg.Client> | undefined {
    const connecting = this.#connectAndSettle();
    if (done === undefined) {
      return connecting;
    }
    // What pg's own pool calls.
    const call = done as (error: Error | null, client?: pg.Client) => void;
    connecting.then(
      (client) => call(null, client),
      (error: Error) => call(error),
    );
    return undefined;
  }

  async #connectAndSettle(): Promise<pg.Client> {
    await super.connect();
    const values = Object.entries(this.#settings).flat();
    const calls = Object.keys(this.#settings).map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
    try {
      await this.query({ text: `SELECT ${calls.join(', ')}`, values, query_timeout: longestSettleMs } as pg.QueryConfig);
    } catch (error) {
      void this.end().catch(() => undefined);
      throw error;
    }
    return this;
  }
}
