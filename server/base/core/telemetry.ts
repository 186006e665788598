/**
 * What the server counts and times, for operators: the one list of names, labels and buckets. A label has few values,
 * all chosen by this code: never an id, an address, a text of a caller or anything of a person.
 */

/** The goals of docs/performance.md, so that the share of requests that met one can be read off; then up to timeouts. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.03, 0.04, 0.08, 0.12, 0.18, 0.25, 0.35, 0.8, 1.5, 5, 10]
const DATABASE_BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]
const NETWORK_BUCKETS = [0.03, 0.1, 0.3, 1, 3, 5, 10, 20]
const WORK_BUCKETS = [0.01, 0.1, 1, 5, 20, 60, 300]

interface Metric {
  readonly help: string
  readonly labels: readonly string[]
}

interface Counter extends Metric {
  readonly name: `countersign_${string}_total`
}

export const counters = {
  refusals: {
    name: 'countersign_http_refusals_total',
    help: 'Requests that were refused, by operation and error code; none is a request that matched no operation.',
    labels: ['operation', 'error'],
  },
  auditEntries: {
    name: 'countersign_audit_entries_total',
    help: 'Audit entries that were committed, by event: approvals, payments, limit changes, revocations and so on.',
    labels: ['event'],
  },
  brokenChains: {
    name: 'countersign_audit_broken_chains_total',
    help: 'Checkpoints that were not signed because the audit chain of a tenant does not verify.',
    labels: [],
  },
  databaseFailures: {
    name: 'countersign_database_failures_total',
    help: 'Statements that failed because the database was unavailable, by SQLSTATE; none is a lost connection.',
    labels: ['sqlstate'],
  },
} as const satisfies Readonly<Record<string, Counter>>

interface Histogram extends Metric {
  readonly name: `countersign_${string}_seconds`
  readonly buckets: readonly number[]
}

export const histograms = {
  requests: {
    name: 'countersign_http_request_duration_seconds',
    help: 'Time to answer a request, by operation and status; none is a request that matched no operation.',
    labels: ['operation', 'status'],
    buckets: REQUEST_BUCKETS,
  },
  databaseWaits: {
    name: 'countersign_database_wait_seconds',
    help: 'Time that a transaction waited for a connection or, on the embedded database, for its turn.',
    labels: [],
    buckets: DATABASE_BUCKETS,
  },
  transactions: {
    name: 'countersign_database_transaction_duration_seconds',
    help: 'Time from the first statement of a transaction to its end, by outcome.',
    labels: ['outcome'],
    buckets: DATABASE_BUCKETS,
  },
  processorRequests: {
    name: 'countersign_processor_request_duration_seconds',
    help: 'Time of a request to the card processor, by method and outcome.',
    labels: ['method', 'outcome'],
    buckets: NETWORK_BUCKETS,
  },
  outboundRequests: {
    name: 'countersign_outbound_request_duration_seconds',
    help: 'Time of a request to an address from another party, by outcome.',
    labels: ['outcome'],
    buckets: NETWORK_BUCKETS,
  },
  jobs: {
    name: 'countersign_job_duration_seconds',
    help: 'Time of an attempt at a queued job, by kind and outcome.',
    labels: ['kind', 'outcome'],
    buckets: WORK_BUCKETS,
  },
  recurringWork: {
    name: 'countersign_recurring_work_duration_seconds',
    help: 'Time of a run of recurring work, by name and outcome.',
    labels: ['work', 'outcome'],
    buckets: WORK_BUCKETS,
  },
} as const satisfies Readonly<Record<string, Histogram>>

export type CounterName = keyof typeof counters
export type HistogramName = keyof typeof histograms
type LabelsOf<M extends { readonly labels: readonly string[] }> = Readonly<Record<M['labels'][number], string>>
export type CounterLabels<C extends CounterName> = LabelsOf<(typeof counters)[C]>
export type HistogramLabels<H extends HistogramName> = LabelsOf<(typeof histograms)[H]>

/** A state of the whole installation, which is the same whichever process is asked. */
export interface Gauge {
  readonly name: `countersign_${string}`
  readonly help: string
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]
}

/** What a span may say, and nothing else: no id, address, amount, text or secret of anybody. */
export const spanAttributes = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  /** The host of an address from another party, without the rest of the address. */
  'server.address',
  'error.type',
  'db.system.name',
  'countersign.operation',
  /** Joins a span with the lines of the log. */
  'countersign.request_id',
  /** The kind of caller. */
  'countersign.caller',
  'countersign.procedures',
  'countersign.outcome',
  'countersign.attempts',
] as const
export type SpanAttributes = Readonly<Partial<Record<(typeof spanAttributes)[number], string | number>>>

/** A request that is answered, a request or transaction of our own while one is, or an attempt at a job. */
export type SpanStart =
  | {
      readonly kind: 'server'
      /** The method, and the path as the contract has it. */
      readonly name: `${string} ${string}`
      readonly traceparent: string | null
      readonly attributes: SpanAttributes
    }
  | {
      readonly kind: 'client'
      readonly name: 'database transaction' | `processor ${string}` | 'GET' | 'POST'
      readonly attributes: SpanAttributes
    }
  | { readonly kind: 'consumer'; readonly name: `job ${string}`; readonly attributes: SpanAttributes }

export interface OpenSpan {
  set(attributes: SpanAttributes): void
  /** Marks that the work failed; it says no more than that. */
  fail(): void
}

/** Stands for a span where there are no traces. */
export const NO_SPAN: OpenSpan = { set: () => undefined, fail: () => undefined }

/** Where traces go, and how many are kept. */
export interface TraceSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** The share of new traces that is kept, from 0 to 1. */
  readonly ratio: number
  /** Whether callers may continue their own traces. */
  readonly trustsCallers: boolean
}

export interface Telemetry {
  count<C extends CounterName>(counter: C, labels: CounterLabels<C>): void
  time<H extends HistogramName>(histogram: H, labels: HistogramLabels<H>, seconds: number): void
  /**
   * Returns the metrics in the text format of Prometheus: those of this process or, with WORKERS, of all workers with
   * a label `worker`, and the given states.
   */
  report(states: readonly Gauge[]): Promise<{ readonly contentType: string; readonly text: string }>
  /** Runs work in a span of its own; without traces only runs it. */
  traced<T>(start: SpanStart, work: (span: OpenSpan) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** For parts that nothing observes yet, such as a database that is opened alone. */
export const NO_TELEMETRY: Pick<Telemetry, 'count' | 'time' | 'traced'> = {
  count: () => undefined,
  time: () => undefined,
  traced: (_, work) => work(NO_SPAN),
}
