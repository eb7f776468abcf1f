/** What Prometheus reads at /metrics: durations of requests, the connection pool, the queues of jobs and deliveries, the process. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolStats } from '../db/types.ts';
import type { DeliveryCounts } from '../domains/deliveries/index.ts';

/** Jobs of all processes: that wait, those of them that are due for long or failed at their last attempt, and that failed for good. */
export interface JobCounts {
  readonly waiting: number;
  readonly late: number;
  readonly failed: number;
}

/** Where the numbers come from that only exist when somebody asks. */
export interface MetricSources {
  readonly poolStats: () => PoolStats;
  readonly jobCounts?: (() => Promise<JobCounts>) | undefined;
  readonly deliveryCounts?: (() => Promise<DeliveryCounts>) | undefined;
}

/** The metrics of one server. */
export interface Metrics {
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** The text Prometheus reads. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** A registry of its own, so that several servers can live in one process. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  new Gauge({
    name: 'countersign_database_connections',
    help: 'Database connections of this process by state; waiting counts callers without one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = sources.poolStats();
      this.set({ state: 'busy' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const { jobCounts } = sources;
  if (jobCounts !== undefined) {
    new Gauge({
      name: 'countersign_jobs',
      help: 'Jobs of all processes by state',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const counts = await jobCounts().catch(() => undefined);
        this.reset();
        if (counts !== undefined) {
          this.set({ state: 'waiting' }, counts.waiting);
          this.set({ state: 'late' }, counts.late);
          this.set({ state: 'failed' }, counts.failed);
        }
      },
    });
  }
  if (sources.deliveryCounts !== undefined) {
    measureDeliveries(registry, sources.deliveryCounts);
  }
  return {
    observeRequest: ({ method, route, status }, seconds) => durations.observe({ method, route, status: String(status) }, seconds),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function measureDeliveries(registry: Registry, count: () => Promise<DeliveryCounts>): void {
  let counting: Promise<DeliveryCounts | undefined> | undefined;
  // Both are collected at the same moment: one look at the queue serves them.
  const countOnce = (): Promise<DeliveryCounts | undefined> => {
    counting ??= count()
      .catch(() => undefined)
      .finally(() => {
        counting = undefined;
      });
    return counting;
  };
  new Gauge({
    name: 'countersign_deliveries',
    help: 'Deliveries of all processes by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await countOnce();
      this.reset();
      if (counts !== undefined) {
        this.set({ state: 'waiting' }, counts.waiting);
        this.set({ state: 'late' }, counts.late);
        this.set({ state: 'dead' }, counts.dead);
      }
    },
  });
  new Gauge({
    name: 'countersign_deliveries_oldest_seconds',
    help: 'Seconds since the oldest delivery that waits should have been made',
    registers: [registry],
    async collect() {
      const counts = await countOnce();
      // Nothing is said where nothing is known.
      this.remove();
      if (counts !== undefined) {
        this.set(counts.oldestSeconds);
      }
    },
  });
}
