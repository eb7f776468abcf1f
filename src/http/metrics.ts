/**
 * Data Prometheus reads at /metrics: requests, the connection pool, the queues of jobs and deliveries, mails, open tasks and sources, the process. Labels
 * are routes and states, of which there is a fixed number: never tenants, people or ids.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolStats } from '../db/types.ts';
import type { listEnds, SourceWork } from '../inventory/fetches/index.ts';
import type { JobCounts } from '../jobs/index.ts';
import type { LogFindings } from '../foundation/log-proofs/index.ts';

/** Counts of tenants' work, all of them together. */
export interface InventoryCounts {
  readonly openReviews: number;
  readonly openTasks: number;
  /** Seconds since the sources that are not paused delivered: the longest of all; 0 where there is none. */
  readonly oldestSourceSeconds: number;
}

/** Sources of numbers that only exist when somebody asks. */
export interface MetricSources {
  readonly poolStats: () => PoolStats;
  readonly jobCounts?: (() => Promise<JobCounts>) | undefined;
  readonly deliveryCounts?: (() => Promise<JobCounts>) | undefined;
  readonly unsureMails?: (() => Promise<number>) | undefined;
  readonly inventoryCounts?: (() => Promise<InventoryCounts>) | undefined;
  readonly sources?: (() => Promise<readonly SourceWork[]>) | undefined;
  readonly fetchEnds?: (() => ReturnType<typeof listEnds>) | undefined;
  readonly logFindings?: (() => Promise<LogFindings>) | undefined;
  readonly missedRejections?: (() => number) | undefined;
}

/** The metrics of one server. */
export interface Metrics {
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** The text Prometheus reads; everybody who asks within a second gets the same. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Reading often costs no more than reading once a second, and counting once in five. */
const keepTextMs = 1_000;
const keepCountsMs = 5_000;
/** Looks at every tenant. */
const keepInventoryMs = 60_000;
/** Counts that do not come are left out, rather than that nobody sees anything. */
const longestCountMs = 2_000;

/** A registry of its own, so that several servers can live in one process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'countersign_missed_rejections',
    help: 'Rejected promises that nobody handled since the start',
    registers: [registry],
    collect() {
      this.set(sources.missedRejections?.() ?? 0);
    },
  });
  const durations = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Duration of HTTP requests by kind of route',
    labelNames: ['kind'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  const requests = new Counter({
    name: 'countersign_http_requests_total',
    help: 'HTTP requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Counter({
    name: 'countersign_http_request_seconds_total',
    help: 'Time that HTTP requests took by method and route',
    labelNames: ['method', 'route'],
    registers: [registry],
  });
  const connections = {
    name: 'countersign_database_connections',
    help: 'Database connections of this process by state; waiting counts callers without one',
  };
  byState(registry, connections, async () => {
    const { total, idle, waiting } = sources.poolStats();
    return [
      { state: 'busy', value: total - idle },
      { state: 'idle', value: idle },
      { state: 'waiting', value: waiting },
    ];
  });
  if (sources.jobCounts !== undefined) {
    measureJobs(registry, remember(sources.jobCounts, keepCountsMs));
  }
  if (sources.deliveryCounts !== undefined) {
    measureDeliveries(registry, remember(sources.deliveryCounts, keepCountsMs));
  }
  if (sources.unsureMails !== undefined) {
    const unsure = {
      name: 'countersign_mails_unsure',
      help: 'Mails of the last two days that may not have arrived and are not sent again',
    };
    single(registry, unsure, remember(sources.unsureMails, keepInventoryMs));
  }
  if (sources.inventoryCounts !== undefined) {
    measureInventory(registry, remember(sources.inventoryCounts, keepInventoryMs));
  }
  if (sources.sources !== undefined) {
    measureSources(registry, remember(sources.sources, keepInventoryMs));
  }
  if (sources.fetchEnds !== undefined) {
    countFetches(registry, sources.fetchEnds);
  }
  if (sources.logFindings !== undefined) {
    measureLogs(registry, remember(sources.logFindings, keepInventoryMs));
  }
  return {
    observeRequest({ method, route, status }, took) {
      durations.observe({ kind: kindOf(route) }, took);
      requests.inc({ method, route, status: String(status) });
      seconds.inc({ method, route }, took);
    },
    render: shareFor(keepTextMs, () => registry.metrics()),
    contentType: registry.contentType,
  };
}

/** Kind by duration: uploads take minutes, probes nothing. */
function kindOf(route: string): string {
  const kinds: readonly (readonly [string, string])[] = [
    ['/api/v1/imports/', 'import'],
    ['/api/v1/search/', 'search'],
    ['/api/', 'api'],
    ['/auth/', 'token'],
    ['/scim/', 'scim'],
  ];
  return kinds.find(([prefix]) => route.startsWith(prefix))?.[1] ?? 'other';
}

function measureJobs(registry: Registry, count: () => Promise<JobCounts | undefined>): void {
  byState(registry, { name: 'countersign_jobs', help: 'Jobs of all processes by state' }, async () => {
    const counts = await count();
    return counts === undefined
      ? []
      : [
          { state: 'waiting', value: counts.waiting },
          { state: 'late', value: counts.late },
          { state: 'failed', value: counts.failed },
        ];
  });
  const oldest = { name: 'countersign_jobs_oldest_seconds', help: 'Seconds since the oldest job that waits should have run' };
  single(registry, oldest, async () => (await count())?.oldestSeconds);
}

function measureDeliveries(registry: Registry, count: () => Promise<JobCounts | undefined>): void {
  byState(registry, { name: 'countersign_deliveries', help: 'Deliveries of all processes by state' }, async () => {
    const counts = await count();
    return counts === undefined
      ? []
      : [
          { state: 'waiting', value: counts.waiting },
          { state: 'late', value: counts.late },
          { state: 'dead', value: counts.failed },
        ];
  });
  const oldest = {
    name: 'countersign_deliveries_oldest_seconds',
    help: 'Seconds since the oldest delivery that waits should have been made',
  };
  single(registry, oldest, async () => (await count())?.oldestSeconds);
}

function measureInventory(registry: Registry, count: () => Promise<InventoryCounts | undefined>): void {
  single(registry, { name: 'countersign_reviews_open', help: 'Open reviews of all tenants' }, async () => (await count())?.openReviews);
  single(registry, { name: 'countersign_tasks_open', help: 'Open tasks of all tenants' }, async () => (await count())?.openTasks);
  const oldest = {
    name: 'countersign_source_oldest_seconds',
    help: 'Seconds since the source of files delivered that has been silent for longest',
  };
  single(registry, oldest, async () => (await count())?.oldestSourceSeconds);
}

/** By kind of source, of which there are nine. */
function measureSources(registry: Registry, read: () => Promise<readonly SourceWork[] | undefined>): void {
  const age = { name: 'countersign_source_age_seconds', help: 'Age of the oldest data of a source that is not paused, by kind' };
  new Gauge({
    ...age,
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const found = await read();
      this.reset();
      for (const { kind, ageSeconds } of found ?? []) {
        if (ageSeconds !== null) {
          this.set({ kind: kind.toLowerCase() }, ageSeconds);
        }
      }
    },
  });
  const held = { name: 'countersign_fetches_held', help: 'Fetches that the guard holds until somebody decides on them' };
  single(registry, held, async () => (await read())?.reduce((sum, one) => sum + one.held, 0));
}

