import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import {
  type CounterName,
  counters,
  type HistogramName,
  histograms,
  NO_TELEMETRY,
  type Gauge as State,
  type Telemetry,
} from '../../core/telemetry'
import type { Tracing } from './traces'
import { joinWorkers, type Report } from './workers'

/** How often the lag of the event loop is sampled: often enough for a lag that a caller would notice. */
const LAG_SAMPLE_MILLISECONDS = 50

let ownProcess: Registry | undefined

const NO_TRACES: Tracing = { traced: NO_TELEMETRY.traced, close: async () => undefined }

/** Creates the counters and timers of this process, which begin at zero; spans go to the given traces. */
export function createTelemetry(traces: Tracing = NO_TRACES): Telemetry {
  const registry = new Registry()
  const registers = [registry]
  const counting = mapValues(
    counters,
    ({ name, help, labels }) => new Counter<string>({ name, help, labelNames: labels, registers }),
  ) satisfies Record<CounterName, unknown>
  const timing = mapValues(
    histograms,
    ({ name, help, labels, buckets }) =>
      new Histogram<string>({ name, help, labelNames: labels, buckets: [...buckets], registers }),
  ) satisfies Record<HistogramName, unknown>
  const workers = joinWorkers(async () => [...(await readAll(registry)), ...(await readAll(processMetrics()))])
  return {
    count: (counter, labels) => counting[counter].inc(labels),
    time: (histogram, labels, seconds) => timing[histogram].observe(labels, seconds),
    async report(states) {
      const reports = await workers.gather()
      const all = merge([...reports, await readAll(registryOf(states))])
      return { contentType: all.contentType, text: await all.metrics() }
    },
    traced: traces.traced,
    close: () => {
      workers.leave()
      return traces.close()
    },
  }
}

const mapValues = <K extends string, V, W>(record: Readonly<Record<K, V>>, convert: (value: V) => W): Record<K, W> =>
  Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, convert(value)])) as Record<K, W>

/** Returns the customary metrics of Node.js and the process, kept from the first report on: their observers run for good. */
function processMetrics(): Registry {
  if (ownProcess === undefined) {
    ownProcess = new Registry()
    collectDefaultMetrics({ register: ownProcess, eventLoopMonitoringPrecision: LAG_SAMPLE_MILLISECONDS })
  }
  return ownProcess
}

async function readAll(registry: Registry): Promise<Report> {
  return (await registry.getMetricsAsJSON()) as unknown as Report
}

function registryOf(states: readonly State[]): Registry {
  const registry = new Registry()
  for (const { name, help, samples } of states) {
    const labelNames = Object.keys(samples[0]?.labels ?? {})
    const gauge = new Gauge({ name, help, labelNames, registers: [registry] })
    for (const { labels, value } of samples) gauge.set(labels, value)
  }
  return registry
}

/** Joins reports: the values of a metric that several have stand under one head, as the format demands. */
function merge(reports: readonly Report[]): Registry {
  const merged = new Map<string, Report[number]>()
  for (const metric of reports.flat()) {
    const before = merged.get(metric.name)
    merged.set(metric.name, before === undefined ? metric : { ...before, values: [...before.values, ...metric.values] })
  }
  const registry = new Registry()
  for (const metric of merged.values()) {
    registry.registerMetric({ ...metric, get: async () => metric } as unknown as Metric)
  }
  return registry
}
