import cluster from 'node:cluster'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { inTime } from '../../core/in-time'

/** The metrics of one process as they travel between workers. */
export type Report = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Longer than the supervisor (scripts/start/gather.mjs) waits for the other workers. */
const GATHER_TIMEOUT_MS = 2_000

/** The messages between a worker and the supervisor of `WORKERS`. */
interface Message {
  /** The supervisor asks for this worker's metrics. */
  readonly report?: true
  /** The supervisor's answer to a worker that asked for everybody's. */
  readonly gathered?: readonly Report[]
}

export interface Workers {
  /** Returns the metrics of every worker that answers; without a supervisor those of this process. */
  gather(): Promise<readonly Report[]>
  leave(): void
}

/**
 * Joins the workers on the port, of which each scrape meets another one. Each reports its own numbers under a label
 * `worker`: sums would fall whenever a worker is replaced, which Prometheus takes for a restart of them all.
 */
export function joinWorkers(read: () => Promise<Report>): Workers {
  if (!cluster.isWorker) return { gather: async () => [await read()], leave: () => undefined }
  const id = String(cluster.worker?.id)
  const readOwn = async (): Promise<Report> => labelled(await read(), id)
  const answer = ({ report }: Message): void => {
    if (report === true) void readOwn().then((reported) => tell({ reported }))
  }
  process.on('message', answer)
  let gathering: Promise<readonly Report[]> | undefined
  return {
    gather: () => {
      gathering ??= gatherAll()
        .catch(async () => [await readOwn()])
        .finally(() => {
          gathering = undefined
        })
      return gathering
    },
    leave: () => void process.off('message', answer),
  }
}

/** Asks the supervisor, which asks every worker that serves. */
async function gatherAll(): Promise<readonly Report[]> {
  let take = (_message: Message): void => undefined
  const gathered = new Promise<readonly Report[]>((resolve, reject) => {
    take = (message) => message.gathered && resolve(message.gathered)
    process.on('message', take)
    tell({ gather: true }, reject)
  })
  try {
    return await inTime(gathered, GATHER_TIMEOUT_MS)
  } finally {
    process.off('message', take)
  }
}

/** Adds the label `worker` to every value. */
function labelled(report: Report, worker: string): Report {
  return report.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
  }))
}

/** Sends a message to the supervisor, which may be gone by now. */
function tell(message: object, failed: (error: Error) => void = () => undefined): void {
  process.send?.(message, undefined, undefined, (error) => error && failed(error))
}