/** Ends of fetches by kind of source and state. */
function countFetches(registry: Registry, read: () => ReturnType<typeof listEnds>): void {
  new Counter({
    name: 'countersign_fetches_total',
    help: 'Fetches that this process ended or held, by kind of source and what they came to',
    labelNames: ['kind', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, state, count } of read()) {
        this.inc({ kind: kind.toLowerCase(), state: state.toLowerCase() }, count);
      }
    },
  });
}

function measureLogs(registry: Registry, count: () => Promise<LogFindings | undefined>): void {
  const findings = { name: 'countersign_log_findings', help: 'What did not hold at the last check of the event logs of all tenants' };
  single(registry, findings, async () => (await count())?.findings);
  const behind = { name: 'countersign_log_behind', help: 'Event logs that are behind a checkpoint of their own' };
  single(registry, behind, async () => (await count())?.behind);
  const oldest = { name: 'countersign_log_check_oldest_seconds', help: 'Seconds since the event log that was not checked for longest was' };
  single(registry, oldest, async () => (await count())?.oldestCheckSeconds);
  const failing = {
    name: 'countersign_log_anchor_failing_seconds',
    help: 'Seconds for which checkpoints have not reached a place that is to hold them',
  };
  single(registry, failing, async () => (await count())?.anchorFailingSeconds);
}

/** Name of a metric, and what it says. */
interface Named {
  readonly name: string;
  readonly help: string;
}

/** A number for each state; nothing is said where nothing is known. */
function byState(registry: Registry, named: Named, read: () => Promise<readonly { state: string; value: number }[]>): void {
  new Gauge({
    ...named,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await read();
      this.reset();
      for (const { state, value } of counts) {
        this.set({ state }, value);
      }
    },
  });
}

/** One number; nothing is said where nothing is known. */
function single(registry: Registry, named: Named, read: () => Promise<number | undefined>): void {
  new Gauge({
    ...named,
    registers: [registry],
    async collect() {
      const value = await read();
      this.remove();
      if (value !== undefined) {
        this.set(value);
      }
    },
  });
}

/** Counts that several ask for, at most so often; undefined where they fail or do not come in time. */
function remember<T>(count: () => Promise<T>, milliseconds: number): () => Promise<T | undefined> {
  return shareFor(milliseconds, async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longestCountMs);
    });
    return await Promise.race([count().catch(() => undefined), late]).finally(() => clearTimeout(timer));
  });
}

/** Shares what was read last, while not older than so many milliseconds; one reads for all who ask meanwhile. */
function shareFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let until = 0;
  return () => {
    if (last === undefined || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      last = read().finally(() => {
        until = performance.now() + milliseconds;
      });
    }
    return last;
  };
}
